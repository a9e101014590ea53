import { createHmac, type KeyObject } from 'node:crypto';
import { comparable } from './email-address.ts';

/**
 * Nothing can be read from it, and without the secret nothing can be guessed. `use` keeps hashes for different uses apart.
 *
 * @param secret no buffer, of which the same hash takes six times as long
 */
export function keyedHash(secret: KeyObject, use: string, text: string): string {
	return createHmac('sha256', secret).update(`${use}\0${text}`).digest('base64url');
}

/**
 * Names a person in the index, by a hash from which nothing can be read.
 *
 * @param email in any case, its domain in any form
 */
export const personHash = (secret: KeyObject, email: string): string => keyedHash(secret, 'person', comparable(email));

/** Names in the index where a lead comes from, in the same way: a visitor may have written anything there. */
export const sourceHash = (secret: KeyObject, source: string): string => keyedHash(secret, 'source', source);

/** Names the network that a lead in quarantine came from, in the same way. */
export const networkHash = (secret: KeyObject, network: string): string => keyedHash(secret, 'network', network);
