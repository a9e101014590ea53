import { randomBytes } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { sharedTables } from './shared-schema.ts';

/**
 * PostgreSQL copies values into statistics, which outlive their rows, and into its log and backups. So personal data is sealed,
 * and neither the sealed columns nor those that find them have statistics. A deleted row stays in the file until the table is
 * written again, so its key may lie beside the text that it seals.
 */
const tables = `
	CREATE TABLE lead_store (
		id int PRIMARY KEY CHECK (id = 1),
		version int NOT NULL,
		secret bytea NOT NULL
	);

	${sharedTables({ time: 'bigint', bytes: 'bytea', flag: 'boolean', key: 'key bytea', end: '', endByKey: '', ending: 'right(id, 8)' })}
	CREATE INDEX lead_entries_counted ON lead_entries (state) WHERE kind = 'lead';
	CREATE INDEX lead_entries_beginning ON lead_entries (id text_pattern_ops);

	-- Counts requests by keyed hashes of addresses. A count may be lost in a crash of the database: written to the disk each time, it
	-- would take ten times as long.
	CREATE UNLOGGED TABLE lead_rate_limits (
		key text PRIMARY KEY,
		requests int NOT NULL,
		ends_at bigint NOT NULL
	);
	CREATE INDEX lead_rate_limits_ending ON lead_rate_limits (ends_at);

	ALTER TABLE lead_rate_limits ALTER key SET STATISTICS 0;
	ALTER TABLE lead_entries ALTER person SET STATISTICS 0, ALTER source SET STATISTICS 0, ALTER payload SET STATISTICS 0,
		ALTER key SET STATISTICS 0, ALTER fingerprint SET STATISTICS 0;
	ALTER TABLE lead_traits ALTER trait SET STATISTICS 0;
	ALTER TABLE lead_onces ALTER key SET STATISTICS 0, ALTER fingerprint SET STATISTICS 0, ALTER person SET STATISTICS 0;
	ALTER TABLE api_keys ALTER hash SET STATISTICS 0, ALTER person SET STATISTICS 0, ALTER content SET STATISTICS 0,
		ALTER key SET STATISTICS 0;

	-- Each change of a delivery locks its entry first, so that the second of two changes sees the result of the first.
	CREATE FUNCTION lead_delivery_moved() RETURNS trigger LANGUAGE plpgsql AS $$
	BEGIN
		-- Without a condition on the state: for that the planner may read every waiting delivery there is.
		UPDATE lead_entries SET state = (
			SELECT CASE WHEN bool_or(state = 'parked') THEN 'parked' WHEN bool_or(state = 'waiting') THEN 'waiting' ELSE 'delivered' END
			FROM lead_deliveries WHERE entry_id = NEW.entry_id
		) WHERE id = NEW.entry_id;
		RETURN NULL;
	END $$;
	CREATE TRIGGER lead_delivery_moved AFTER UPDATE OF state ON lead_deliveries
		FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION lead_delivery_moved();
`;

/** Each step takes a database from the version that is its index to the next. Never edit a released migration: add one. */
export const migrations = [tables];

/** Our number among the advisory locks of the database: any number that nobody else uses. */
const MIGRATION_LOCK = 1_818_583_395;
/** In milliseconds: large tables take minutes, here or in another instance that we wait for. */
const MIGRATION_TIMEOUT = 3600_000;

/**
 * Creates or updates the tables, safely when several instances start at once, and returns the store's secret.
 *
 * @throws {Error} a newer version of this program made the tables
 */
export async function migrate(pool: Pool, steps = migrations): Promise<Buffer> {
	const client = await pool.connect();
	// A running query rejects as well. Without a listener the event would end the process.
	client.on('error', () => {});
	try {
		await client.query('BEGIN; SET LOCAL lock_timeout = 0');
		await client.query(withLongTimeout(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`));
		await update(client, steps);
		const { rows } = await client.query<{ secret: Buffer }>('SELECT secret FROM lead_store');
		await client.query('COMMIT');
		return rows[0]!.secret;
	} finally {
		// Not returned to the pool: an open transaction ends with the connection.
		client.release(true);
	}
}

async function update(client: ClientBase, steps: string[]): Promise<void> {
	const version = await versionOf(client);
	if (version > steps.length) throw new Error('a newer version of this program has made its tables; update this one');
	for (const step of steps.slice(version)) await client.query(withLongTimeout(step));
	if (version === 0)
		await client.query('INSERT INTO lead_store (id, version, secret) VALUES (1, $1, $2)', [steps.length, randomBytes(32)]);
	else if (version < steps.length) await client.query('UPDATE lead_store SET version = $1', [steps.length]);
}

const withLongTimeout = (text: string) => ({ text, query_timeout: MIGRATION_TIMEOUT });

async function versionOf(client: ClientBase): Promise<number> {
	const { rows } = await client.query<{ there: boolean }>(`SELECT to_regclass('lead_store') IS NOT NULL AS there`);
	if (!rows[0]!.there) return 0;
	const store = await client.query<{ version: number }>('SELECT version FROM lead_store');
	return store.rows[0]!.version;
}
