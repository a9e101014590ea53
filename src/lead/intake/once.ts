import type { KeyObject } from 'node:crypto';
import { normalizeAddress } from '../email-address.ts';
import { keyedHash } from '../keyed-hash.ts';
import type { Lead } from '../lead.ts';
import type { Once } from '../store/store.ts';
import type { Sending } from './intake.ts';

/** In milliseconds: how long an `Idempotency-Key` belongs to its lead. */
const KEY_LIFETIME = 24 * 3600_000;
/** In milliseconds: how long a second copy of a lead without a key counts as a double click or a reload. */
const REPEAT_WINDOW = 10 * 60_000;

/**
 * Returns the mark that keeps a lead from being taken twice: its `Idempotency-Key`, or else its content. Each sender has keys of
 * its own: two senders, told apart by their API keys or else by email address, may choose the same one.
 */
export function onceFor(secret: KeyObject, lead: Lead, { idempotencyKey, apiKey }: Sending): Once {
	const fingerprint = keyedHash(secret, 'lead', JSON.stringify(lead));
	if (idempotencyKey === undefined) return { key: fingerprint, fingerprint, lifetime: REPEAT_WINDOW };
	return {
		key: keyedHash(secret, 'key', `${apiKey ?? normalizeAddress(lead.email)}\0${idempotencyKey}`),
		fingerprint,
		lifetime: KEY_LIFETIME,
	};
}

/** Returns the mark of a honeypot hit: a second copy is not kept, and a hit takes no more time than a lead does. */
export function onceQuarantined(secret: KeyObject, kept: Partial<Lead>): Once {
	const key = keyedHash(secret, 'quarantined', JSON.stringify(kept));
	return { key, fingerprint: key, lifetime: REPEAT_WINDOW };
}

/**
 * The published form of `Idempotency-Key`: 1 to 255 characters in quotes (draft-ietf-httpapi-idempotency-key-header-07, section
 * 2: a String of RFC 9651, section 3.3.3) or, as many clients send it, visible ASCII without quotes.
 */
export const idempotencyKeyForm = /^(?:[!#-~]{1,255}|"(?:[ !#-[\]-~]|\\["\\]){1,255}")$/;

/** Returns the key in the header's value, without its quotes. Returns undefined if the value is malformed. */
export function idempotencyKeyFrom(value: string): string | undefined {
	if (!idempotencyKeyForm.test(value)) return undefined;
	return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}
