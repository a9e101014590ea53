import { LRUCache } from 'lru-cache';
import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import { type Channel, TRY_TIMEOUT } from '../channels/channel.ts';
import { withDeadline } from '../channels/deadline.ts';
import { confirmationMessage, confirmationOf, mailboxOf } from './confirmation.ts';
import { ownEntry } from './notice.ts';
import { tried } from '../events.ts';
import type { Intake } from '../intake/intake.ts';
import { keyedHash } from '../keyed-hash.ts';
import type { Lead } from '../lead.ts';
import type { LeadStore } from '../store/store.ts';

/** Confirms to the visitor, once a day at most, that the lead was taken. Never throws: no lead fails for it. */
export type Confirm = (lead: Lead) => Promise<void>;

/** In milliseconds: how long a mailbox that a confirmation was sent to gets no other. */
const PAUSE = 24 * 3600_000;
/** How many of these mailboxes a process without a store remembers. */
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
		const entry = ownEntry(confirmation, ['confirmation'], { key: keyOf(store.secret, lead), lifetime: PAUSE });
		const insertion = await store.insert({ ...entry, kind: 'confirmation', email: lead.email });
		if (insertion === 'inserted') saved();
	}
}

/**
 * `LEAD_STORE=none`: tries once, beside the request. Which mailboxes got a confirmation is remembered in this process only.
 *
 * @param cutOff ends what is still being sent: the process has to go
 */
export function confirmDirectly(channel: Channel, secret: KeyObject, log: Logger, cutOff: AbortSignal): Confirm {
	const writtenTo = new LRUCache<string, true>({ max: MEMORY, ttl: PAUSE });

	return async (lead) => {
		const confirmation = confirmationOf(lead);
		const key = keyOf(secret, lead);
		if (confirmation === undefined || writtenTo.has(key)) return;
		writtenTo.set(key, true);
		const delivery = await withDeadline(TRY_TIMEOUT, (deadline) =>
			channel.send(confirmationMessage(confirmation), AbortSignal.any([deadline, cutOff])),
		);
		tried.publish({ channel: channel.name, outcome: delivery.ok ? 'sent' : 'failed' });
		const about = { confirmation: confirmation.id, channel: channel.name };
		if (delivery.ok) log.info({ ...about, note: delivery.note }, 'Confirmed.');
		else log.warn({ ...about, reason: delivery.reason }, 'Not confirmed.');
	};
}

const keyOf = (secret: KeyObject, { email }: Lead) => keyedHash(secret, 'confirmation', mailboxOf(email));
