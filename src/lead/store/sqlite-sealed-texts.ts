import { createSecretKey } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { personHash } from './index-hash.ts';
import { seal } from './seal.ts';

/**
 * SQLite moves rows between pages and leaves traces of them behind that `secure_delete` does not reach. So what a person wrote is
 * sealed, and the keys lie in rows of one size that are never moved nor deleted, only overwritten.
 * The state of an entry is kept beside it, and how many leads are in each: to ask must not cost more when there are many.
 */
export function sealedTexts(database: DatabaseSync): void {
	database.exec(`
	ALTER TABLE lead_entries RENAME TO old_entries;
	ALTER TABLE lead_deliveries RENAME TO old_deliveries;
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
		key_slot INTEGER NOT NULL,
		payload BLOB NOT NULL,
		state TEXT NOT NULL,
		-- of a quarantined one: whether it could be released, and whether anybody was told of it
		releasable INTEGER NOT NULL,
		told INTEGER NOT NULL
	) STRICT;
	CREATE TABLE lead_deliveries (
		entry_id TEXT NOT NULL REFERENCES lead_entries (id) ON DELETE CASCADE,
		channel TEXT NOT NULL,
		state TEXT NOT NULL DEFAULT 'waiting',
		tries INTEGER NOT NULL DEFAULT 0,
		-- it waits from then till then: for its next try, or for the end of its lease
		since INTEGER,
		due_at INTEGER,
		sent_at INTEGER,
		last_error TEXT,
		lease_owner TEXT,
		-- the operator wants it retried when the try in flight has failed
		retry INTEGER NOT NULL DEFAULT 0,
		PRIMARY KEY (entry_id, channel)
	) STRICT, WITHOUT ROWID;
	`);
	sealEntries(database);
	database.exec(`
	INSERT INTO lead_deliveries (entry_id, channel, state, tries, since, due_at, sent_at, last_error, lease_owner)
		SELECT entry_id, channel, state, tries, coalesce(lease_until, due_at), coalesce(lease_until, due_at), sent_at, last_error, lease_owner
		FROM old_deliveries;
	DROP TABLE old_deliveries;
	DROP TABLE old_entries;

	CREATE INDEX lead_entries_received ON lead_entries (received_at, id);
	CREATE INDEX lead_entries_state ON lead_entries (state, received_at, id);
	CREATE INDEX lead_entries_person ON lead_entries (person) WHERE person IS NOT NULL;
	CREATE INDEX lead_entries_ending ON lead_entries (substr(id, -8));
	CREATE INDEX lead_entries_quarantine ON lead_entries (releasable, received_at) WHERE state = 'quarantined';
	CREATE INDEX lead_entries_untold ON lead_entries (received_at) WHERE state = 'quarantined' AND releasable AND NOT told;
	CREATE INDEX lead_deliveries_due ON lead_deliveries (channel, due_at) WHERE state = 'waiting';
	CREATE INDEX lead_deliveries_since ON lead_deliveries (channel, since) WHERE state = 'waiting';
	CREATE INDEX lead_deliveries_parked ON lead_deliveries (entry_id) WHERE state = 'parked';
	CREATE INDEX lead_deliveries_leased ON lead_deliveries (lease_owner) WHERE lease_owner IS NOT NULL;
	CREATE INDEX lead_onces_expiry ON lead_onces (expires_at);
	CREATE INDEX lead_onces_entry ON lead_onces (entry_id);

	CREATE TABLE lead_counts (
		state TEXT NOT NULL PRIMARY KEY,
		leads INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;
	INSERT INTO lead_counts (state, leads)
		SELECT value, (SELECT count(*) FROM lead_entries WHERE kind = 'lead' AND state = value)
		FROM json_each('["waiting", "delivered", "parked", "quarantined"]');
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
	`);
}

function sealEntries(database: DatabaseSync): void {
	const { secret } = database.prepare('SELECT secret FROM lead_store').get() as { secret: Uint8Array };
	const hashKey = createSecretKey(secret);
	const addKey = database.prepare('INSERT INTO lead_keys (slot, key) VALUES (?, ?)');
	const addEntry = database.prepare(`
		INSERT INTO lead_entries (id, kind, received_at, person, key_slot, payload, state, releasable, told)
		SELECT id, kind, received_at, ?, ?, ?, CASE
			WHEN quarantined THEN 'quarantined'
			WHEN EXISTS (SELECT 1 FROM old_deliveries WHERE entry_id = id AND state = 'parked') THEN 'parked'
			WHEN EXISTS (SELECT 1 FROM old_deliveries WHERE entry_id = id AND state = 'waiting') THEN 'waiting'
			ELSE 'delivered' END, quarantined, 0
		FROM old_entries WHERE id = ?
	`);
	const old = database.prepare('SELECT rowid AS slot, id, email, payload FROM old_entries ORDER BY rowid');
	for (const { slot, id, email, payload } of old.iterate() as Iterable<OldEntry>) {
		const { key, text } = seal(payload);
		addKey.run(slot, key);
		addEntry.run(email === null ? null : personHash(hashKey, email), slot, text, id);
	}
}

interface OldEntry {
	slot: number;
	id: string;
	email: string | null;
	payload: string;
}
