import { createSecretKey } from 'node:crypto';
import { keyHash, keyId, newKey } from '../../../src/keys/key.ts';
import type { NewApiKey } from '../../../src/keys/key-store.ts';
import { HOUR } from './entries.ts';

/** An API key as it is kept, of a key that nobody has. */
export function newApiKey({
	name = 'Eve',
	email = 'eve@agents.example',
	...given
}: Partial<NewApiKey & NewApiKey['owner']> = {}): NewApiKey {
	const hash = keyHash(createSecretKey(Buffer.alloc(32, 1)), newKey({ test: false }));
	const id = keyId(hash);
	return {
		id,
		sender: id,
		hash,
		owner: { name, email },
		scopes: ['contact:write'],
		limit: { limit: 200, window: 600 },
		test: false,
		life: 3600_000,
		madeAt: Date.now(),
		endsAt: Date.now() + HOUR,
		...given,
	};
}
