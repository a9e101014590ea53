import { DatabaseSync } from 'node:sqlite';
import type { StorePlace } from '../../src/store/store.ts';
import { ask } from '../support/postgres.ts';

/** Runs a statement in the database of a store, without the store, and maybe against the database's own rules. @returns its rows */
export async function askIn(place: StorePlace, statement: string, heedsRules = true): Promise<Record<string, unknown>[]> {
	const lax = 'SET session_replication_role = replica';
	if (place.kind === 'postgres') return ask(place.url, heedsRules ? statement : `${lax}; ${statement}`);
	using database = new DatabaseSync(place.path, { timeout: 5000, enableForeignKeyConstraints: heedsRules });
	return database.prepare(statement).all();
}
