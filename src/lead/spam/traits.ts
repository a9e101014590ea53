import type { KeyObject } from 'node:crypto';
import { keyedHash } from '../keyed-hash.ts';
import type { Fields } from './signal.ts';
import { ownerOf, webAddressesIn } from './web-address.ts';

/** In letters: many people write the same short message. */
const SHORTEST = 60;
/** The most links of a lead that are remembered, or looked up. */
const LINKS = 10;

/** Returns what a message says, without what robots vary: case, digits, signs, links and the greeting. */
const essenceOf = (message: string) =>
	message
		.normalize('NFKC')
		.toLowerCase()
		.replace(/\S+:\/\/\S+/g, ' ')
		.replace(/^[^\n,.!:;]{0,40}[\n,!:;]/, '')
		.replace(/[^\p{L}]/gu, '');

/** Returns a keyed hash of what a message says, or undefined if it is short: two people may write the same by chance. */
export function fingerprintOf(secret: KeyObject, { message = '' }: Fields): string | undefined {
	const essence = essenceOf(message);
	return essence.length < SHORTEST ? undefined : keyedHash(secret, 'message', essence);
}

/** Returns keyed hashes of what other leads may share with this one: the message, and whose links it has. */
export function traitsOf(secret: KeyObject, lead: Fields): string[] {
	const message = fingerprintOf(secret, lead);
	const links = [lead.name, lead.clinic, lead.message].flatMap((text = '') => webAddressesIn(text));
	const owners = [...new Set(links.map(ownerOf))].slice(0, LINKS).map((owner) => keyedHash(secret, 'link', owner));
	return message === undefined ? owners : [message, ...owners];
}
