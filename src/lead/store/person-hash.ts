import { keyedHash } from '../intake/once.ts';

/** Names a person in the index by their address in its comparable form: nothing can be read from it. */
export const personHash = (secret: Uint8Array, comparableEmail: string): string =>
	keyedHash(Buffer.from(secret), 'person', comparableEmail);
