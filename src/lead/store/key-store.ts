import type { KeyObject } from 'node:crypto';
import type { RateLimitPolicy } from '../../values/rate-limit-policy.ts';
import { personHash } from '../keyed-hash.ts';
import { seal, type Sealed, unseal } from './seal.ts';

/** An API key as it is stored, without the key itself. */
export interface ApiKey {
	/** Its name in logs, mail and lists. It is made from the key, and reveals nothing of it. */
	id: string;
	/** The person who asked for it, and who gets mail about it. */
	owner: { name: string; email: string };
	scopes: string[];
	/** How many leads it may send in how much time. */
	limit: RateLimitPolicy;
	madeAt: number;
	/** It is refused from then on. */
	endsAt: number;
	/** It is refused at any time. */
	revoked: boolean;
	/** The day of its last use, in UTC, `YYYY-MM-DD`, or null if it was never used. */
	lastUsed: string | null;
	/** The number of leads taken with it. */
	leads: number;
	/** Its row cannot be read: it is refused, and owner, scopes and limit are placeholders. */
	broken?: true;
}

/** An API key with the hash that proves it. */
export interface ProvenApiKey extends ApiKey {
	/** Keyed hash of the whole key, base64url. */
	hash: string;
}

/** A new key, as it is saved. */
export type NewApiKey = Omit<ProvenApiKey, 'revoked' | 'lastUsed' | 'leads' | 'broken'>;

/**
 * Stores API keys, in the tables of the lead store. Times are in milliseconds since the epoch.
 * Every function rejects with a `StoreError` when the store cannot do its work.
 */
export interface KeyStore {
	insert(key: NewApiKey): Promise<void>;

	find(id: string): Promise<ProvenApiKey | undefined>;

	/** Returns all keys, newest first. They are issued by hand, so there are few. */
	list(): Promise<ApiKey[]>;

	/** Refuses the key from now on. */
	revoke(id: string, now: number): Promise<void>;

	/** Stores that the key was used on this day. */
	used(id: string, day: string): Promise<void>;
}

/** Returns whether a key works now. */
export const isActive = ({ revoked, broken, endsAt }: ApiKey): boolean => !revoked && !broken && endsAt > Date.now();

/** An API key as both databases return it. */
export interface KeyRow extends Sealed {
	id: string;
	hash: string;
	made_at: number;
	ends_at: number;
	/** SQLite stores Booleans as numbers. */
	revoked: boolean | number;
	last_used: string | null;
	leads: number;
}

/** The sealed part of a key, as JSON: no query needs it. */
type Content = Pick<ApiKey, 'owner' | 'scopes' | 'limit' | 'broken'>;

/** Returns an API key as both databases store it: the owner is sealed, as a lead is, and a keyed hash finds it. */
export function newKeyRow(key: NewApiKey, secret: KeyObject) {
	const { id, hash, madeAt, endsAt, owner, scopes, limit } = key;
	const content: Content = { owner, scopes, limit };
	return { id, hash, person: personHash(secret, owner.email), ...seal(JSON.stringify(content)), madeAt, endsAt };
}

export function keyFrom({ id, hash, leads, revoked, made_at, ends_at, last_used, ...sealed }: KeyRow): ProvenApiKey {
	const content = readContent(unseal(sealed));
	return { id, hash, ...content, revoked: Boolean(revoked), leads, madeAt: made_at, endsAt: ends_at, lastUsed: last_used };
}

/** A broken row must not keep other rows from being read, nor a lead sent with its key from being delivered. */
function readContent(text: string): Content {
	try {
		const content = JSON.parse(text) as Content | object;
		return 'owner' in content ? content : unreadable;
	} catch {
		return unreadable;
	}
}

const unreadable: Content = {
	broken: true,
	owner: { name: 'an unknown owner', email: 'unreadable' },
	scopes: [],
	limit: { limit: 0, window: 1 },
};
