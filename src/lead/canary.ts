import type { KeyObject } from 'node:crypto';
import { isSigned, keyedHash } from './email-address.ts';
import type { Lead } from './lead.ts';

/**
 * Returns the message of a canary: a lead that the operator sends to see that leads arrive. It shows nothing of the secret.
 *
 * @param secret of the server and the operator: `CANARY_SECRET`
 * @param id visible ASCII, another one for each canary
 */
export const canaryMessage = (id: string, secret: KeyObject): string =>
	`The operator’s canary. Does the sales team read it? Then the server has another CANARY_SECRET than the doctor.\n` +
	`${id} ${keyedHash(secret, 'canary', id)}`;

/** Returns whether somebody with the secret has made this lead as a canary. */
export function isCanary({ message = '' }: Pick<Lead, 'message'>, secret: KeyObject): boolean {
	const [, id, sign] = /\n(\S+) (\S+)$/.exec(message) ?? [];
	return id !== undefined && isSigned(sign!, secret, 'canary', id);
}
