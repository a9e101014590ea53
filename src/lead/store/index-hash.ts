import type { KeyObject } from 'node:crypto';
import { keyedHash } from '../keyed-hash.ts';

/** Names a person in the index by their address in its comparable form: nothing can be read from it. */
export const personHash = (secret: KeyObject, comparableEmail: string): string => keyedHash(secret, 'person', comparableEmail);

/** Names in the index where a lead comes from, in the same way: a visitor may have written anything there. */
export const sourceHash = (secret: KeyObject, source: string): string => keyedHash(secret, 'source', source);
