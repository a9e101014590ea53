import type { DatabaseSync } from 'node:sqlite';
import { firstTables } from './sqlite-first-tables.ts';
import { sealedTexts } from './sqlite-sealed-texts.ts';
import { sourcesAndKeys } from './sqlite-sources-and-keys.ts';

/** Each brings a database from the version that is its index to the next. Never edited once released: add one. */
const migrations: ((database: DatabaseSync) => void)[] = [firstTables, sealedTexts, sourcesAndKeys];

/** Creates or updates the tables, safely when several processes do at once. */
export function migrate(database: DatabaseSync): void {
	if (versionOf(database) === migrations.length) return;
	database.exec('BEGIN IMMEDIATE');
	// Read again: another process may have been here while we waited.
	const version = versionOf(database);
	if (version > migrations.length) throw new Error('a newer version of this program has made it; update this one');
	for (const migration of migrations.slice(version)) migration(database);
	database.exec(`PRAGMA user_version = ${migrations.length}; COMMIT`);
}

function versionOf(database: DatabaseSync): number {
	return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}
