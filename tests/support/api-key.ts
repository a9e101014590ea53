import { createSecretKey, type KeyObject } from 'node:crypto';
import { test } from 'vitest';
import { keyHash, keyId } from '../../src/api/authentication.ts';
import { newKey } from '../../src/cli/keys.ts';
import { service } from '../../src/facts/load.ts';
import type { NewApiKey } from '../../src/store/key-store.ts';
import type { LeadStore } from '../../src/store/store.ts';

/** A test of issued API keys: skipped if none are issued. */
export const testWhereIssued = test.skipIf(service.keys === 'none');

export async function issueKey(store: LeadStore, given: Partial<NewApiKey> = {}) {
	const key = newKey();
	const kept = { ...newApiKey(), ...keptOf(key, store.secret), ...given };
	await store.keys.insert(kept);
	return { key, id: kept.id };
}

/** Returns a stored API key whose secret is not known. */
export function newApiKey(given: Partial<NewApiKey & NewApiKey['owner']> = {}): NewApiKey {
	const { name = 'Acme Agents', email = 'eve@agents.example', ...others } = given;
	const kept = keptOf(newKey(), createSecretKey(Buffer.alloc(32, 1)));
	const scopes: NewApiKey['scopes'] = ['contact:write', 'status:read'];
	const times = { madeAt: Date.now(), endsAt: Date.now() + 3600_000 };
	return { ...kept, owner: { name, email }, scopes, limit: { limit: 200, window: 600 }, ...times, ...others };
}

function keptOf(key: string, secret: KeyObject) {
	const hash = keyHash(secret, key);
	return { id: keyId(hash), hash };
}
