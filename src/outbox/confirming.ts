import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import { contentOf, ownEntry } from '../channels/entry.ts';
import type { ReceivedLead } from '../channels/message.ts';
import { CONFIRMATION } from '../channels/smtp.ts';
import { languageFor } from '../facts/load.ts';
import { domainOf, keyedHash, mailboxOf, mailGroupOf } from '../lead/email-address.ts';
import type { ClaimedDelivery, LeadStore, Once } from '../store/store.ts';

/** The most confirmations to all visitors together, of the leads that came within an hour (in milliseconds). */
const [CAP, HOUR] = [100, 3600_000];

/**
 * Saves the confirmation of a lead that is about to be delivered, once, within the limits of {@link claimsOf} and {@link CAP}, as an entry
 * of its own: its result says nothing about the lead. Where the lead looks like spam, the address may be a stranger's: it gets none. Never
 * rejects. @returns false if there is to be none
 */
export async function saveConfirmation({ id, payload, spam }: ClaimedDelivery, store: LeadStore, log: Logger): Promise<boolean> {
	try {
		const { receivedAt, lead } = contentOf({ payload }) as ReceivedLead;
		if (!lead || (spam && spam.verdict !== 'clear')) return false;
		const { email, lang } = lead;
		const number = await store.countConfirmations(Date.now() - HOUR, CAP);
		if (unsafe.test(email) || number === CAP) return false;
		const confirmation = { receivedAt, address: email, language: languageFor(lang) };
		for (const once of await claimsOf(store.secret, email)) {
			const entry = { ...ownEntry('confirmation', confirmation, [CONFIRMATION], once), email, confirms: id };
			const insertion = await store.insert(entry);
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

/** Matches an address that relays have read as a route or a command, or that is a program's (RFC 3834 section 2, RFC 2142). */
export const unsafe =
	/[%!/|]|^(?:mailer-daemon|postmaster|hostmaster|abuse|bounces?|listserv|majordomo|(?:no|do-?not)[-_.]?reply|owner-.*|.*-(?:request|bounces?|owner))(?:\+.*)?@/i;

/**
 * Returns the claims of an address, to be tried in turn: a mailbox gets a confirmation for the first that no other has. Each day (UTC), a
 * provider's mailbox has one claim, and any other registrable domain five: one person may read its mail, and that of all names below it.
 */
async function claimsOf(secret: KeyObject, address: string): Promise<Once[]> {
	// Only here, because its list takes longer to load than a lead takes.
	const { getDomain } = await import('tldts');
	const mailbox = mailboxOf(address);
	const group = mailGroupOf(address) === mailbox ? mailbox : (getDomain(mailbox) ?? domainOf(mailbox));
	const fingerprint = keyedHash(secret, 'confirmation', mailbox);
	return Array.from({ length: group === mailbox ? 1 : 5 }, (_, turn) => {
		const key = keyedHash(secret, 'confirmation', `${new Date().toISOString().slice(0, 10)} ${turn} ${group}`);
		return { key, fingerprint, lifetime: 24 * 3600_000 };
	});
}
