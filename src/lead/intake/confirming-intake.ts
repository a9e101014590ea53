import type { Logger } from 'pino';
import { confirmationClaims, confirmationOf } from '../message/confirmation.ts';
import { ownEntry } from '../message/notice.ts';
import type { Lead } from '../lead.ts';
import type { LeadStore } from '../store/store.ts';
import type { Intake } from './intake.ts';

/**
 * Returns an intake that also confirms each taken lead to the visitor, within the limits of {@link confirmationClaims}. The outbox
 * sends a confirmation as an entry of its own, so its result says nothing about the lead. @param onSaved called when one is due
 */
export const confirmingIntake = (intake: Intake, store: LeadStore, log: Logger, onSaved: () => void): Intake => ({
	...intake,
	async take(lead, sending) {
		const result = await intake.take(lead, sending);
		try {
			if (result === 'accepted' && (await confirm(lead, store))) onSaved();
		} catch (err) {
			log.warn({ err }, 'A lead is not confirmed: the store cannot save that.');
		}
		return result;
	},
});

/** Saves a confirmation. Returns false if there is to be none. */
async function confirm(lead: Lead, store: LeadStore): Promise<boolean> {
	const confirmation = confirmationOf(lead);
	if (confirmation === undefined) return false;
	for (const once of confirmationClaims(store.secret, lead.email)) {
		const entry = { ...ownEntry(confirmation, ['confirmation'], once), kind: 'confirmation', email: lead.email, once } as const;
		const insertion = await store.insert(entry);
		// On a conflict another mailbox has this claim.
		if (insertion !== 'conflict') return insertion === 'inserted';
	}
	return false;
}
