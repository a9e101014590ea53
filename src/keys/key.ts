import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
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
 * A new API key: who it is of, whether it is for tests, 30 random characters, and their CRC-32, in base62. Nothing in it ends a word, so a
 * double click selects all of it.
 */
export function newKey({ test }: { test: boolean }): string {
	const random = randomText(RANDOM);
	const start = prefixes[test ? 'test' : 'live'] + random;
	return start + checksum(start);
}

/** Whether a text has the form of a key, and no typing error: nothing else needs to be looked up. */
export function isKey(text: string): boolean {
	return WHOLE.test(text) && text.endsWith(checksum(text.slice(0, -CHECKSUM)));
}

/** Text of random characters of base62. */
export const randomText = (length: number): string => Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('');

function checksum(text: string): string {
	let rest = crc32(text);
	let digits = '';
	while (digits.length < CHECKSUM) {
		digits = BASE62[rest % BASE62.length]! + digits;
		rest = Math.floor(rest / BASE62.length);
	}
	return digits;
}
