import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

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

	CREATE TABLE lead_entries (
		id TEXT NOT NULL PRIMARY KEY,
		kind TEXT NOT NULL,
		received_at INTEGER NOT NULL,
		-- keyed hash of the email address
		person TEXT,
		-- keyed hash of the source of the lead
		source TEXT,
		key_slot INTEGER NOT NULL,
		payload BLOB NOT NULL,
		state TEXT NOT NULL,
		-- in quarantine: whether it could be released
		releasable INTEGER NOT NULL,
		-- keyed hash of its network, and the number of entries from there in quarantine when it came, a hundred at most
		network TEXT,
		crowd INTEGER NOT NULL DEFAULT 0,
		-- the notice that covers it, and when a channel got that
		notice TEXT,
		told_at INTEGER
	) STRICT;
	CREATE INDEX lead_entries_received ON lead_entries (received_at, id);
	CREATE INDEX lead_entries_state ON lead_entries (state, received_at, id);
	CREATE INDEX lead_entries_person ON lead_entries (person) WHERE person IS NOT NULL;
	CREATE INDEX lead_entries_source ON lead_entries (source, received_at, id) WHERE source IS NOT NULL;
	CREATE INDEX lead_entries_ending ON lead_entries (substr(id, -8));
	CREATE INDEX lead_entries_faulty ON lead_entries (received_at) WHERE state = 'quarantined' AND NOT releasable;
	CREATE INDEX lead_entries_crowd ON lead_entries (crowd, told_at) WHERE state = 'quarantined' AND releasable;
	CREATE INDEX lead_entries_untold ON lead_entries (received_at) WHERE state = 'quarantined' AND releasable AND notice IS NULL;
	CREATE INDEX lead_entries_told ON lead_entries (told_at, received_at) WHERE state = 'quarantined' AND told_at IS NOT NULL;
	CREATE INDEX lead_entries_notice ON lead_entries (notice, told_at) WHERE notice IS NOT NULL;
	CREATE INDEX lead_entries_network ON lead_entries (network) WHERE network IS NOT NULL;

	CREATE TABLE lead_deliveries (
		entry_id TEXT NOT NULL REFERENCES lead_entries (id) ON DELETE CASCADE,
		channel TEXT NOT NULL,
		state TEXT NOT NULL DEFAULT 'waiting',
		tries INTEGER NOT NULL DEFAULT 0,
		-- start and end of its wait: for the next try, or for the end of its lease
		since INTEGER,
		due_at INTEGER,
		sent_at INTEGER,
		last_error TEXT,
		-- JSON, by recipient: the results of the tries
		recipients TEXT NOT NULL DEFAULT '{}',
		lease_owner TEXT,
		-- the operator wants it retried when the try in flight has failed
		retry INTEGER NOT NULL DEFAULT 0,
		PRIMARY KEY (entry_id, channel)
	) STRICT, WITHOUT ROWID;
	CREATE INDEX lead_deliveries_due ON lead_deliveries (channel, due_at) WHERE state = 'waiting';
	CREATE INDEX lead_deliveries_since ON lead_deliveries (channel, since) WHERE state = 'waiting';
	CREATE INDEX lead_deliveries_parked ON lead_deliveries (entry_id) WHERE state = 'parked';
	CREATE INDEX lead_deliveries_leased ON lead_deliveries (lease_owner) WHERE lease_owner IS NOT NULL;

	CREATE TABLE lead_onces (
		key TEXT NOT NULL PRIMARY KEY,
		fingerprint TEXT NOT NULL,
		expires_at INTEGER NOT NULL,
		-- keyed hash of the email address: the mark outlives the entry, and is erased with the rest
		person TEXT
	) STRICT, WITHOUT ROWID;
	CREATE INDEX lead_onces_expiry ON lead_onces (expires_at);
	CREATE INDEX lead_onces_person ON lead_onces (person) WHERE person IS NOT NULL;

	CREATE TABLE api_keys (
		id TEXT NOT NULL PRIMARY KEY,
		-- keyed hash of the key
		hash TEXT NOT NULL,
		-- keyed hash of the owner's email address
		person TEXT NOT NULL,
		key_slot INTEGER NOT NULL,
		content BLOB NOT NULL,
		test INTEGER NOT NULL,
		made_at INTEGER NOT NULL,
		ends_at INTEGER NOT NULL,
		revoked INTEGER NOT NULL DEFAULT 0,
		last_used TEXT,
		leads INTEGER NOT NULL DEFAULT 0
	) STRICT;
	CREATE INDEX api_keys_person ON api_keys (person);
	CREATE INDEX api_keys_ending ON api_keys (ends_at);
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
