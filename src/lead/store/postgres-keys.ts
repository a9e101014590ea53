import type { KeyObject } from 'node:crypto';
import type { Pool } from 'pg';
import { type KeyRow, keyFrom, newKeyRow } from './key-row.ts';
import type { KeyStore } from './key-store.ts';
import { ask } from './postgres-pool.ts';
import { sql } from './postgres-statements.ts';

/** API keys in the database of the lead store. */
export function postgresKeys(pool: Pool, secret: KeyObject): KeyStore {
	const change = async (statement: string, values: unknown[]) => void (await ask(pool, statement, values));
	const select = async (statement: string, values: unknown[] = []) =>
		(await ask<KeyRow>(pool, statement, values)).rows.map(keyFrom);

	return {
		async insert(newKey) {
			const { id, hash, person, text, key, madeAt, endsAt } = newKeyRow(newKey, secret);
			await change(sql.insertApiKey, [id, hash, person, text, key, madeAt, endsAt]);
		},
		find: async (id) => (await select(sql.apiKeys('id = $1'), [id]))[0],
		list: () => select(sql.apiKeys()),
		revoke: (id, now) => change(sql.revokeApiKey, [id, now]),
		used: (id, day) => change(sql.apiKeyUsed, [id, day]),
	};
}
