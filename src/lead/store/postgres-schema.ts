import { randomBytes } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';

/** Each brings a database from the version that is its index to the next. Never edited once released: add one. */
const migrations = [
	`
	CREATE TABLE lead_store (
		id int PRIMARY KEY CHECK (id = 1),
		version int NOT NULL,
		secret bytea NOT NULL
	);
	CREATE TABLE lead_entries (
		id text PRIMARY KEY,
		kind text NOT NULL,
		received_at bigint NOT NULL,
		email text,
		payload text NOT NULL,
		quarantined boolean NOT NULL
	);
	CREATE INDEX lead_entries_received ON lead_entries (received_at);
	CREATE INDEX lead_entries_email ON lead_entries (email);
	CREATE TABLE lead_deliveries (
		entry_id text NOT NULL REFERENCES lead_entries (id) ON DELETE CASCADE,
		channel text NOT NULL,
		state text NOT NULL DEFAULT 'waiting',
		tries int NOT NULL DEFAULT 0,
		due_at bigint,
		sent_at bigint,
		last_error text,
		lease_owner text,
		lease_until bigint,
		PRIMARY KEY (entry_id, channel)
	);
	CREATE INDEX lead_deliveries_due ON lead_deliveries (due_at) WHERE state = 'waiting';
	CREATE TABLE lead_onces (
		key text PRIMARY KEY,
		fingerprint text NOT NULL,
		expires_at bigint NOT NULL,
		entry_id text NOT NULL
	);
	`,
	`
	ALTER TABLE lead_entries
		ADD COLUMN state text NOT NULL DEFAULT 'delivered',
		ADD COLUMN releasable boolean NOT NULL DEFAULT false,
		ADD COLUMN told boolean NOT NULL DEFAULT false;
	UPDATE lead_entries SET releasable = quarantined, state = CASE
		WHEN quarantined THEN 'quarantined'
		WHEN EXISTS (SELECT FROM lead_deliveries WHERE entry_id = id AND lead_deliveries.state = 'parked') THEN 'parked'
		WHEN EXISTS (SELECT FROM lead_deliveries WHERE entry_id = id AND lead_deliveries.state = 'waiting') THEN 'waiting'
		ELSE 'delivered' END;
	ALTER TABLE lead_entries ALTER COLUMN state DROP DEFAULT, DROP COLUMN quarantined;
	DROP INDEX lead_entries_received;
	CREATE INDEX lead_entries_received ON lead_entries (received_at, id);
	CREATE INDEX lead_entries_state ON lead_entries (state, received_at, id);
	CREATE INDEX lead_entries_counted ON lead_entries (state) WHERE kind = 'lead';
	CREATE INDEX lead_entries_beginning ON lead_entries (id text_pattern_ops);
	CREATE INDEX lead_entries_ending ON lead_entries (right(id, 8));
	CREATE INDEX lead_entries_quarantine ON lead_entries (releasable, received_at) WHERE state = 'quarantined';
	CREATE INDEX lead_entries_untold ON lead_entries (received_at) WHERE state = 'quarantined' AND releasable AND NOT told;

	-- A delivery waits from since till due_at: for its next try, or for the end of its lease.
	-- retry: the operator wants it retried when the try in flight has failed.
	ALTER TABLE lead_deliveries ADD COLUMN since bigint, ADD COLUMN retry boolean NOT NULL DEFAULT false;
	UPDATE lead_deliveries SET due_at = coalesce(lease_until, due_at), since = coalesce(lease_until, due_at);
	DROP INDEX lead_deliveries_due;
	ALTER TABLE lead_deliveries DROP COLUMN lease_until;
	CREATE INDEX lead_deliveries_due ON lead_deliveries (channel, due_at) WHERE state = 'waiting';
	CREATE INDEX lead_deliveries_since ON lead_deliveries (channel, since) WHERE state = 'waiting';
	CREATE INDEX lead_deliveries_parked ON lead_deliveries (entry_id) WHERE state = 'parked';
	CREATE INDEX lead_deliveries_leased ON lead_deliveries (lease_owner) WHERE lease_owner IS NOT NULL;
	CREATE INDEX lead_onces_expiry ON lead_onces (expires_at);
	CREATE INDEX lead_onces_entry ON lead_onces (entry_id);

	-- Whoever moves a delivery has locked its entry before, so that of two who move two of them the second sees what the first did.
	CREATE FUNCTION lead_delivery_moved() RETURNS trigger LANGUAGE plpgsql AS $$
	BEGIN
		UPDATE lead_entries SET state = CASE
			WHEN EXISTS (SELECT FROM lead_deliveries WHERE entry_id = NEW.entry_id AND lead_deliveries.state = 'parked') THEN 'parked'
			WHEN EXISTS (SELECT FROM lead_deliveries WHERE entry_id = NEW.entry_id AND lead_deliveries.state = 'waiting') THEN 'waiting'
			ELSE 'delivered' END
		WHERE id = NEW.entry_id;
		RETURN NULL;
	END $$;
	CREATE TRIGGER lead_delivery_moved AFTER UPDATE OF state ON lead_deliveries
		FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION lead_delivery_moved();
	`,
	`
	ALTER TABLE lead_entries ADD COLUMN source text;
	-- What somebody else has written there may be no JSON, or none that PostgreSQL reads.
	CREATE FUNCTION pg_temp.source_in(payload text) RETURNS text LANGUAGE plpgsql AS $$
	BEGIN
		RETURN payload::json -> 'lead' ->> 'source';
	EXCEPTION WHEN OTHERS THEN
		RETURN NULL;
	END;
	$$;
	UPDATE lead_entries SET source = pg_temp.source_in(payload) WHERE kind = 'lead';
	CREATE INDEX lead_entries_source ON lead_entries (source, received_at, id) WHERE source IS NOT NULL;

	CREATE TABLE api_keys (
		id text PRIMARY KEY,
		-- keyed hash of the key
		hash text NOT NULL,
		-- of the owner
		email text NOT NULL,
		content text NOT NULL,
		test boolean NOT NULL,
		made_at bigint NOT NULL,
		ends_at bigint NOT NULL,
		revoked boolean NOT NULL DEFAULT false,
		last_used text,
		leads int NOT NULL DEFAULT 0
	);
	CREATE INDEX api_keys_email ON api_keys (email);
	CREATE INDEX api_keys_ending ON api_keys (ends_at);
	`,
];

/** Ours among the advisory locks of the database: any number that nobody else uses. */
const MIGRATION_LOCK = 1_818_583_395;
/** In milliseconds: large tables take minutes, here or in another instance that is waited for. */
const MIGRATION_TIMEOUT = 3600_000;

/** Creates or updates the tables, safely when several instances start at once, and gives the store's secret. */
export async function migrate(pool: Pool): Promise<Buffer> {
	const client = await pool.connect();
	// The query in hand rejects as well; unheard, the event would end the process.
	client.on('error', () => {});
	try {
		await client.query('BEGIN');
		await client.query(patiently(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`));
		await update(client, await versionOf(client));
		const { rows } = await client.query<{ secret: Buffer }>('SELECT secret FROM lead_store');
		await client.query('COMMIT');
		return rows[0]!.secret;
	} finally {
		// Not given back to the pool: whatever was left open ends with the connection.
		client.release(true);
	}
}

async function update(client: ClientBase, version: number): Promise<void> {
	if (version > migrations.length) throw new Error('a newer version of this program has made its tables; update this one');
	for (const migration of migrations.slice(version)) await client.query(patiently(migration));
	if (version === 0)
		await client.query('INSERT INTO lead_store (id, version, secret) VALUES (1, $1, $2)', [migrations.length, randomBytes(32)]);
	else if (version < migrations.length) await client.query('UPDATE lead_store SET version = $1', [migrations.length]);
}

const patiently = (text: string) => ({ text, query_timeout: MIGRATION_TIMEOUT });

async function versionOf(client: ClientBase): Promise<number> {
	const { rows } = await client.query<{ there: boolean }>(`SELECT to_regclass('lead_store') IS NOT NULL AS there`);
	if (!rows[0]!.there) return 0;
	const store = await client.query<{ version: number }>('SELECT version FROM lead_store');
	return store.rows[0]!.version;
}
