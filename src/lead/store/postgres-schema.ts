import { createHash, randomBytes } from 'node:crypto';
import type { ClientBase, DatabaseError, Pool } from 'pg';
import { bare, sharedTables } from './shared-schema.ts';
import { noTables, StoreError } from './store-error.ts';

/**
 * PostgreSQL copies values into statistics, which outlive their rows, and into its log and backups. So personal data is sealed,
 * and neither the sealed columns nor those that find them have statistics. A deleted row stays in the file until the table is
 * written again, so its key may lie beside the text that it seals.
 */
const tables = `
	CREATE TABLE lead_store (
		id int PRIMARY KEY CHECK (id = 1),
		-- tells these tables from those of another version
		tables text NOT NULL,
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

/** Tells these tables from those of any other version. */
const version = createHash('sha256').update(bare(tables)).digest('base64url');

/** Our number among the advisory locks of the database: any number that nobody else uses. */
const CREATION_LOCK = 1_818_583_395;

/**
 * Returns the store's secret. Creates the tables if there are none, safely when several instances start at once.
 *
 * @param place names the database in messages
 * @throws {StoreError} its tables are not ours, or there are none and it `creates` none
 */
export async function openTables(pool: Pool, place: string, creates: boolean): Promise<Buffer> {
	const client = await pool.connect();
	// A running query rejects as well. Without a listener the event would end the process.
	client.on('error', () => {});
	try {
		await client.query('BEGIN');
		if (creates) await client.query(`SELECT pg_advisory_xact_lock(${CREATION_LOCK})`);
		if (!(await hasTables(client))) {
			if (!creates) throw noTables(place);
			await createTables(client, place);
		}
		const { rows } = await client.query<{ secret: Buffer; tables?: string }>('SELECT * FROM lead_store');
		await client.query('COMMIT');
		if (rows[0]?.tables !== version) throw notOurs(place, 'lead_store differs');
		return rows[0].secret;
	} finally {
		// Not returned to the pool: an open transaction ends with the connection.
		client.release(true);
	}
}

async function hasTables(client: ClientBase): Promise<boolean> {
	const { rows } = await client.query<{ there: boolean }>(`SELECT to_regclass('lead_store') IS NOT NULL AS there`);
	return rows[0]!.there;
}

async function createTables(client: ClientBase, place: string): Promise<void> {
	try {
		await client.query(tables);
	} catch (error) {
		if ((error as DatabaseError).code === DUPLICATE_TABLE) throw notOurs(place, (error as DatabaseError).message);
		throw error;
	}
	await client.query('INSERT INTO lead_store (id, tables, secret) VALUES (1, $1, $2)', [version, randomBytes(32)]);
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const DUPLICATE_TABLE = '42P07';

const notOurs = (place: string, how: string) =>
	new StoreError(
		`The lead store ${place} cannot be opened: another version of this program has made its tables, or another program (${how}). ` +
			'Read them with the version that wrote them, and name an empty database in LEAD_STORE: the server makes new tables there.',
	);
