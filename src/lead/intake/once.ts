import type { KeyObject } from 'node:crypto';
import { comparable } from '../email-address.ts';
import { keyedHash } from '../keyed-hash.ts';
import type { Lead } from '../lead.ts';
import type { Once } from '../store/store.ts';
import type { Sending } from './intake.ts';

/** In milliseconds: how long an `Idempotency-Key` stands for its lead. */
const KEY_LIFETIME = 24 * 3600_000;
/** In milliseconds: how long the same lead, sent again without a key, is taken for a double click or a reload. */
const REPEAT_WINDOW = 10 * 60_000;

/**
 * What makes a lead happen only once: its `Idempotency-Key`, where there is one, or else its content. A key is the sender's own: two senders,
 * known by their API keys or else the email address, may choose the same one.
 */
export function onceFor(secret: KeyObject, lead: Lead, { idempotencyKey, sender }: Sending): Once {
	const fingerprint = keyedHash(secret, 'lead', JSON.stringify(lead));
	if (idempotencyKey === undefined) return { key: fingerprint, fingerprint, lifetime: REPEAT_WINDOW };
	return {
		key: keyedHash(secret, 'key', `${sender ?? comparable(lead.email)}\0${idempotencyKey}`),
		fingerprint,
		lifetime: KEY_LIFETIME,
	};
}

/** The same of a submission that filled the honeypot: sent again, it is kept once, and takes no more time than a lead does. */
export function onceQuarantined(secret: KeyObject, kept: Partial<Lead>): Once {
	const key = keyedHash(secret, 'quarantined', JSON.stringify(kept));
	return { key, fingerprint: key, lifetime: REPEAT_WINDOW };
}
