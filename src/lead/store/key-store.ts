import type { RateLimitPolicy } from '../../values/rate-limit-policy.ts';

/** An API key as it is kept: never the key itself. */
export interface ApiKey {
	/** What it is called in logs, mail and lists. It is made from the key, and nothing of the key can be read from it. */
	id: string;
	/** Who asked for it, and who is written to about it. */
	owner: { name: string; email: string };
	/** Who sends with it: its own id or, where it came in the place of others, that of the first. `Idempotency-Key`s are the sender's. */
	sender: string;
	scopes: string[];
	/** How many leads may be sent with it in how much time. */
	limit: RateLimitPolicy;
	/** What is sent with it is checked and answered, and neither kept nor delivered. */
	test: boolean;
	/** For how long it was made, in milliseconds: it may have been ended earlier. */
	life: number;
	madeAt: number;
	/** From then on it is refused. */
	endsAt: number;
	/** It is refused whatever the clock says. */
	revoked: boolean;
	/** The day of its last use, in UTC, `YYYY-MM-DD`; null: it was never used. */
	lastUsed: string | null;
	/** How many leads were taken with it. */
	leads: number;
	/** What is kept of it cannot be read: it is refused, and owner, scopes and limit only stand for those it had. */
	broken?: true;
}

/** With what proves it. */
export interface ProvenApiKey extends ApiKey {
	/** Keyed hash of the whole key, base64url. */
	hash: string;
}

/** What is saved of a new one. */
export type NewApiKey = Omit<ProvenApiKey, 'revoked' | 'lastUsed' | 'leads' | 'broken'>;

/** What comes in the place of a key. */
interface Replacement {
	key: NewApiKey;
	/** When the old key ends. */
	endsAt: number;
	/** Whether the old key is refused from now on. */
	revoked: boolean;
}

/**
 * Where API keys are kept: in the tables of the lead store. Times are in milliseconds since the epoch.
 * Every function rejects with a `StoreError` when the store cannot do its work.
 */
export interface KeyStore {
	insert(key: NewApiKey): Promise<void>;

	find(id: string): Promise<ProvenApiKey | undefined>;

	/** All of them, newest first. They are issued by hand, so they are few. */
	list(): Promise<ApiKey[]>;

	/**
	 * Puts another in the place of one that was read, which ends then: both or neither.
	 *
	 * @returns false where its end has changed since it was read
	 */
	replace(old: Pick<ApiKey, 'id' | 'endsAt'>, by: Replacement): Promise<boolean>;

	/** Refuses it from now on. */
	revoke(id: string, now: number): Promise<void>;

	/** Notes that it was used on this day. */
	used(id: string, day: string): Promise<void>;
}

/** Whether a key works now. */
export const works = ({ revoked, broken, endsAt }: ApiKey): boolean => !revoked && !broken && endsAt > Date.now();
