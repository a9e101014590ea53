import type { KeyObject } from 'node:crypto';
import { personHash } from '../keyed-hash.ts';
import type { ApiKey, NewApiKey, ProvenApiKey } from './key-store.ts';
import { seal, type Sealed, unseal } from './seal.ts';

/** An API key as both databases give it. */
export interface KeyRow extends Sealed {
	id: string;
	hash: string;
	/** SQLite has numbers for Booleans. */
	test: boolean | number;
	made_at: number;
	ends_at: number;
	revoked: boolean | number;
	last_used: string | null;
	leads: number;
}

/** The part of a key that is sealed, as JSON: nothing is looked for by it. */
type Content = Pick<ApiKey, 'owner' | 'sender' | 'scopes' | 'limit' | 'life' | 'broken'>;

/** An API key as both databases keep it: its owner is sealed, as a lead is, and found by a keyed hash. */
export function newKeyRow(key: NewApiKey, secret: KeyObject) {
	const { id, hash, test, madeAt, endsAt, owner, sender, scopes, limit, life } = key;
	const content: Content = { owner, sender, scopes, limit, life };
	return { id, hash, person: personHash(secret, owner.email), ...seal(JSON.stringify(content)), test, madeAt, endsAt };
}

/** An API key from its row. */
export function keyFrom({ id, hash, leads, test, revoked, made_at, ends_at, last_used, ...sealed }: KeyRow): ProvenApiKey {
	const content = readContent(unseal(sealed));
	const flags = { test: Boolean(test), revoked: Boolean(revoked) };
	return { id, hash, ...content, ...flags, leads, madeAt: made_at, endsAt: ends_at, lastUsed: last_used };
}

/** One broken row must not keep the others from being read, nor a lead from being delivered that came with its key. */
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
	sender: '',
	scopes: [],
	limit: { limit: 0, window: 1 },
	life: 0,
};
