import type { KeyObject } from 'node:crypto';
import { countText, fillWords } from '../facts/language.ts';
import { copyIn, languageFor, service } from '../facts/load.ts';
import { domainOf, keyedHash, mailboxOf, mailGroupOf } from '../lead/email-address.ts';
import type { Once } from '../store/store.ts';
import type { Message, ReceivedLead } from './message.ts';

/** Tells a visitor that their message came in. It holds nothing that they wrote, except for the address and the language. */
export interface Confirmation {
	/** UUID; not the lead's. */
	id: string;
	/** When the lead was received: ISO 8601, UTC. */
	receivedAt: string;
	address: string;
	language: string;
}

/** Returns the confirmation of a lead, or undefined if no program should write to its address. */
export const confirmationOf = ({ receivedAt, lead: { email, lang } }: ReceivedLead): Omit<Confirmation, 'id'> | undefined =>
	unsafe.test(email) ? undefined : { receivedAt, address: email, language: languageFor(lang) };

/** Returns the confirmation as the visitor reads it. */
export const confirmationMessage = ({ id, receivedAt, address, language }: Confirmation): Message => ({
	id,
	receivedAt,
	language,
	subject: copyIn(language).confirmation.subject,
	text: textIn(language),
	rows: [],
	to: address,
	event: { type: 'confirmation', data: {} },
});

/** Says how fast the answer comes, where to book a time, and who writes, as far as the facts have it. */
function textIn(language: string): string {
	const { confirmation, next } = copyIn(language);
	const { answerWorkingDays: days, bookingUrl: url, legalName, company, address, register } = service;
	const text = fillWords(confirmation.text, {
		answer: days ? countText(next.answer, days, language) : '',
		booking: url ? fillWords(confirmation.booking, { url }) : '',
	});
	const imprint = [legalName ?? company, address, register].filter(Boolean).join('\n');
	return `${text}\n\n${imprint}`.replace(/ *\n{2,}/g, '\n\n');
}

/**
 * Returns the claims of an address, to be tried in turn. A confirmation needs one that no other mailbox has; a mailbox that has
 * one gets no more. Each day (UTC), a provider's mailbox has one claim, and any other registrable domain five: one person may
 * read its mail, and that of all names below it.
 */
export async function confirmationClaims(secret: KeyObject, address: string): Promise<Once[]> {
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

/** Matches an address that relays have read as a route or a command, or that is a program's (RFC 3834 section 2, RFC 2142). */
const unsafe =
	/[%!/|]|^(?:mailer-daemon|postmaster|hostmaster|abuse|bounces?|listserv|majordomo|(?:no|do-?not)[-_.]?reply|owner-.*|.*-(?:request|bounces?|owner))(?:\+.*)?@/i;
