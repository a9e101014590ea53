import type { ApiKey } from '../store/key-store.ts';

/** What a request may do by the key that it was sent with. The public test key is everybody's, and has no id, no limit and no sender of its own. */
export type Credential = Pick<ApiKey, 'scopes' | 'test'> & Partial<Pick<ApiKey, 'id' | 'sender' | 'limit'>>;

/** Knows the keys that work. */
export interface Keyring {
	/**
	 * What the key is good for; undefined where it does not work: mistyped, expired or revoked; `unknown` where it could be a key, and is none,
	 * as of somebody who tries them out; `unavailable` where the store fails, which is in the log.
	 */
	find(key: string): Promise<Credential | 'unknown' | 'unavailable' | undefined>;
}
