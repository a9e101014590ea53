import { type KeyObject, randomInt } from 'node:crypto';
import { keyedHash } from '../lead/keyed-hash.ts';
import { BASE62, isWhole, keyFormOf, RANDOM, withChecksum } from '../facts/key-form.ts';
import { service } from '../facts/load.ts';

const { prefix, pattern, publicTestKey } = keyFormOf(service.identifier);
const wholePattern = new RegExp(`^${pattern}$`);

export { publicTestKey };

/** Returns a new API key: a prefix for the service, random characters, and their checksum. */
export const newKey = (): string => withChecksum(prefix + Array.from({ length: RANDOM }, randomCharacter).join(''));

/** Returns whether a text has the form of a key and a right checksum. If not, there is no need to look it up. */
export const isKey = (text: string): boolean => wholePattern.test(text) && isWhole(text);

/** Returns the hash that is stored of a key: it reveals nothing, and nobody can make it without the store's secret. */
export const keyHash = (secret: KeyObject, key: string): string => keyedHash(secret, 'api key', key);

/** Returns the name of a key for people and logs: 12 hexadecimal digits, the beginning of its hash. */
export const keyId = (hash: string): string => Buffer.from(hash, 'base64url').toString('hex', 0, 6);

const randomCharacter = () => BASE62[randomInt(BASE62.length)]!;
