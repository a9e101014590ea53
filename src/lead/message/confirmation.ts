import { type KeyObject, randomUUID } from 'node:crypto';
import { countText } from '../../facts/language.ts';
import { copyIn, languageFor, service } from '../../facts/load.ts';
import { keyedHash } from '../keyed-hash.ts';
import type { Lead } from '../lead.ts';
import type { Once } from '../store/store.ts';
import { mailboxOf, mailGroupOf } from '../mail-provider.ts';
import type { Message } from './message.ts';

/** Tells a visitor that their message came in. It holds nothing that they wrote, except for the address and the language. */
export interface Confirmation {
	/** UUID; not the lead's. */
	id: string;
	/** ISO 8601, UTC. */
	receivedAt: string;
	address: string;
	/** One of the published languages. */
	language: string;
}

/** Returns the confirmation of a new lead, or undefined if no program should write to its address. */
export function confirmationOf({ email, lang }: Lead): Confirmation | undefined {
	if (!isSafelyMailable(email)) return undefined;
	return { id: randomUUID(), receivedAt: new Date().toISOString(), address: email, language: languageFor(lang) };
}

/** Returns the confirmation as the visitor reads it. */
export function confirmationMessage({ id, receivedAt, address, language }: Confirmation): Message {
	const { subject } = copyIn(language).confirmation;
	return {
		id,
		receivedAt,
		language,
		subject,
		text: textIn(language),
		rows: [],
		to: address,
		event: { type: 'confirmation', data: {} },
	};
}

/** Returns the text, with what the facts say: how fast the answer comes, where to book a time, and who writes. */
function textIn(language: string): string {
	const { confirmation, next } = copyIn(language);
	const { answerWorkingDays: days, bookingUrl: url, legalName, company, address, register } = service;
	const said: Record<string, string> = {
		answer: days ? countText(next.answer, days, language) : '',
		booking: url ? confirmation.booking.replace('{url}', () => url) : '',
	};
	const text = confirmation.text.replace(/\{(answer|booking)\}/g, (_, name: string) => said[name]!);
	const imprint = [legalName ?? company, address, register].filter(Boolean).join('\n');
	return `${text}\n\n${imprint}`.replace(/ *\n{2,}/g, '\n\n');
}

/** In milliseconds. */
const DAY = 24 * 3600_000;
/** The most mailboxes of a domain that get a confirmation on one day: one person may receive the mail to all its addresses. */
const DOMAIN_LIMIT = 5;
/**
 * Returns the claims of an address, to be tried in turn. A confirmation needs one that no other mailbox has; a mailbox that has
 * one gets no more. Each day (UTC), a provider's mailbox has one claim, and any other domain has {@link DOMAIN_LIMIT}.
 */
export function confirmationClaims(secret: KeyObject, address: string): Once[] {
	const mailbox = mailboxOf(address);
	const group = mailGroupOf(address);
	const limit = group === mailbox ? 1 : DOMAIN_LIMIT;
	const today = new Date().toISOString().slice(0, 10);
	const fingerprint = keyedHash(secret, 'confirmation', mailbox);
	return Array.from({ length: limit }, (_, turn) => {
		const key = keyedHash(secret, 'confirmation', `${today} ${turn} ${group}`);
		return { key, fingerprint, lifetime: DAY };
	});
}

/**
 * An address with `%`, `!`, `/` or `|` is not safe, because relays have read it as a route or a command. Nor is a program's
 * address (RFC 3834 section 2, RFC 2142).
 */
const isSafelyMailable = (address: string) => !ofRelay.test(address) && !ofProgram.test(address);

const ofRelay = /[%!/|]/;
const ofProgram =
	/^(?:mailer-daemon|postmaster|hostmaster|abuse|bounces?|listserv|majordomo|(?:no|do-?not)[-_.]?reply|owner-.*|.*-(?:request|bounces?|owner))(?:\+.*)?@/i;
