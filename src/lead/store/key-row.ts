import type { KeyObject } from 'node:crypto';
import { personHash } from '../keyed-hash.ts';
import type { ApiKey, NewApiKey, ProvenApiKey } from './key-store.ts';
import { seal, type Sealed, unseal } from './seal.ts';

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
