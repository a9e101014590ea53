import { createHmac, type KeyObject } from 'node:crypto';

/**
 * Nothing can be read from it, and without the secret nothing can be guessed. `use` keeps hashes for different uses apart.
 *
 * @param secret no buffer, of which the same hash takes six times as long
 */
export function keyedHash(secret: KeyObject, use: string, text: string): string {
	return createHmac('sha256', secret).update(`${use}\0${text}`).digest('base64url');
}
