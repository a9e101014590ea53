import pg, { type Pool, type QueryResult, type QueryResultRow } from 'pg';
import { migrate } from './postgres-schema.ts';
import { sql } from './postgres-statements.ts';
import { type ClaimedRow, claimedFrom, comparable, entriesFrom, type EntryRow, reasonOf } from './rows.ts';
import {
	type Claim,
	type ClaimedDelivery,
	type DeliveryKey,
	type DeliveryResult,
	type EntryState,
	type Insertion,
	type LeadStore,
	type NewEntry,
	type StoredEntry,
	StoreError,
} from './store.ts';

/**
 * Opens the store in a PostgreSQL database, version 11 or later, for any number of instances.
 *
 * @param url a connection string with what `pg` understands, `sslmode` and the like included
 * @throws {StoreError} it cannot be opened: why, and what to do; it names host and database, and never the password
 */
export async function openPostgresStore(url: string): Promise<LeadStore> {
	let pool: Pool | undefined;
	try {
		pool = poolFor(url);
		const secret = await migrate(pool);
		await requireDurability(pool);
		return new PostgresStore(pool, secret);
	} catch (error) {
		await pool?.end();
		throw new StoreError(
			`The lead store ${nameOf(url)} cannot be opened: ${reasonOf(error)}. ` +
				'See to it that LEAD_STORE is right, that the server runs, and that this user may create tables in the database.',
			{ cause: error },
		);
	}
}

/** Where we are connected to, as the driver understands it. */
function nameOf(url: string): string {
	try {
		const { host, database } = new pg.Client(url);
		return `on PostgreSQL (database ${database} on ${host})`;
	} catch {
		return 'on PostgreSQL';
	}
}

function poolFor(connectionString: string): Pool {
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

/** A commit that is not on the disk when it returns would break the store's promise. */
async function requireDurability(pool: Pool): Promise<void> {
	const { rows } = await pool.query<{ name: string }>(
		`SELECT name FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit') AND setting = 'off'`,
	);
	if (rows[0]) throw new Error(`it has ${rows[0].name} = off, and so would lose leads in a crash; turn it on`);
}

class PostgresStore implements LeadStore {
	readonly secret: Buffer;
	readonly #pool: Pool;

	constructor(pool: Pool, secret: Buffer) {
		this.#pool = pool;
		this.secret = secret;
	}

	async insert(entry: NewEntry, now: number): Promise<Insertion> {
		const { id, kind, receivedAt, payload, quarantined, channels, once } = entry;
		const email = entry.email === null ? null : comparable(entry.email);
		const claim = [once?.key ?? null, once?.fingerprint ?? null, once?.expiresAt ?? null];
		const values = [id, kind, receivedAt, email, payload, quarantined, channels, now, ...claim];
		const [outcome] = await this.#rows<{ free: boolean; saved: boolean }>(sql.insert, values);
		if (outcome!.saved) return 'inserted';
		if (!outcome!.free) return 'in-flight';

		const [claimed] = await this.#rows<{ fingerprint: string }>('SELECT fingerprint FROM lead_onces WHERE key = $1', [once!.key]);
		// Forgotten between the two statements: it may happen after all.
		if (claimed === undefined) return this.insert(entry, now);
		return claimed.fingerprint === once!.fingerprint ? 'duplicate' : 'conflict';
	}

	async claim({ channels, now, limit, owner, leaseUntil }: Claim): Promise<ClaimedDelivery[]> {
		return claimedFrom(await this.#rows<ClaimedRow>(sql.claim, [channels, now, limit, owner, leaseUntil]));
	}

	async mark({ id, channel }: DeliveryKey, result: DeliveryResult): Promise<void> {
		const { state, dueAt, at, reason } = { dueAt: null, at: null, reason: null, ...result };
		await this.#query(sql.mark, [id, channel, state, dueAt, at, reason]);
	}

	async endLeases(owner?: string): Promise<void> {
		await this.#query(sql.endLeases, [owner ?? null]);
	}

	async nextDue(channels: string[]): Promise<number | undefined> {
		const [row] = await this.#rows<{ next: number | null }>(sql.nextDue, [channels]);
		return row?.next ?? undefined;
	}

	async forget(onceKey: string): Promise<void> {
		await this.#query('DELETE FROM lead_onces WHERE key = $1', [onceKey]);
	}

	async purge({ receivedBefore, quarantineCap, now }: { receivedBefore: number; quarantineCap: number; now: number }) {
		await this.#query('DELETE FROM lead_onces WHERE expires_at <= $1', [now]);
		return this.#count(sql.purge, [receivedBefore, quarantineCap]);
	}

	async list({ id, state }: { id?: string; state?: EntryState } = {}): Promise<StoredEntry[]> {
		const entries = entriesFrom(await this.#rows<EntryRow>(sql.list, [id ?? null]));
		return entries.filter((entry) => state === undefined || entry.state === state);
	}

	retry(which: { id: string } | 'parked', now: number): Promise<number> {
		return which === 'parked' ? this.#count(sql.retryParked, [now]) : this.#count(sql.retryEntry, [now, which.id]);
	}

	async release(id: string, channels: string[], now: number): Promise<boolean> {
		return (await this.#rows(sql.release, [id, channels, now])).length > 0;
	}

	async erase(email: string): Promise<number> {
		return (await this.#rows(sql.erase, [comparable(email)])).length;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#pool.end();
	}

	async #rows<Row extends QueryResultRow>(statement: string, values: unknown[]): Promise<Row[]> {
		return (await this.#query<Row>(statement, values)).rows;
	}

	async #count(statement: string, values: unknown[]): Promise<number> {
		return (await this.#query(statement, values)).rowCount ?? 0;
	}

	async #query<Row extends QueryResultRow>(statement: string, values: unknown[]): Promise<QueryResult<Row>> {
		try {
			return await this.#pool.query<Row>(statement, values);
		} catch (error) {
			throw new StoreError(`The lead store failed: ${reasonOf(error)}. It goes on by itself once the cause is gone.`, {
				cause: error,
			});
		}
	}
}
