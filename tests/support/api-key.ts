import { keyHash, keyId, newKey } from '../../src/keys/key.ts';
import type { NewApiKey } from '../../src/keys/key-store.ts';
import type { LeadStore } from '../../src/lead/store/store.ts';

/** A key that works, and its id. */
export interface IssuedKey {
	key: string;
	id: string;
}

/** Issues a key in a store. */
export async function issueKey(store: LeadStore, given: Partial<NewApiKey> = {}): Promise<IssuedKey> {
	const key = newKey({ test: given.test ?? false });
	const hash = keyHash(store.secret, key);
	const id = keyId(hash);
	await store.keys.insert({
		id,
		hash,
		owner: { name: 'Acme Agents', email: 'eve@agents.example' },
		sender: id,
		scopes: ['contact:write', 'status:read'],
		limit: { limit: 200, window: 600 },
		test: false,
		life: 3600_000,
		madeAt: Date.now(),
		endsAt: Date.now() + 3600_000,
		...given,
	});
	return { key, id };
}
