import type { Logger } from 'pino';
import { CONFIRMATION } from '../channels/smtp.ts';
import { confirmationClaims, confirmationOf } from '../channels/confirmation.ts';
import type { ReceivedLead } from '../channels/message.ts';
import { ownEntry } from '../channels/notice.ts';
import type { ClaimedDelivery, LeadStore } from '../store/store.ts';

/** The most confirmations to all visitors together, of the leads that came within an hour (in milliseconds). */
const [CAP, HOUR] = [100, 3600_000];

/**
 * Saves the confirmation of a lead that is about to be delivered, within the limits of {@link confirmationClaims} and {@link CAP}. It
 * is an entry of its own, so its result says nothing about the lead. Never rejects.
 *
 * @returns false if there is to be none
 */
export async function saveConfirmation({ id, payload }: ClaimedDelivery, store: LeadStore, log: Logger): Promise<boolean> {
	try {
		const received = JSON.parse(payload) as ReceivedLead;
		const confirmation = confirmationOf(received);
		const number = await store.countConfirmations(Date.now() - HOUR, CAP);
		if (confirmation === undefined || number === CAP) return false;
		const { email } = received.lead;
		for (const once of await confirmationClaims(store.secret, email)) {
			const insertion = await store.insert({ ...ownEntry('confirmation', confirmation, [CONFIRMATION], once), email });
			// Another mailbox has this claim.
			if (insertion === 'conflict') continue;
			if (insertion === 'inserted' && number === CAP - 1)
				log.warn({ confirmations: CAP }, 'There were many confirmations within an hour: no more are sent.');
			return insertion === 'inserted';
		}
	} catch (err) {
		log.warn({ err, lead: id }, 'A lead is not confirmed: the store cannot save that.');
	}
	return false;
}
