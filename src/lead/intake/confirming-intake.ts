import { LRUCache } from 'lru-cache';
import type { KeyObject } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Channel, sendWithin, TRY_TIMEOUT } from '../channels/channel.ts';
import { confirmationClaims, confirmationMessage, confirmationOf } from '../message/confirmation.ts';
import { ownEntry } from '../message/notice.ts';
import { tried } from '../events.ts';
import type { Intake } from './intake.ts';
import type { Lead } from '../lead.ts';
import type { LeadStore } from '../store/store.ts';

/** Confirms to the visitor, within the limits of {@link confirmationClaims}, that the lead was taken. Never throws: no lead fails for it. */
export type Confirm = (lead: Lead) => Promise<void>;

/** How many mailboxes that a confirmation was sent to a process without a store remembers. */
const MEMORY = 100_000;

export interface ConfirmingIntake extends Intake {
	/** Waits for the confirmations under way. */
	confirmed(): Promise<void>;
}

/** The same intake, which also confirms each lead that it has taken. No lead waits for that. */
export function confirmingIntake(intake: Intake, confirm: Confirm): ConfirmingIntake {
	const underWay = new Set<Promise<void>>();
	return {
		...intake,
		async confirmed() {
			await Promise.all(underWay);
		},
		async take(lead, sending) {
			const verdict = await intake.take(lead, sending);
			if (verdict === 'accepted') {
				const confirming = confirm(lead).finally(() => underWay.delete(confirming));
				underWay.add(confirming);
			}
			return verdict;
		},
	};
}

/**
 * Leaves confirmations to the outbox, as entries of their own: what becomes of one says nothing of the lead.
 * The store remembers which mailboxes got one, for all instances.
 *
 * @param saved called when a confirmation is due
 */
export function confirmByOutbox(store: LeadStore, log: Logger, saved: () => void): Confirm {
	return (lead) =>
		insert(lead).catch((error: unknown) => log.warn({ err: error }, 'A lead is not confirmed: the store cannot save that.'));

	async function insert(lead: Lead): Promise<void> {
		const confirmation = confirmationOf(lead);
		if (confirmation === undefined) return;
		for (const once of confirmationClaims(store.secret, lead.email)) {
			const entry = { ...ownEntry(confirmation, ['confirmation'], once), kind: 'confirmation', email: lead.email, once } as const;
			let insertion = await store.insert(entry);
			for (; insertion === 'in-flight'; insertion = await store.insert(entry)) await wait(10);
			if (insertion === 'inserted') saved();
			if (insertion !== 'conflict') return;
		}
	}
}

/**
 * `LEAD_STORE=none`: tries once, beside the request. Which mailboxes got a confirmation is remembered in this process only.
 *
 * @param cutOff ends what is still being sent: the process has to go
 */
export function confirmDirectly(channel: Channel, secret: KeyObject, log: Logger, cutOff: AbortSignal): Confirm {
	const claimed = new LRUCache<string, string>({ max: MEMORY });

	return async (lead) => {
		const confirmation = confirmationOf(lead);
		const claims = confirmationClaims(secret, lead.email);
		const claim = claims.find(({ key, fingerprint }) => (claimed.get(key) ?? fingerprint) === fingerprint);
		if (confirmation === undefined || claim === undefined || claimed.has(claim.key)) return;
		claimed.set(claim.key, claim.fingerprint, { ttl: claim.lifetime });
		const delivery = await sendWithin(TRY_TIMEOUT, channel, confirmationMessage(confirmation), { cutOff });
		tried.publish({ channel: channel.name, outcome: delivery.ok ? 'sent' : 'failed' });
		const about = { confirmation: confirmation.id, channel: channel.name };
		if (delivery.ok) log.info({ ...about, note: delivery.note }, 'Confirmed.');
		else log.warn({ ...about, reason: delivery.reason }, 'Not confirmed.');
	};
}
