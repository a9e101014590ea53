import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { bare, sharedTables } from './shared-schema.ts';
import { StoreError } from './store-error.ts';

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

/** Returns the tables, indexes and triggers of a database by name, as SQLite keeps them. */
function schemaOf(database: DatabaseSync): Map<string, string> {
	const rows = database.prepare('SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
	return new Map(rows.map(({ name, sql }) => [String(name), bare(String(sql))]));
}

let expected: Map<string, string> | undefined;

/**
 * Returns whether a database has no tables yet. It may have others beside ours: Litestream adds some.
 *
 * @throws {StoreError} its tables are not ours
 */
export function isEmpty(database: DatabaseSync, file: string): boolean {
	const found = schemaOf(database);
	if (found.size === 0) return true;
	if (expected === undefined) {
		using model = new DatabaseSync(':memory:');
		model.exec(tables);
		expected = schemaOf(model);
	}
	const different = [...expected].filter(([name, sql]) => found.get(name) !== sql).map(([name]) => name);
	if (different.length === 0) return false;
	throw new StoreError(
		`The lead store ${file} cannot be opened: another version of this program has made it, or another program (${different[0]} ${found.has(different[0]!) ? 'differs' : 'is missing'}). ` +
			'To keep it, move it away with the files beside it that end in -wal and -shm, and read it with the version that wrote it; the server then makes a new one. Or name another file in LEAD_STORE.',
	);
}

/** Creates the tables, safely when several processes do so at the same time. */
export function createTables(database: DatabaseSync, file: string): void {
	database.exec('BEGIN IMMEDIATE');
	// Another process may have made them while we waited.
	if (isEmpty(database, file)) {
		database.exec(tables);
		database.prepare('INSERT INTO lead_store (id, secret) VALUES (1, ?)').run(randomBytes(32));
	}
	database.exec('COMMIT');
}
