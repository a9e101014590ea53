import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { sharedTables } from './shared-schema.ts';

const dialect = {
	time: 'INTEGER',
	bytes: 'BLOB',
	flag: 'INTEGER',
	key: 'key_slot INTEGER',
	end: ' STRICT',
	endByKey: ' STRICT, WITHOUT ROWID',
	ending: 'substr(id, -8)',
};

/**
 * SQLite moves rows between pages and leaves traces of them that `secure_delete` does not reach. So personal data is sealed, and
 * the keys lie in rows of one size that are never moved or deleted, only overwritten. Each entry stores its state, and a table
 * counts the leads in each: reading the counts must not cost more when there are many leads.
 */
const tables = `
	CREATE TABLE lead_store (
		id INTEGER PRIMARY KEY CHECK (id = 1),
		secret BLOB NOT NULL
	) STRICT;
	CREATE TABLE lead_keys (
		slot INTEGER PRIMARY KEY,
		-- zeros: free
		key BLOB NOT NULL
	) STRICT;
	CREATE INDEX lead_keys_free ON lead_keys (slot) WHERE key = zeroblob(32);

	${sharedTables(dialect)}
	CREATE TRIGGER api_key_gone AFTER DELETE ON api_keys BEGIN
		UPDATE lead_keys SET key = zeroblob(32) WHERE slot = OLD.key_slot;
	END;

	CREATE TABLE lead_counts (
		state TEXT NOT NULL PRIMARY KEY,
		leads INTEGER NOT NULL DEFAULT 0
	) STRICT, WITHOUT ROWID;
	INSERT INTO lead_counts (state) VALUES ('waiting'), ('delivered'), ('parked'), ('quarantined');
	CREATE TRIGGER lead_entry_counted AFTER INSERT ON lead_entries WHEN NEW.kind = 'lead' BEGIN
		UPDATE lead_counts SET leads = leads + 1 WHERE state = NEW.state;
	END;
	CREATE TRIGGER lead_entry_recounted AFTER UPDATE OF state ON lead_entries WHEN NEW.kind = 'lead' AND NEW.state <> OLD.state BEGIN
		UPDATE lead_counts SET leads = leads - 1 WHERE state = OLD.state;
		UPDATE lead_counts SET leads = leads + 1 WHERE state = NEW.state;
	END;
	CREATE TRIGGER lead_entry_gone AFTER DELETE ON lead_entries BEGIN
		UPDATE lead_keys SET key = zeroblob(32) WHERE slot = OLD.key_slot;
		UPDATE lead_counts SET leads = leads - 1 WHERE state = OLD.state AND OLD.kind = 'lead';
	END;
	CREATE TRIGGER lead_delivery_moved AFTER UPDATE OF state ON lead_deliveries WHEN NEW.state <> OLD.state BEGIN
		UPDATE lead_entries SET state = CASE
			WHEN EXISTS (SELECT 1 FROM lead_deliveries WHERE entry_id = NEW.entry_id AND state = 'parked') THEN 'parked'
			WHEN EXISTS (SELECT 1 FROM lead_deliveries WHERE entry_id = NEW.entry_id AND state = 'waiting') THEN 'waiting'
			ELSE 'delivered' END
		WHERE id = NEW.entry_id;
	END;
`;

/** Each step takes a database from the version that is its index to the next. Never edit a released migration: add one. */
export const migrations = [tables];

/**
 * Creates or updates the tables, safely when several processes do so at the same time.
 *
 * @throws {Error} a newer version of this program made the tables
 */
export function migrate(database: DatabaseSync, steps = migrations): void {
	if (versionOf(database) === steps.length) return;
	database.exec('BEGIN IMMEDIATE');
	// Read again: another process may have updated it while we waited.
	const version = versionOf(database);
	if (version > steps.length) throw new Error('a newer version of this program has made it; update this one');
	for (const step of steps.slice(version)) database.exec(step);
	if (version === 0) database.prepare('INSERT INTO lead_store (id, secret) VALUES (1, ?)').run(randomBytes(32));
	database.exec(`PRAGMA user_version = ${steps.length}; COMMIT`);
}

function versionOf(database: DatabaseSync): number {
	return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}
