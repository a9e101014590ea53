import type { Pool } from 'pg';
import { comparable } from '../email-address.ts';
import { contentOf, type KeyRow, keyFrom } from './key-row.ts';
import type { ApiKey, KeyStore, NewApiKey, ProvenApiKey, Replacement } from './key-store.ts';
import { ask } from './postgres-pool.ts';
import { sql } from './postgres-statements.ts';

/** API keys in the database of the lead store. */
export class PostgresKeys implements KeyStore {
	readonly #pool: Pool;

	constructor(pool: Pool) {
		this.#pool = pool;
	}

	async insert(key: NewApiKey): Promise<void> {
		await this.#query(sql.insertApiKey, valuesOf(key));
	}

	async find(id: string): Promise<ProvenApiKey | undefined> {
		const [found] = await this.#keys(sql.apiKeys('id = $1'), [id]);
		return found;
	}

	list(): Promise<ProvenApiKey[]> {
		return this.#keys(sql.apiKeys(), []);
	}

	async replace(old: Pick<ApiKey, 'id' | 'endsAt'>, { key, endsAt, revoked }: Replacement): Promise<boolean> {
		return (await this.#query(sql.replaceApiKey, [...valuesOf(key), old.id, endsAt, revoked, old.endsAt])).rowCount === 1;
	}

	async revoke(id: string, now: number): Promise<void> {
		await this.#query(sql.revokeApiKey, [id, now]);
	}

	async used(id: string, day: string): Promise<void> {
		await this.#query(sql.apiKeyUsed, [id, day]);
	}

	async #keys(statement: string, values: unknown[]): Promise<ProvenApiKey[]> {
		return (await this.#query(statement, values)).rows.map(keyFrom);
	}

	#query(statement: string, values: unknown[]) {
		return ask<KeyRow>(this.#pool, statement, values);
	}
}

const valuesOf = (key: NewApiKey) => {
	const { id, hash, owner, test, madeAt, endsAt } = key;
	return [id, hash, comparable(owner.email), contentOf(key), test, madeAt, endsAt];
};
