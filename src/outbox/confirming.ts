import type { KeyObject } from 'node:crypto';
import { ownEntry } from '../channels/entry.ts';
import type { ReceivedLead } from '../channels/message.ts';
import { CONFIRMATION } from '../channels/smtp.ts';
import { languageFor } from '../facts/load.ts';
import { domainOf, keyedHash, mailboxOf, mailGroupOf } from '../lead/email-address.ts';
import type { NewEntry, Once } from '../store/store.ts';

/** Returns the confirmations that a lead may get, one of them, within the limits of {@link marksOf}. */
export async function confirmationsOf({ id, receivedAt, lead }: ReceivedLead, secret: KeyObject): Promise<NewEntry[]> {
	const { email, lang } = lead;
	const confirmation = { receivedAt, address: email, language: languageFor(lang), about: id };
	const marks = neverConfirmed.test(email) ? [] : await marksOf(secret, email);
	return marks.map((once) => ownEntry('confirmation', confirmation, [CONFIRMATION], once));
}

/** Matches an address that relays have decoded, or read as a route or a command, or that is a program's (RFC 3834 section 2, RFC 2142). */
export const neverConfirmed =
	/[%!/|]|=\?|^(?:mailer-daemon|postmaster|hostmaster|abuse|bounces?|listserv|majordomo|(?:no|do-?not)[-_.]?reply|owner-.*|.*-(?:request|bounces?|owner))(?:\+.*)?@/i;

/**
 * Returns the marks of an address, to be tried in turn: a mailbox gets a confirmation for the first that no other has. Each day (UTC), a
 * provider's mailbox has one mark, and any other registrable domain five: one person may read its mail, and that of all names below it.
 */
async function marksOf(secret: KeyObject, address: string): Promise<Once[]> {
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
