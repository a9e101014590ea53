import { type KeyObject, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { keyedHash } from '../lead/keyed-hash.ts';
import { service } from '../service/load.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** In characters. 30 of base62 are 178 bits: nobody guesses them, so no slow hash is needed. */
const RANDOM = 30;
/** In characters: CRC-32 in base62. */
const CHECKSUM = 6;

const prefixes = { live: `${service.identifier}_`, test: `${service.identifier}_test_` };

/** What scanners for secrets find a key by, as the source of a regular expression. */
export const keyPattern = `${service.identifier}_(?:test_)?[0-9A-Za-z]{${RANDOM + CHECKSUM}}`;

const WHOLE = new RegExp(`^${keyPattern}$`);

/**
 * A new API key: whose service it is for, whether it is for tests, 30 random characters, and their CRC-32, in base62. Nothing in it ends
 * a word, so a double click selects all of it.
 */
export function newKey({ test }: { test: boolean }): string {
	return withChecksum(prefixes[test ? 'test' : 'live'] + Array.from({ length: RANDOM }, randomCharacter).join(''));
}

/** The key that is published for trying out the API: everybody may send it, and nothing that is sent with it goes anywhere. */
export const publicTestKey = withChecksum(prefixes.test + '0'.repeat(RANDOM));

/** Whether a text has the form of a key, and no typing error: if not, nothing needs to be looked up. */
export const isKey = (text: string): boolean => WHOLE.test(text) && withChecksum(text.slice(0, -CHECKSUM)) === text;

/** All that is kept of a key: nothing can be read from it, and nobody can make it without the store's secret. */
export const keyHash = (secret: KeyObject, key: string): string => keyedHash(secret, 'api key', key);

/** What a key is called where people and logs read of it: 12 hexadecimal digits, the beginning of its hash. */
export const keyId = (hash: string): string => Buffer.from(hash, 'base64url').toString('hex', 0, 6);

const randomCharacter = () => BASE62[randomInt(BASE62.length)]!;

function withChecksum(text: string): string {
	let rest = crc32(text);
	let digits = '';
	while (digits.length < CHECKSUM) {
		digits = BASE62[rest % BASE62.length]! + digits;
		rest = Math.floor(rest / BASE62.length);
	}
	return text + digits;
}
