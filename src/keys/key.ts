import { type KeyObject, randomInt } from 'node:crypto';
import { keyedHash } from '../lead/keyed-hash.ts';
import { BASE62, isWhole, keyFormOf, RANDOM, withChecksum } from '../facts/key-form.ts';
import { service } from '../facts/load.ts';

const { prefixes, pattern, publicTestKey } = keyFormOf(service.identifier);
const wholePattern = new RegExp(`^${pattern}$`);

export { publicTestKey };

/** A new API key: whose service it is for, whether it is for tests, random characters, and their checksum. */
export const newKey = ({ test }: { test: boolean }): string =>
	withChecksum(prefixes[test ? 'test' : 'live'] + Array.from({ length: RANDOM }, randomCharacter).join(''));

/** Whether a text has the form of a key, and no typing error: if not, nothing needs to be looked up. */
export const isKey = (text: string): boolean => wholePattern.test(text) && isWhole(text);

/** All that is kept of a key: nothing can be read from it, and nobody can make it without the store's secret. */
export const keyHash = (secret: KeyObject, key: string): string => keyedHash(secret, 'api key', key);

/** What a key is called where people and logs read of it: 12 hexadecimal digits, the beginning of its hash. */
export const keyId = (hash: string): string => Buffer.from(hash, 'base64url').toString('hex', 0, 6);

const randomCharacter = () => BASE62[randomInt(BASE62.length)]!;
