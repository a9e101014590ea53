import { DatabaseSync } from 'node:sqlite';
import type { StorePlace } from '../../src/store/store.ts';
import { connectedTo } from '../support/postgres.ts';

/** Runs a statement in the database of a store, without the store, and maybe against the database's own rules. @returns its rows */
export async function askIn(place: StorePlace, statement: string, heedsRules = true): Promise<Record<string, unknown>[]> {
	if (place.kind === 'postgres') {
		await using client = await connectedTo(place.url);
		if (!heedsRules) await client.query('SET session_replication_role = replica');
		return (await client.query<Record<string, unknown>>(statement)).rows;
	}
	using database = new DatabaseSync(place.path, { timeout: 5000, enableForeignKeyConstraints: heedsRules });
	return database.prepare(statement).all();
}
