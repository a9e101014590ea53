import pg, { type Pool, type QueryResult, type QueryResultRow } from 'pg';
import { committed } from '../events.ts';
import { storeFailure } from './store-error.ts';

/** Where we are connected to, as the driver understands it. */
export function nameOf(url: string): string {
	try {
		const { host, database } = new pg.Client(url);
		return `on PostgreSQL (database ${database} on ${host})`;
	} catch {
		return 'on PostgreSQL';
	}
}

/** Connections to the database, opened when they are needed; numbers of 64 bits are numbers. */
export function poolFor(connectionString: string): Pool {
	const pool = new pg.Pool({
		connectionString,
		max: 10,
		connectionTimeoutMillis: 5_000,
		// Not `statement_timeout`: connection poolers refuse it.
		query_timeout: 10_000,
		keepAlive: true,
		types: { getTypeParser: (type, format) => (type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format)) },
	});
	// The pool has dropped the connection and opens another when it needs one; unheard, the event would end the process.
	pool.on('error', () => {});
	return pool;
}

/** @throws {StoreError} the database cannot do it */
export async function ask<Row extends QueryResultRow>(
	pool: Pool,
	statement: string,
	values: unknown[],
): Promise<QueryResult<Row>> {
	try {
		const start = performance.now();
		const result = await pool.query<Row>(statement, values);
		committed.publish({ took: performance.now() - start });
		return result;
	} catch (error) {
		throw storeFailure(error);
	}
}

/** A commit that is not on the disk when it returns would break the store's promise. */
export async function requireDurability(pool: Pool): Promise<void> {
	const { rows } = await pool.query<{ name: string }>(
		`SELECT name FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit') AND setting = 'off'`,
	);
	if (rows[0]) throw new Error(`it has ${rows[0].name} = off, and so would lose leads in a crash; turn it on`);
}
