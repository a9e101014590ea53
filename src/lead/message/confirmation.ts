import { type KeyObject, randomUUID } from 'node:crypto';
import { copyIn, languageFor } from '../../facts/load.ts';
import { keyedHash } from '../keyed-hash.ts';
import type { Lead } from '../lead.ts';
import type { Once } from '../store/store.ts';
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
	return `${local.replace(/\+.*$/, '').replaceAll('.', '')}@${domain === 'googlemail.com' ? 'gmail.com' : domain}`;
}

/** In milliseconds. */
const DAY = 24 * 3600_000;
/** How many mailboxes of a domain get a confirmation in a day. A domain may take mail for every address, and all of it be one person's. */
const DOMAIN_LIMIT = 5;
/** Where strangers have their mailboxes, as many as there are in a day: only each mailbox counts. */
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
 * The claims of which a confirmation needs one, in turn: another mailbox has the claim, or this one has, and is confirmed to no more. A
 * mailbox has one for each day (UTC), and so have the first {@link DOMAIN_LIMIT} mailboxes of a domain that is no provider's.
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
 * Without `%`, `!`, `/` and `|`, which relays have taken for a route or a command, and not one that belongs to a program (RFC 3834
 * section 2, RFC 2142).
 */
const isSafelyMailable = (address: string) => !ofRelay.test(address) && !ofProgram.test(address);

const ofRelay = /[%!/|]/;
const ofProgram =
	/^(?:mailer-daemon|postmaster|hostmaster|abuse|bounces?|listserv|majordomo|(?:no|do-?not)[-_.]?reply|owner-.*|.*-(?:request|bounces?|owner))(?:\+.*)?@/i;
