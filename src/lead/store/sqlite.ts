import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { GroupCommit } from './group-commit.ts';
import { type ClaimedRow, claimedFrom, comparable, entriesFrom, type EntryRow, reasonOf } from './rows.ts';
import { prepareFile, resultCodeOf, resultCodes, type Parameters, type SqliteConnection } from './sqlite-connection.ts';
import { sql } from './sqlite-statements.ts';
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
 * Opens the store in a file of this machine, and makes the file where there is none. Several processes may have it open.
 *
 * @throws {StoreError} it cannot be opened: why, and what to do
 */
export async function openSqliteStore(path: string): Promise<LeadStore> {
	const file = resolve(path);
	try {
		prepareFile(file);
		const database = await openedByOneOfMany(file);
		const [row] = await database.read((connection) => connection.all<{ secret: Uint8Array }>('SELECT secret FROM lead_store'));
		return new SqliteStore(database, row!.secret);
	} catch (error) {
		throw new StoreError(
			`The lead store ${file} cannot be opened: ${reasonOf(error)}. ` +
				'See to it that the disk has room and that file and folder belong to the user who runs this program, or name another file in LEAD_STORE.',
			{ cause: error },
		);
	}
}

/** A new file becomes a WAL database without regard to the busy timeout, so processes that open it at once have to wait here. */
async function openedByOneOfMany(file: string, patience = 250): Promise<GroupCommit> {
	try {
		return new GroupCommit(file);
	} catch (error) {
		if (resultCodeOf(error) !== resultCodes.busy || patience === 0) throw error;
		await setTimeout(20);
		return openedByOneOfMany(file, patience - 1);
	}
}

class SqliteStore implements LeadStore {
	readonly secret: Buffer;
	readonly #database: GroupCommit;
	/** Keys of {@link Once} that wait for their commit. */
	readonly #saving = new Set<string>();

	constructor(database: GroupCommit, secret: Uint8Array) {
		this.#database = database;
		this.secret = Buffer.from(secret);
	}

	async insert(entry: NewEntry, now: number): Promise<Insertion> {
		if (entry.once === undefined) return this.#database.write((connection) => save(connection, entry, now));
		const { key } = entry.once;
		if (this.#saving.has(key)) return 'in-flight';
		this.#saving.add(key);
		try {
			return await this.#database.write((connection) => once(connection, entry, now) ?? save(connection, entry, now));
		} finally {
			this.#saving.delete(key);
		}
	}

	async claim({ channels, ...claim }: Claim): Promise<ClaimedDelivery[]> {
		return claimedFrom(await this.#all<ClaimedRow>(sql.claim, { ...claim, channels: JSON.stringify(channels) }));
	}

	async mark({ id, channel }: DeliveryKey, result: DeliveryResult): Promise<void> {
		const unless = { dueAt: null, at: null, reason: null };
		await this.#run(sql.mark, { ...unless, ...result, id, channel });
	}

	async endLeases(owner?: string): Promise<void> {
		await this.#run(sql.endLeases, { owner: owner ?? null });
	}

	async nextDue(channels: string[]): Promise<number | undefined> {
		const [row] = await this.#read<{ next: number | null }>(sql.nextDue, { channels: JSON.stringify(channels) });
		return row?.next ?? undefined;
	}

	async forget(onceKey: string): Promise<void> {
		await this.#run('DELETE FROM lead_onces WHERE key = :onceKey', { onceKey });
	}

	purge({ now, ...limits }: { receivedBefore: number; quarantineCap: number; now: number }): Promise<number> {
		return this.#database.write((connection) => {
			connection.run('DELETE FROM lead_onces WHERE expires_at <= :now', { now });
			return connection.run(sql.purge, limits);
		});
	}

	async list({ id, state }: { id?: string; state?: EntryState } = {}): Promise<StoredEntry[]> {
		const entries = entriesFrom(await this.#read<EntryRow>(sql.list, { id: id ?? null }));
		return entries.filter((entry) => state === undefined || entry.state === state);
	}

	retry(which: { id: string } | 'parked', now: number): Promise<number> {
		return which === 'parked' ? this.#run(sql.retryParked, { now }) : this.#run(sql.retryEntry, { now, id: which.id });
	}

	release(id: string, channels: string[], now: number): Promise<boolean> {
		return this.#database.write((connection) => {
			const released = connection.run('UPDATE lead_entries SET quarantined = 0 WHERE id = :id AND quarantined', { id }) > 0;
			if (released) enqueue(connection, { id, channels }, now);
			return released;
		});
	}

	async erase(email: string): Promise<number> {
		const whose = { email: comparable(email) };
		const erased = await this.#database.write((connection) => {
			connection.run(sql.forgetPerson, whose);
			return connection.run('DELETE FROM lead_entries WHERE email = :email', whose);
		});
		// The log of changes must not remember the person either.
		await this.#read('PRAGMA wal_checkpoint(TRUNCATE)');
		return erased;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#database[Symbol.dispose]();
	}

	#run(statement: string, parameters: Parameters): Promise<number> {
		return this.#database.write((connection) => connection.run(statement, parameters));
	}

	#all<Row>(statement: string, parameters: Parameters): Promise<Row[]> {
		return this.#database.write((connection) => connection.all<Row>(statement, parameters));
	}

	#read<Row>(statement: string, parameters?: Parameters): Promise<Row[]> {
		return this.#database.read((connection) => connection.all<Row>(statement, parameters));
	}
}

/** Claims what an entry may happen only once for; a result where it was claimed before. */
function once(connection: SqliteConnection, { id, once }: NewEntry, now: number): Insertion | undefined {
	const { key, fingerprint, expiresAt } = once!;
	if (connection.run(sql.claimOnce, { key, fingerprint, expiresAt, id, now }) > 0) return undefined;
	const [claimed] = connection.all<{ fingerprint: string }>('SELECT fingerprint FROM lead_onces WHERE key = :key', { key });
	return claimed?.fingerprint === fingerprint ? 'duplicate' : 'conflict';
}

function save(connection: SqliteConnection, entry: NewEntry, now: number): Insertion {
	const { id, kind, receivedAt, payload } = entry;
	const email = entry.email === null ? null : comparable(entry.email);
	connection.run(sql.insertEntry, { id, kind, receivedAt, email, payload, quarantined: Number(entry.quarantined) });
	enqueue(connection, entry, now);
	return 'inserted';
}

function enqueue(connection: SqliteConnection, { id, channels }: Pick<NewEntry, 'id' | 'channels'>, now: number): void {
	for (const channel of channels) connection.run(sql.insertDelivery, { id, channel, now });
}
