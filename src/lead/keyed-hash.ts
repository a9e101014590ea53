import { createHmac, type KeyObject } from 'node:crypto';
import { normalizeAddress } from './email-address.ts';

/**
 * Reveals nothing of the text, and nobody can guess it without the secret. `use` separates hashes for different purposes.
 *
 * @param secret a key object: with a buffer the same hash takes six times as long
 */
export function keyedHash(secret: KeyObject, use: string, text: string): string {
	return createHmac('sha256', secret).update(`${use}\0${text}`).digest('base64url');
}

/**
 * Identifies a person in the index by a hash.
 *
 * @param email in any case, its domain in any form
 */
export const personHash = (secret: KeyObject, email: string): string => keyedHash(secret, 'person', normalizeAddress(email));

/** Identifies a lead's source in the index by a hash, because a visitor may have written anything there. */
export const sourceHash = (secret: KeyObject, source: string): string => keyedHash(secret, 'source', source);
