import type { Logger } from 'pino';
import type { Channel } from '../channels/channel.ts';
import { openRateLimit } from './rate-limit.ts';
import { confirmationClaims, confirmationOf } from '../message/confirmation.ts';
import type { ReceivedLead } from '../message/message.ts';
import { ownEntry } from '../message/notice.ts';
import type { StoreSetting } from '../store/index.ts';
import type { ClaimedDelivery, LeadStore } from '../store/store.ts';

/** The most confirmations to all visitors together, within so many seconds. */
const CAP = { limit: 100, window: 3600 };

interface ConfirmingOptions {
	store: LeadStore;
	place: StoreSetting;
	channel: Channel;
	log: Logger;
}

/**
 * Confirms leads to visitors, within the limits of {@link confirmationClaims}. The outbox sends a confirmation as an entry of its own, so its
 * result says nothing about the lead.
 */
export async function openConfirming({ store, place, channel, log }: ConfirmingOptions) {
	const all = await openRateLimit({ policy: CAP, store: place, secret: store.secret, log });
	return {
		/** Saves the confirmation of a lead that is about to be delivered. Never rejects. @returns false if there is to be none */
		async save({ id, payload }: ClaimedDelivery): Promise<boolean> {
			try {
				return await insert(JSON.parse(payload) as ReceivedLead, store);
			} catch (err) {
				log.warn({ err, lead: id }, 'A lead is not confirmed: the store cannot save that.');
				return false;
			}
		},
		/** Sends confirmations until there are too many. */
		channel: {
			...channel,
			async send(message, signal) {
				const quota = await all.count({ address: undefined, apiKey: { id: channel.name, limit: CAP } });
				if (quota!.exceeded) return { ok: true, note: 'not sent: there were too many' };
				if (quota!.remaining === 0)
					log.warn({ seconds: quota!.resetAfter }, `${CAP.limit} confirmations within an hour: no more are sent for so long.`);
				return channel.send(message, signal);
			},
		} satisfies Channel,
		stop: all.stop,
	};
}

async function insert(received: ReceivedLead, store: LeadStore): Promise<boolean> {
	const confirmation = confirmationOf(received);
	if (confirmation === undefined) return false;
	const { email } = received.lead;
	for (const once of await confirmationClaims(store.secret, email)) {
		const entry = { ...ownEntry(confirmation, ['confirmation'], once), kind: 'confirmation', email, once } as const;
		const insertion = await store.insert(entry);
		// On a conflict another mailbox has this claim.
		if (insertion !== 'conflict') return insertion === 'inserted';
	}
	return false;
}
