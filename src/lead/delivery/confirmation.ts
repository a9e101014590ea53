import { randomUUID } from 'node:crypto';
import { copyIn, languageFor } from '../../service/load.ts';
import type { Lead } from '../lead.ts';
import type { Message } from './message.ts';

/** Tells a visitor that their message came in. Of their words it holds none: only where to, and in which language. */
export interface Confirmation {
	/** UUID; not the lead's. */
	id: string;
	/** ISO 8601, UTC. */
	receivedAt: string;
	address: string;
	/** One of the languages that there are. */
	language: string;
}

/** The confirmation of a lead that comes in now; undefined where its address is none that a program should write to. */
export function confirmationOf({ email, lang }: Lead): Confirmation | undefined {
	if (!isSafelyMailable(email)) return undefined;
	return { id: randomUUID(), receivedAt: new Date().toISOString(), address: email, language: languageFor(lang) };
}

/** The confirmation as the visitor reads it. */
export function confirmationMessage({ id, receivedAt, address, language }: Confirmation): Message {
	const { subject, text } = copyIn(language).confirmation;
	return { id, receivedAt, language, subject, text, rows: [], to: address, event: { type: 'confirmation', data: {} } };
}

/**
 * The mailbox behind an address, for counting: many mail services drop dots, and what follows a `+`.
 * Where two mailboxes look like one, the second gets no confirmation, and that is all.
 */
export function mailboxOf(address: string): string {
	const [local, domain] = address.toLowerCase().split('@') as [string, string];
	return `${local.replace(/\+.*$/, '').replaceAll('.', '')}@${domain}`;
}

/**
 * Without `%`, `!`, `/` and `|`, which relays have taken for a route or a command, and not one that belongs to a program (RFC 3834
 * section 2, RFC 2142).
 */
const isSafelyMailable = (address: string) => !ofRelay.test(address) && !ofProgram.test(address);

const ofRelay = /[%!/|]/;
const ofProgram =
	/^(?:mailer-daemon|postmaster|hostmaster|abuse|bounces?|listserv|majordomo|(?:no|do-?not)[-_.]?reply|owner-.*|.*-(?:request|bounces?|owner))(?:\+.*)?@/i;
