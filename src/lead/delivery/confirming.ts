import type { Logger } from 'pino';
import { CONFIRMATION } from '../channels/email.ts';
import { confirmationClaims, confirmationOf } from '../message/confirmation.ts';
import type { ReceivedLead } from '../message/message.ts';
import { ownEntry } from '../message/notice.ts';
import type { ClaimedDelivery, LeadStore } from '../store/store.ts';

/** The most confirmations to all visitors together, of the leads that came within an hour (in milliseconds). */
const CAP = 100;
const HOUR = 3600_000;

/** Saves the confirmation of a lead that is about to be delivered. Never rejects. @returns false if there is to be none */
export type Confirm = (lead: ClaimedDelivery) => Promise<boolean>;

/**
 * Confirms leads to visitors, within the limits of {@link confirmationClaims} and {@link CAP}. The outbox sends a confirmation as an
 * entry of its own, so its result says nothing about the lead.
 */
export function confirmLeads(store: LeadStore, log: Logger): Confirm {
	let earlier: Promise<unknown> = Promise.resolve();
	return (lead) => {
		// One after the other: each counts those before it.
		const saving = earlier.then(() => save(lead));
		earlier = saving;
		return saving;
	};

	async function save({ id, payload }: ClaimedDelivery): Promise<boolean> {
		try {
			const number = await store.countConfirmations(Date.now() - HOUR, CAP);
			if (number === CAP || !(await insert(JSON.parse(payload) as ReceivedLead, store))) return false;
			if (number === CAP - 1) log.warn({ confirmations: CAP }, 'There were many confirmations within an hour: no more are sent.');
			return true;
		} catch (err) {
			log.warn({ err, lead: id }, 'A lead is not confirmed: the store cannot save that.');
			return false;
		}
	}
}

async function insert(received: ReceivedLead, store: LeadStore): Promise<boolean> {
	const confirmation = confirmationOf(received);
	if (confirmation === undefined) return false;
	const { email } = received.lead;
	for (const once of await confirmationClaims(store.secret, email)) {
		const entry = { ...ownEntry(confirmation, [CONFIRMATION], once), kind: 'confirmation', email, once } as const;
		const insertion = await store.insert(entry);
		// On a conflict another mailbox has this claim.
		if (insertion !== 'conflict') return insertion === 'inserted';
	}
	return false;
}
