import { crc32 } from 'node:zlib';

/** The digits of base62, in their order. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** In characters. 30 of base62 are 178 bits: nobody guesses them, so no slow hash is needed. */
export const RANDOM = 30;
/** In characters: CRC-32 in base62. */
const CHECKSUM = 6;

/** What the API keys of a service look like, as it is published. */
export interface KeyForm {
	/** What a key begins with. */
	prefixes: { live: string; test: string };
	/** What scanners for secrets find one by: the source of a regular expression. */
	pattern: string;
	/** The key that is published for trying out the API: everybody may send it, and nothing that is sent with it goes anywhere. */
	publicTestKey: string;
}

/** A hyphen would end a word: a double click is to select all of a key. */
export function keyFormOf(identifier: string): KeyForm {
	const name = identifier.replaceAll('-', '_');
	const prefixes = { live: `${name}_`, test: `${name}_test_` };
	return {
		prefixes,
		pattern: `${name}_(?:test_)?[0-9A-Za-z]{${RANDOM + CHECKSUM}}`,
		publicTestKey: withChecksum(prefixes.test + '0'.repeat(RANDOM)),
	};
}

/** A key, of all of it but the checksum. */
export function withChecksum(text: string): string {
	let rest = crc32(text);
	let digits = '';
	while (digits.length < CHECKSUM) {
		digits = BASE62[rest % BASE62.length]! + digits;
		rest = Math.floor(rest / BASE62.length);
	}
	return text + digits;
}

/** Whether its checksum is right: if not, it was mistyped or cut. */
export const isWhole = (key: string): boolean => withChecksum(key.slice(0, -CHECKSUM)) === key;
