import type { ApiKey } from '../store/key-store.ts';

/** The rights of a request, from its key. The public test key belongs to everybody: it has no id, limit or sender of its own. */
export type Credential = Pick<ApiKey, 'scopes' | 'test'> & Partial<Pick<ApiKey, 'id' | 'sender' | 'limit'>>;

/** Knows the keys that work. */
export interface Keyring {
	/**
	 * Returns what the key allows. Returns undefined if it is mistyped, expired or revoked; `unknown` if it has the form of a key
	 * but none exists, as when somebody guesses keys; `unavailable` if the store fails, which is logged.
	 */
	find(key: string): Promise<Credential | 'unknown' | 'unavailable' | undefined>;
}
