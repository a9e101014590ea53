import { createSecretKey, type KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { allComparable, comparable } from '../email-address.ts';
import { type Claim, type ClaimedDelivery, CLOCK_ERROR, type DeliveryResult, type Lease } from './delivery.ts';
import type { DeliveryState, EntryState, Insertion, NewEntry, StoredEntry } from './entry.ts';
import { GroupCommit } from './group-commit.ts';
import { personHash, sourceHash } from './index-hash.ts';
import { entriesFrom } from './rows.ts';
import { type Parameters, prepareFile, resultCodeOf, resultCodes, type SqliteConnection } from './sqlite-connection.ts';
import { claimOnce, type ClaimedRow, enqueue, saveEntry, type SealedRow, unsealed, withContent } from './sqlite-entry.ts';
import { SqliteKeys } from './sqlite-keys.ts';
import { entriesWhere, sql } from './sqlite-statements.ts';
import { reasonOf, StoreError } from './store-error.ts';
import type { Backlog, Kept, LeadStore, Page, PurgeLimits } from './store.ts';

/** How often to look whether whoever reads the file has let go, and how long to wait in between, in milliseconds. */
const SCRUB_TRIES = 25;
const SCRUB_PAUSE = 200;

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
		const [row] = await database.read((connection) => connection.all<{ secret: Uint8Array }>(sql.secret));
		return new SqliteStore(database, row!.secret);
	} catch (error) {
		throw new StoreError(
			`The lead store ${file} cannot be opened: ${reasonOf(error)}. ` +
				'See to it that the disk has room and that file and folder belong to the user who runs this program, or name another file in LEAD_STORE.',
			{ cause: error },
		);
	}
}

/** While one process makes the tables of a new file, others that open it at once have to wait. */
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
	readonly secret: KeyObject;
	readonly keys: SqliteKeys;
	readonly #database: GroupCommit;
	/** Keys of what may happen only once, that wait for their commit. */
	readonly #saving = new Set<string>();

	constructor(database: GroupCommit, secret: Uint8Array) {
		this.#database = database;
		this.secret = createSecretKey(secret);
		this.keys = new SqliteKeys(database, this.secret);
	}

	async insert(entry: NewEntry): Promise<Insertion> {
		const key = entry.once?.key;
		if (key === undefined) return this.#save(entry);
		if (this.#saving.has(key)) return 'in-flight';
		this.#saving.add(key);
		try {
			return await this.#save(entry);
		} finally {
			this.#saving.delete(key);
		}
	}

	claim({ inHand, ...claim }: Claim): Promise<ClaimedDelivery[]> {
		const parameters = { ...claim, inHand: JSON.stringify(inHand), clockError: CLOCK_ERROR };
		return this.#write((connection, now) =>
			connection.all<ClaimedRow>(sql.claim, { ...parameters, now }).map((row) => withContent(connection, row)),
		);
	}

	async mark(lease: Lease, result: DeliveryResult): Promise<DeliveryState | undefined> {
		const { id, channel, owner } = lease;
		const [row] = await this.#write((connection, now) =>
			result.state === 'sent'
				? connection.all<{ state: DeliveryState }>(sql.markSent, { id, channel, now })
				: connection.all<{ state: DeliveryState }>(sql.markFailed, { wait: null, ...result, id, channel, owner, now }),
		);
		return row?.state;
	}

	async endLeases(owner?: string): Promise<void> {
		await this.#write((connection, now) => connection.run(sql.endLeases, { owner: owner ?? null, now }));
	}

	async untilDue(channel: string, inHand: string[]): Promise<number | undefined> {
		const [row] = await this.#read<{ wait: number }>(sql.untilDue, { channel, inHand: JSON.stringify(inHand), now: Date.now() });
		return row?.wait;
	}

	async waitingChannels(): Promise<string[]> {
		return (await this.#read<{ channel: string }>(sql.waitingChannels)).map(({ channel }) => channel);
	}

	async forget(onceKey: string): Promise<void> {
		await this.#write((connection) => connection.run(sql.forget, { onceKey }));
	}

	purge({ batch, ...limits }: PurgeLimits): Promise<{ deleted: number; done: boolean }> {
		return this.#write((connection, now) => {
			const onces = connection.run(sql.purgeOnces, { batch, now });
			const entries = connection.run(sql.purgeEntries, { ...limits, batch, now });
			const keys = connection.run(sql.purgeApiKeys, { age: limits.age, now });
			return { deleted: entries + keys, done: onces < batch && entries < batch };
		});
	}

	/** In the file what was deleted is overwritten; the log of changes beside it has it until it is emptied. */
	async scrub(): Promise<boolean> {
		for (let tries = 0; tries < SCRUB_TRIES; tries += 1) {
			const [row] = await this.#read<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)');
			if (row?.busy === 0) return true;
			await setTimeout(SCRUB_PAUSE);
		}
		return false;
	}

	async count(): Promise<Record<EntryState, number>> {
		const rows = await this.#read<{ state: EntryState; leads: number }>(sql.count);
		return Object.fromEntries(rows.map(({ state, leads }) => [state, leads])) as Record<EntryState, number>;
	}

	async backlog(): Promise<Backlog> {
		const [row] = await this.#read<Backlog>(sql.backlog);
		return row!;
	}

	list({ state, source, before, limit }: Page): Promise<StoredEntry[]> {
		const conditions = [
			entriesWhere.all,
			state && entriesWhere.inState,
			source !== undefined && entriesWhere.fromSource,
			before && entriesWhere.before,
		];
		const parameters = {
			...(state && { state }),
			...(source !== undefined && { source: sourceHash(this.secret, source) }),
			...(before && { beforeTime: before.receivedAt, beforeId: before.id }),
		};
		return this.#entries(conditions.filter(Boolean).join(' AND '), { ...parameters, limit });
	}

	async find(idPart: string): Promise<StoredEntry[]> {
		const parameters = { part: idPart, limit: 2 };
		const found = await this.#entries(entriesWhere.beginning, parameters);
		return found.length > 0 || idPart.length < 8 ? found : this.#entries(entriesWhere.ending, parameters);
	}

	quarantined(ids: string[]): Promise<StoredEntry[]> {
		return this.#entries(entriesWhere.quarantined, { ids: JSON.stringify(ids), limit: ids.length });
	}

	async awaitingNotice(): Promise<string[]> {
		return (await this.#read<{ id: string }>(sql.awaitingNotice)).map(({ id }) => id);
	}

	async markNotified(ids: string[]): Promise<void> {
		await this.#write((connection) => connection.run(sql.markNotified, { ids: JSON.stringify(ids) }));
	}

	retry(which: { id: string } | 'parked'): Promise<number> {
		return this.#write((connection, now) =>
			which === 'parked' ? connection.run(sql.retryParked, { now }) : connection.run(sql.retryEntry, { now, id: which.id }),
		);
	}

	release(id: string, channels: string[]): Promise<boolean> {
		return this.#write((connection, now) => {
			const released = connection.run(sql.release, { id }) > 0;
			if (released) enqueue(connection, { id, channels }, now);
			return released;
		});
	}

	async countOf(email: string): Promise<Kept> {
		const [row] = await this.#read<Kept>(sql.countOf, this.#whose(email));
		return row!;
	}

	erase(email: string): Promise<Kept> {
		const whose = this.#whose(email);
		return this.#write((connection) => {
			connection.run(sql.forgetPerson, whose);
			return { entries: connection.run(sql.erase, whose), keys: connection.run(sql.eraseApiKeys, whose) };
		});
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.#database[Symbol.asyncDispose]();
	}

	#save(entry: NewEntry): Promise<Insertion> {
		const index = {
			person: entry.email === null ? null : personHash(this.secret, comparable(entry.email)),
			source: entry.source === null ? null : sourceHash(this.secret, entry.source),
		};
		return this.#write((connection, now) => {
			const earlier = claimOnce(connection, entry, now);
			if (earlier) return earlier;
			saveEntry(connection, entry, index, now);
			return 'inserted';
		});
	}

	#whose(email: string): { persons: string } {
		return { persons: JSON.stringify(allComparable(email).map((each) => personHash(this.secret, each))) };
	}

	async #entries(where: string, parameters: Parameters): Promise<StoredEntry[]> {
		const rows = await this.#read<SealedRow>(sql.list(where), parameters);
		return entriesFrom(rows.map(unsealed));
	}

	#write<Result>(work: (connection: SqliteConnection, now: number) => Result): Promise<Result> {
		return this.#database.write((connection) => work(connection, Date.now()));
	}

	#read<Row>(statement: string, parameters?: Parameters): Promise<Row[]> {
		return this.#database.read((connection) => connection.all<Row>(statement, parameters));
	}
}
