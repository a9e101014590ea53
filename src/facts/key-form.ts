import { crc32 } from 'node:zlib';

/** The digits of base62, in their order. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** In characters. 30 of base62 are 178 bits: nobody guesses them, so no slow hash is needed. */
export const RANDOM = 30;
/** In characters: CRC-32 in base62. */
const CHECKSUM = 6;

/** The published form of a service's API keys. */
export interface KeyForm {
	prefix: string;
	/** The source of a regular expression by which secret scanners find a key. */
	pattern: string;
	/** The published key for trials: everybody may send it, and the service delivers nothing that comes with it. */
	publicTestKey: string;
}

/** Uses underscores: a hyphen would end a word, and a double click should select the whole key. */
export function keyFormOf(identifier: string): KeyForm {
	const prefix = `${identifier.replaceAll('-', '_')}_`;
	return {
		prefix,
		pattern: `${prefix}(?:test_)?[0-9A-Za-z]{${RANDOM + CHECKSUM}}`,
		publicTestKey: withChecksum(`${prefix}test_${'0'.repeat(RANDOM)}`),
	};
}

/** Completes a key with its checksum. */
export function withChecksum(text: string): string {
	let rest = crc32(text);
	let digits = '';
	while (digits.length < CHECKSUM) {
		digits = BASE62[rest % BASE62.length]! + digits;
		rest = Math.floor(rest / BASE62.length);
	}
	return text + digits;
}

/** Returns whether the checksum is right: if not, the key was mistyped or cut. */
export const isWhole = (key: string): boolean => withChecksum(key.slice(0, -CHECKSUM)) === key;
