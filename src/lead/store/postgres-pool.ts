import pg, { type Pool, type PoolConfig, type QueryResult, type QueryResultRow } from 'pg';
import { storeFailure } from './store-error.ts';

/** Returns the database and host that a URL names, as the driver reads it. */
export function nameOf(url: string): string {
	try {
		const { host, database } = new pg.Client(url);
		return `on PostgreSQL (database ${database} on ${host})`;
	} catch {
		return 'on PostgreSQL';
	}
}

/**
 * Returns a pool that opens connections on demand. It reads 64-bit integers as numbers.
 *
 * @param limits replace the usual ones
 * @param lock in milliseconds: how long a statement waits for a lock
 */
export function poolFor(connectionString: string, limits: PoolConfig = {}, lock = 8000): Pool {
	const pool = new pg.Pool({
		connectionString,
		max: 10,
		connectionTimeoutMillis: 5_000,
		// Not `statement_timeout`: connection poolers refuse it.
		query_timeout: 10_000,
		// A statement that waits for a lock goes on waiting at the server after its connection is closed, and each takes one of its connections.
		onConnect: (client) => client.query(`SET lock_timeout = ${lock}`),
		keepAlive: true,
		types: { getTypeParser: (type, format) => (type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format)) },
		...limits,
	});
	// The pool drops the connection and opens another when it needs one. Without a listener the event would end the process.
	pool.on('error', () => {});
	return pool;
}

/** @throws {StoreError} the database cannot run the statement */
export async function ask<Row extends QueryResultRow>(
	pool: Pool,
	statement: string,
	values: unknown[],
): Promise<QueryResult<Row>> {
	try {
		return await pool.query<Row>(statement, values);
	} catch (error) {
		throw storeFailure(error);
	}
}

/** The store promises that a commit is on the disk when it returns. */
export async function requireDurability(pool: Pool): Promise<void> {
	const { rows } = await pool.query<{ name: string }>(
		`SELECT name FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit') AND setting = 'off'`,
	);
	if (rows[0]) throw new Error(`it has ${rows[0].name} = off, and so would lose leads in a crash; turn it on`);
}
