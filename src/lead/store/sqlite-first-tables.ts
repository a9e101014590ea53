import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** Entries, their deliveries, and what may happen only once. */
export function firstTables(database: DatabaseSync): void {
	database.exec(`
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
	`);
	database.prepare('INSERT INTO lead_store (id, secret) VALUES (1, ?)').run(randomBytes(32));
}
