import { createHash } from 'node:crypto';
import { cannotOpen } from './database.ts';

/**
 * Returns the statements that make the tables, with a database's types of bytes and of a number that it counts up. Personal data is sealed
 * (`seal.ts`) and found by keyed hashes. The encryption keys lie in rows of one size that are only overwritten, and
 * deleted from an empty store alone: SQLite leaves traces of rows that it moves. The files have an overwritten key until `scrub`.
 */
export const tablesIn = (bytes: 'BLOB' | 'BYTEA', counter: string): string[] =>
	`
	CREATE TABLE lead_store (
		-- a hash of these statements
		tables TEXT NOT NULL,
		-- for keyed hashes: made once, the same in every instance
		secret ${bytes} NOT NULL
	);

	CREATE TABLE lead_keys (
		slot ${counter} PRIMARY KEY,
		key ${bytes} NOT NULL,
		-- 1: overwritten, for the next row
		free INT NOT NULL DEFAULT 0
	);
	CREATE INDEX lead_keys_free ON lead_keys (slot) WHERE free = 1;

	CREATE TABLE lead_entries (
		id TEXT NOT NULL PRIMARY KEY,
		kind TEXT NOT NULL,
		received_at BIGINT NOT NULL,
		-- waiting, delivered, parked; in quarantine held, announced (by a notice), faulty (no lead, or spam); gone: only its mark is left
		state TEXT NOT NULL,
		-- keyed hashes of the email address, of the source and of the message
		person TEXT,
		source TEXT,
		fingerprint TEXT,
		key_slot BIGINT,
		payload ${bytes} NOT NULL,
		-- JSON: the verdict on it, and its reasons
		spam TEXT,
		-- JSON: who of the sales team answers it, and since when
		taken TEXT,
		-- announced: the notice that covers it, and when a channel got that
		notice TEXT,
		told_at BIGINT,
		-- nothing else is saved under this mark before it ends; its content tells a copy from another lead
		once TEXT UNIQUE,
		once_content TEXT,
		once_ends_at BIGINT
	);
	CREATE INDEX lead_entries_state ON lead_entries (state, kind, received_at, id);
	CREATE INDEX lead_entries_received ON lead_entries (received_at, id);
	CREATE INDEX lead_entries_person ON lead_entries (person) WHERE person IS NOT NULL;
	CREATE INDEX lead_entries_source ON lead_entries (source, received_at, id) WHERE source IS NOT NULL;
	CREATE INDEX lead_entries_fingerprint ON lead_entries (fingerprint, received_at) WHERE fingerprint IS NOT NULL;
	CREATE INDEX lead_entries_notice ON lead_entries (notice, told_at) WHERE notice IS NOT NULL;
	CREATE INDEX lead_entries_told ON lead_entries (told_at, received_at) WHERE told_at IS NOT NULL;
	CREATE INDEX lead_entries_gone ON lead_entries (once_ends_at) WHERE state = 'gone';

	CREATE TABLE lead_deliveries (
		entry_id TEXT NOT NULL REFERENCES lead_entries (id) ON DELETE CASCADE,
		channel TEXT NOT NULL,
		-- waiting, sent, parked or ended
		state TEXT NOT NULL DEFAULT 'waiting',
		tries INT NOT NULL DEFAULT 0,
		-- start and end of its wait: for the next try, or for the end of its lease; of a parked one, since when it is
		since BIGINT,
		due_at BIGINT,
		lease_owner TEXT,
		sent_at BIGINT,
		last_error TEXT,
		PRIMARY KEY (entry_id, channel)
	);
	CREATE INDEX lead_deliveries_due ON lead_deliveries (channel, due_at) WHERE state = 'waiting';
	CREATE INDEX lead_deliveries_since ON lead_deliveries (channel, since) WHERE state = 'waiting';
	CREATE INDEX lead_deliveries_parked ON lead_deliveries (channel, entry_id) WHERE state = 'parked';
	CREATE INDEX lead_deliveries_leased ON lead_deliveries (lease_owner) WHERE lease_owner IS NOT NULL;

	-- What the operator has said of a lead, for the leads that share a trait with it: a keyed hash.
	CREATE TABLE lead_traits (
		entry_id TEXT NOT NULL REFERENCES lead_entries (id) ON DELETE CASCADE,
		trait TEXT NOT NULL,
		verdict TEXT NOT NULL,
		learnt_at BIGINT NOT NULL,
		PRIMARY KEY (entry_id, trait)
	);
	CREATE INDEX lead_traits_trait ON lead_traits (trait, learnt_at);

	CREATE TABLE api_keys (
		id TEXT NOT NULL PRIMARY KEY,
		-- keyed hashes of the key, and of its owner's email address
		hash TEXT NOT NULL,
		person TEXT NOT NULL,
		key_slot BIGINT NOT NULL,
		content ${bytes} NOT NULL,
		made_at BIGINT NOT NULL,
		ends_at BIGINT NOT NULL,
		revoked INT NOT NULL DEFAULT 0,
		last_used TEXT,
		leads INT NOT NULL DEFAULT 0
	);
	CREATE INDEX api_keys_person ON api_keys (person);
	CREATE INDEX api_keys_ending ON api_keys (ends_at);
`.split(';\n');

/**
 * Steps that bring a store forward, from the tables above to those of this version. A new store takes them all. A step that was published
 * is never changed, and only adds: instances of the version before go on with PostgreSQL, but none of them can open the store again.
 */
export const steps: (string | Partial<Record<'sqlite' | 'postgres', string>>)[][] = [
	[
		'ALTER TABLE lead_store ADD COLUMN steps INT NOT NULL DEFAULT 0',
		// 1: it is settled whether a lead is confirmed.
		'ALTER TABLE lead_entries ADD COLUMN confirmed INT',
		// The version before could give one key to several entries. Each gets a copy, below all slots: one of them can be read.
		`CREATE TABLE lead_sharers AS SELECT id, key, -row_number() OVER (ORDER BY id) AS own_slot FROM (
			SELECT id, key_slot, row_number() OVER (PARTITION BY key_slot ORDER BY id) AS turn FROM lead_entries WHERE key_slot IS NOT NULL
		) AS ranked JOIN lead_keys ON slot = key_slot WHERE turn > 1`,
		'INSERT INTO lead_keys (slot, key) SELECT own_slot, key FROM lead_sharers',
		`UPDATE lead_entries SET key_slot = (SELECT own_slot FROM lead_sharers WHERE lead_sharers.id = lead_entries.id)
			WHERE id IN (SELECT id FROM lead_sharers)`,
		'DROP TABLE lead_sharers',
		`UPDATE lead_keys SET free = 0 WHERE free = 1 AND slot IN (SELECT key_slot FROM lead_entries UNION SELECT key_slot FROM api_keys)`,
		'CREATE UNIQUE INDEX lead_entries_key_slot ON lead_entries (key_slot)',
		'CREATE UNIQUE INDEX api_keys_key_slot ON api_keys (key_slot)',
	],
	[
		// The version without any step destroys the keys of what it deletes without looking whose they are by then. A file has one server.
		{
			postgres: `CREATE FUNCTION keep_key_in_use() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
				IF EXISTS (SELECT FROM lead_entries WHERE key_slot = OLD.slot) OR EXISTS (SELECT FROM api_keys WHERE key_slot = OLD.slot)
				THEN RETURN NULL; END IF;
				RETURN NEW; END $$`,
		},
		{
			postgres: `CREATE TRIGGER keep_key_in_use BEFORE UPDATE ON lead_keys FOR EACH ROW WHEN (NEW.free = 1)
				EXECUTE FUNCTION keep_key_in_use()`,
		},
		'UPDATE lead_keys SET free = 0 WHERE free = 1 AND slot IN (SELECT key_slot FROM lead_entries UNION SELECT key_slot FROM api_keys)',
		'CREATE INDEX lead_entries_untold ON lead_entries (notice) WHERE notice IS NOT NULL AND told_at IS NULL',
	],
	[
		// When an entry is deleted, in whatever state. What the version before saves has no such time, and ends after a day.
		'ALTER TABLE lead_entries ADD COLUMN ends_at BIGINT',
		`CREATE INDEX lead_entries_ending ON lead_entries (coalesce(ends_at, received_at + 86400000)) WHERE kind <> 'lead' AND state <> 'gone'`,
	],
	[
		// When a process last began the work of an hour, which one does for all that share the database.
		'ALTER TABLE lead_store ADD COLUMN upkeep_at BIGINT NOT NULL DEFAULT 0',
	],
	[
		// In how many reminders of leads that nobody answers it was.
		'ALTER TABLE lead_entries ADD COLUMN reminded INT NOT NULL DEFAULT 0',
		'CREATE INDEX lead_entries_taken ON lead_entries (received_at) WHERE taken IS NOT NULL',
		// When a process last began to look for mails that came back.
		'ALTER TABLE lead_store ADD COLUMN bounces_at BIGINT NOT NULL DEFAULT 0',
		// Verdicts on leads that are deleted since, by a trait, and by the person whose lead it was: an empty text where that is not known.
		`CREATE TABLE lead_lessons (trait TEXT NOT NULL, person TEXT NOT NULL, verdict TEXT NOT NULL, learnt_at BIGINT NOT NULL,
			PRIMARY KEY (trait, person))`,
		'CREATE INDEX lead_lessons_learnt ON lead_lessons (learnt_at)',
		{ postgres: 'ALTER TABLE lead_lessons ALTER trait SET STATISTICS 0, ALTER person SET STATISTICS 0' },
	],
	[
		`CREATE INDEX lead_entries_unanswered ON lead_entries (received_at, id)
			WHERE kind = 'lead' AND taken IS NULL AND reminded < 3`,
	],
];

export const STEPS = steps.length;

export function stepsAfter(taken: number, database: 'sqlite' | 'postgres'): string[] {
	if (taken === STEPS) return [];
	const own = steps.slice(taken).flatMap((step) => step.map((part) => (typeof part === 'string' ? part : part[database])));
	return [...own.filter((statement) => statement !== undefined), `UPDATE lead_store SET steps = ${STEPS}`];
}

/** Identifies these tables, before any step. Comments, white space and quotes change no table. */
export const versionOf = (tables: string[]) =>
	createHash('sha256')
		.update(tables.join(';').replaceAll(/--.*|["\s]/g, ''))
		.digest('base64url');

/** @param place the file or database */
export const noTables = (place: string) =>
	cannotOpen(place, 'The server makes them, or logs why not. Start it first, with the same LEAD_STORE.', 'it has no tables yet');

/** Returns how many steps a store has taken, by its row. @throws {StoreError} its tables are not of these, or of a later version */
export function stepsOf(
	store: { tables?: unknown; steps?: unknown } | undefined,
	version: string,
	place: string,
	remedy: string,
): number {
	if (store?.tables !== version) throw notOurs(place, remedy);
	const taken = Number(store.steps ?? 0);
	if (taken <= STEPS) return taken;
	throw cannotOpen(place, 'Run that version.', `a later version has made its tables (${taken}; this one knows ${STEPS})`);
}

export const notOurs = (place: string, remedy: string) =>
	cannotOpen(place, remedy, 'another version of this program has made its tables, or another program');
