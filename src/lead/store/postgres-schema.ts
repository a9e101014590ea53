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
];

/** Ours among the advisory locks of the database: any number that nobody else uses. */
const MIGRATION_LOCK = 1_818_583_395;

/** Creates or updates the tables, safely when several instances start at once, and gives the store's secret. */
export async function migrate(pool: Pool): Promise<Buffer> {
	const client = await pool.connect();
	// The query in hand rejects as well; unheard, the event would end the process.
	client.on('error', () => {});
	try {
		await client.query('BEGIN');
		await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
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
	for (const migration of migrations.slice(version)) await client.query(migration);
	if (version === 0)
		await client.query('INSERT INTO lead_store (id, version, secret) VALUES (1, $1, $2)', [migrations.length, randomBytes(32)]);
	else if (version < migrations.length) await client.query('UPDATE lead_store SET version = $1', [migrations.length]);
}

async function versionOf(client: ClientBase): Promise<number> {
	const { rows } = await client.query<{ there: boolean }>(`SELECT to_regclass('lead_store') IS NOT NULL AS there`);
	if (!rows[0]!.there) return 0;
	const store = await client.query<{ version: number }>('SELECT version FROM lead_store');
	return store.rows[0]!.version;
}
