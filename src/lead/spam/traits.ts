import type { KeyObject } from 'node:crypto';
import { keyedHash } from '../keyed-hash.ts';
import { mailGroupOf } from '../mail-provider.ts';
import type { Fields } from './signal.ts';
import { isShared, webAddressesIn } from './web-address.ts';

/** In letters: shorter messages are not compared, because people write the same by chance. */
const SHORTEST = 60;
/** The most links of a lead that are remembered, or looked up. */
const LINKS = 10;

/** Returns the letters of a message, without what robots vary: case, digits, signs, links and the greeting. */
const lettersOf = ({ message = '' }: Fields) =>
	message
		.slice(0, 5000)
		// They are no letters, and `normalize` takes quadratic time over many in a row.
		.replace(/\p{M}+/gu, '')
		.normalize('NFKC')
		// One letter may have become eighteen.
		.slice(0, 5000)
		.toLowerCase()
		.replace(/(?:https?:\/\/|(?<![a-z\d-])[a-z\d-]{1,63}\.[a-z]{2,9}\/)\S*/g, ' ')
		.replace(/^[^\n,.!:;]{0,40}[\n,!:;]/, '')
		.replace(/[^\p{L}]+/gu, '');

/** Returns a keyed hash of a message, which variants of it share; undefined if the message is short. */
export function fingerprintOf(secret: KeyObject, lead: Fields): string | undefined {
	const letters = lettersOf(lead);
	return letters.length < SHORTEST ? undefined : keyedHash(secret, 'message', letters);
}

/**
 * Returns what a lead is known by beside its message: the hosts of its links, and its sender's domain or, at a mail provider, mailbox.
 *
 * @param ours hosts that whoever writes to us may name
 */
export function marksOf({ name, clinic, message, email = '' }: Fields, ours: string[]): string[] {
	const hosts = [name, clinic, message].flatMap((text = '') => webAddressesIn(text)).map(({ host }) => host);
	const sender = email.includes('@') ? [mailGroupOf(email)] : [];
	const marks = [...new Set([...sender, ...hosts.filter((host) => !isShared(host))])].slice(0, LINKS);
	return marks.filter((mark) => !ours.some((own) => `.${mark}`.endsWith(`.${own}`)));
}

/** Returns the traits of a lead: keyed hashes of its message and its {@link marksOf}. Leads that resemble it share one. */
export const traitsOf = (secret: KeyObject, lead: Fields, ours: string[]): string[] => [
	...[fingerprintOf(secret, lead)].filter((hash) => hash !== undefined),
	...marksOf(lead, ours).map((mark) => keyedHash(secret, 'mark', mark)),
];
