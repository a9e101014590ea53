import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** Each brings a database from the version that is its index to the next. Never edited once released: add one. */
const migrations = [
	`
	CREATE TABLE lead_store (
		id INTEGER PRIMARY KEY CHECK (id = 1),
		secret BLOB NOT NULL
	) STRICT;
	CREATE TABLE lead_entries (
		id TEXT NOT NULL PRIMARY KEY,
		kind TEXT NOT NULL,
		received_at INTEGER NOT NULL,
		email TEXT,
		payload TEXT NOT NULL,
		quarantined INTEGER NOT NULL
	) STRICT;
	CREATE INDEX lead_entries_received ON lead_entries (received_at);
	CREATE INDEX lead_entries_email ON lead_entries (email);
	CREATE TABLE lead_deliveries (
		entry_id TEXT NOT NULL REFERENCES lead_entries (id) ON DELETE CASCADE,
		channel TEXT NOT NULL,
		state TEXT NOT NULL DEFAULT 'waiting',
		tries INTEGER NOT NULL DEFAULT 0,
		due_at INTEGER,
		sent_at INTEGER,
		last_error TEXT,
		lease_owner TEXT,
		lease_until INTEGER,
		PRIMARY KEY (entry_id, channel)
	) STRICT, WITHOUT ROWID;
	CREATE INDEX lead_deliveries_due ON lead_deliveries (due_at) WHERE state = 'waiting';
	CREATE TABLE lead_onces (
		key TEXT NOT NULL PRIMARY KEY,
		fingerprint TEXT NOT NULL,
		expires_at INTEGER NOT NULL,
		entry_id TEXT NOT NULL
	) STRICT, WITHOUT ROWID;
	`,
];

/** Creates or updates the tables, safely when several processes do at once. */
export function migrate(database: DatabaseSync): void {
	if (versionOf(database) === migrations.length) return;
	database.exec('BEGIN IMMEDIATE');
	// Read again: another process may have been here while we waited.
	const version = versionOf(database);
	if (version > migrations.length) throw new Error('a newer version of this program has made it; update this one');
	for (const migration of migrations.slice(version)) database.exec(migration);
	database.prepare('INSERT INTO lead_store (id, secret) VALUES (1, ?) ON CONFLICT DO NOTHING').run(randomBytes(32));
	database.exec(`PRAGMA user_version = ${migrations.length}; COMMIT`);
}

function versionOf(database: DatabaseSync): number {
	return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}
