import { LRUCache } from 'lru-cache';
import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import { type Channel, sendWithin, TRY_TIMEOUT } from '../channels/channel.ts';
import { confirmationClaims, confirmationMessage, confirmationOf } from '../message/confirmation.ts';
import { ownEntry } from '../message/notice.ts';
import { deliveryTried } from '../events.ts';
import type { Intake } from './intake.ts';
import type { Lead } from '../lead.ts';
import { insertInTurn } from './once.ts';
import type { LeadStore } from '../store/store.ts';

/** Confirms a taken lead to the visitor, within the limits of {@link confirmationClaims}. Never throws: it fails no lead. */
export type Confirm = (lead: Lead) => Promise<void>;

/** The most confirmed mailboxes that a process without a store remembers. */
const MEMORY = 100_000;

export interface ConfirmingIntake extends Intake {
	/** Waits for the confirmations under way. */
	finish(): Promise<void>;
}

/** Returns an intake that also confirms each taken lead. No lead waits for its confirmation. */
export function confirmingIntake(intake: Intake, confirm: Confirm): ConfirmingIntake {
	const underWay = new Set<Promise<void>>();
	return {
		...intake,
		async finish() {
			await Promise.all(underWay);
		},
		async take(lead, sending) {
			const result = await intake.take(lead, sending);
			if (result === 'accepted') {
				const confirming = confirm(lead).finally(() => underWay.delete(confirming));
				underWay.add(confirming);
			}
			return result;
		},
	};
}

/**
 * Leaves confirmations to the outbox, as entries of their own: the result of one says nothing about the lead.
 * The store remembers, for all instances, which mailboxes got one.
 *
 * @param onSaved called when a confirmation is due
 */
export function confirmByOutbox(store: LeadStore, log: Logger, onSaved: () => void): Confirm {
	return (lead) =>
		insert(lead).catch((error: unknown) => log.warn({ err: error }, 'A lead is not confirmed: the store cannot save that.'));

	async function insert(lead: Lead): Promise<void> {
		const confirmation = confirmationOf(lead);
		if (confirmation === undefined) return;
		// Each claim is one of the domain's confirmations for today. Tries the next if another mailbox has it.
		for (const once of confirmationClaims(store.secret, lead.email)) {
			const entry = { ...ownEntry(confirmation, ['confirmation'], once), kind: 'confirmation', email: lead.email, once } as const;
			const insertion = await insertInTurn(store, entry);
			if (insertion === 'inserted') onSaved();
			if (insertion !== 'conflict') return;
		}
	}
}

/**
 * `LEAD_STORE=none`: tries once, beside the request. Only this process remembers which mailboxes got a confirmation.
 *
 * @param cutOff ends a send under way, because the process has to end
 */
export function confirmDirectly(channel: Channel, secret: KeyObject, log: Logger, cutOff: AbortSignal): Confirm {
	const claimed = new LRUCache<string, string>({ max: MEMORY });

	return async (lead) => {
		const confirmation = confirmationOf(lead);
		const claims = confirmationClaims(secret, lead.email);
		const claim = claims.find(({ key, fingerprint }) => (claimed.get(key) ?? fingerprint) === fingerprint);
		if (confirmation === undefined || claim === undefined || claimed.has(claim.key)) return;
		claimed.set(claim.key, claim.fingerprint, { ttl: claim.lifetime });
		const sent = await sendWithin(TRY_TIMEOUT, channel, confirmationMessage(confirmation), cutOff);
		deliveryTried.publish({ channel: channel.name, outcome: sent.ok ? 'sent' : 'failed' });
		const about = { confirmation: confirmation.id, channel: channel.name };
		if (sent.ok) log.info({ ...about, note: sent.note }, 'Confirmed.');
		else log.warn({ ...about, reason: sent.reason }, 'Not confirmed.');
	};
}
