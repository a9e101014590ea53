import { type KeyObject, randomUUID } from 'node:crypto';
import { copyIn, languageFor } from '../../facts/load.ts';
import { keyedHash } from '../keyed-hash.ts';
import type { Lead } from '../lead.ts';
import type { Once } from '../store/store.ts';
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
	const { subject, text } = copyIn(language).confirmation;
	return { id, receivedAt, language, subject, text, rows: [], to: address, event: { type: 'confirmation', data: {} } };
}

/**
 * Returns the mailbox behind an address, for counting: many mail services ignore dots, and everything behind a `+`.
 * If two mailboxes look like one, the second gets no confirmation: that is the only effect.
 */
export function mailboxOf(address: string): string {
	const [local, domain] = address.toLowerCase().split('@') as [string, string];
	return `${local.replace(/\+.*$/, '').replaceAll('.', '')}@${domain === 'googlemail.com' ? 'gmail.com' : domain}`;
}

/** In milliseconds. */
const DAY = 24 * 3600_000;
/** The most mailboxes of a domain that get a confirmation on one day: one person may receive the mail to all its addresses. */
const DOMAIN_LIMIT = 5;
/** Domains where strangers have mailboxes: only the single mailbox is limited there. */
const providers = new Set(
	`gmail.com outlook.com outlook.de outlook.fr outlook.es hotmail.com hotmail.de hotmail.fr hotmail.es hotmail.it hotmail.co.uk
	live.com live.de live.fr live.co.uk msn.com yahoo.com yahoo.de yahoo.fr yahoo.es yahoo.it yahoo.co.uk yahoo.com.br ymail.com aol.com
	icloud.com me.com mac.com gmx.de gmx.net gmx.at gmx.ch gmx.com web.de t-online.de freenet.de mail.com mail.de posteo.de mailbox.org
	proton.me protonmail.com fastmail.com zoho.com orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it virgilio.it telefonica.net
	bluewin.ch ziggo.nl kpnmail.nl btinternet.com comcast.net att.net verizon.net uol.com.br terra.com.br mail.ru yandex.ru qq.com 163.com`.split(
		/\s+/,
	),
);

/**
 * Returns the claims of an address, to be tried in turn. A confirmation needs one that no other mailbox has; a mailbox that has
 * one gets no more. Each day (UTC), a provider's mailbox has one claim, and any other domain has {@link DOMAIN_LIMIT}.
 */
export function confirmationClaims(secret: KeyObject, address: string): Once[] {
	const mailbox = mailboxOf(address);
	const domain = mailbox.slice(mailbox.indexOf('@') + 1);
	const [group, limit] = providers.has(domain) ? [mailbox, 1] : [domain, DOMAIN_LIMIT];
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
