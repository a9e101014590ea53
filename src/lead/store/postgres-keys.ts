import type { KeyObject } from 'node:crypto';
import type { Pool } from 'pg';
import { type KeyRow, keyFrom, newKeyRow } from './key-row.ts';
import type { KeyStore, NewApiKey } from './key-store.ts';
import { ask } from './postgres-pool.ts';
import { sql } from './postgres-statements.ts';

/** API keys in the database of the lead store. */
export function postgresKeys(pool: Pool, secret: KeyObject): KeyStore {
	const change = async (statement: string, values: unknown[]) => (await ask(pool, statement, values)).rowCount ?? 0;
	const select = async (statement: string, values: unknown[] = []) =>
		(await ask<KeyRow>(pool, statement, values)).rows.map(keyFrom);

	function valuesOf(newKey: NewApiKey): unknown[] {
		const { id, hash, person, text, key, test, madeAt, endsAt } = newKeyRow(newKey, secret);
		return [id, hash, person, text, key, test, madeAt, endsAt];
	}

	return {
		insert: async (key) => void (await change(sql.insertApiKey, valuesOf(key))),
		find: async (id) => (await select(sql.apiKeys('id = $1'), [id]))[0],
		list: () => select(sql.apiKeys()),
		replace: async ({ id, endsAt: oldEndsAt }, { key, endsAt, revoked }) =>
			(await change(sql.replaceApiKey, [...valuesOf(key), id, endsAt, revoked, oldEndsAt])) === 1,
		revoke: async (id, now) => void (await change(sql.revokeApiKey, [id, now])),
		used: async (id, day) => void (await change(sql.apiKeyUsed, [id, day])),
	};
}
