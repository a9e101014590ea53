import { createSecretKey, type KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
	type Claim,
	type ClaimedDelivery,
	CLOCK_ERROR,
	type DeliveryResult,
	type EntryState,
	type Insertion,
	type Lease,
	type NewEntry,
	type StoredEntry,
} from './entry.ts';
import { GroupCommit } from './group-commit.ts';
import { personHash } from '../keyed-hash.ts';
import { keyFrom, type KeyRow, type KeyStore, newKeyRow } from './key-store.ts';
import type { Judgement } from '../spam/judgement.ts';
import type { Context } from '../spam/signal.ts';
import { toClaimedDelivery, type ClaimedRow, entriesFrom, type EntryRow, newRow } from './rows.ts';
import type { Parameters, SqliteConnection } from './sqlite-connection.ts';
import { closeToOthers, prepareFile, resultCodeOf, resultCodes } from './sqlite-connection.ts';
import { entriesWhere, sql } from './sqlite-statements.ts';
import { reasonOf, StoreError } from './store-error.ts';
import {
	ALIKE,
	type Backlog,
	type Kept,
	type LeadStore,
	type Page,
	type Purged,
	type PurgeLimits,
	type StoreWaits,
} from './store.ts';

/** In milliseconds: the pause between two tries to open the file, or to empty the log of changes. */
const OPEN_PAUSE = 20;
const SCRUB_PAUSE = 200;
/** How many rows one transaction changes where there may be thousands. */
const BATCH = 200;

/**
 * Opens the store in a file of this machine. Several processes may have it open.
 *
 * @param creates whether to create file and tables if there are none
 * @throws {StoreError} the store cannot be opened; the message gives reason and remedy
 */
export async function openSqliteStore(path: string, creates: boolean, waits: StoreWaits = {}): Promise<LeadStore> {
	const { lock = 5000, scrub = 5000 } = waits;
	const file = resolve(path);
	try {
		if (creates) prepareFile(file);
		const database = await openWithRetry(file, lock, creates);
		closeToOthers(file);
		const [row] = await database.read((connection) => connection.all<{ secret: Uint8Array }>(sql.secret));
		return new SqliteStore(database, row!.secret, scrub);
	} catch (error) {
		if (error instanceof StoreError) throw error;
		throw new StoreError(
			`The lead store ${file} cannot be opened: ${reasonOf(error)}. ` +
				'See to it that the disk has room and that file and folder belong to the user who runs this program, or name another file in LEAD_STORE.',
			{ cause: error },
		);
	}
}

/** While one process creates the tables of a new file, others that open it must wait. */
async function openWithRetry(file: string, patience: number, creates: boolean): Promise<GroupCommit> {
	const until = performance.now() + patience;
	for (;;) {
		try {
			return new GroupCommit(file, patience, creates);
		} catch (error) {
			if (resultCodeOf(error) !== resultCodes.busy || performance.now() >= until) throw error;
		}
		await setTimeout(OPEN_PAUSE);
	}
}

class SqliteStore implements LeadStore {
	readonly secret: KeyObject;
	readonly keys: KeyStore;
	readonly #database: GroupCommit;
	readonly #scrubWait: number;

	constructor(database: GroupCommit, secret: Uint8Array, scrubWait: number) {
		this.#database = database;
		this.#scrubWait = scrubWait;
		this.secret = createSecretKey(secret);
		this.keys = sqliteKeys(database, this.secret);
	}

	insert(entry: NewEntry): Promise<Insertion> {
		const { once, channels, apiKey, wait } = entry;
		const { key, releasable, ...row } = newRow(entry, this.secret);
		return this.#write((connection, now) => {
			if (once && connection.run(sql.claimOnce, { ...once, person: row.person, now, clockError: CLOCK_ERROR }) === 0) {
				const [claimed] = connection.all<{ fingerprint: string }>(sql.fingerprint, { key: once.key });
				return claimed?.fingerprint === once.fingerprint ? 'duplicate' : 'conflict';
			}
			connection.run(sql.insertEntry, { ...row, slot: connection.keepKey(key), releasable: Number(releasable) });
			enqueue(connection, row.id, channels, now, wait);
			if (apiKey !== undefined) connection.run(sql.countLeadOfApiKey, { id: apiKey });
			return 'inserted';
		});
	}

	claim(claim: Claim): Promise<ClaimedDelivery[]> {
		return this.#write((connection, now) =>
			connection.all<ClaimedRow>(sql.claim, { ...claim, clockError: CLOCK_ERROR, now }).map(toClaimedDelivery),
		);
	}

	mark({ id, channel, owner }: Lease, result: DeliveryResult): Promise<boolean> {
		const [statement, values] =
			result.state === 'sent'
				? [sql.markSent, { note: result.note ?? null }]
				: [sql.markFailed, { wait: null, ...result, owner }];
		const onceKey = result.state === 'sent' ? result.ends : undefined;
		return this.#write((connection, now) => {
			if (onceKey !== undefined) connection.run(sql.forget, { onceKey });
			return connection.run(statement, { ...values, id, channel, now }) > 0;
		});
	}

	judge(id: string, judgement: Judgement): Promise<boolean> {
		const held = judgement.verdict === 'held';
		return this.#write((connection) => {
			const judged = connection.run(sql.judge, { id, spam: JSON.stringify(judgement), held: Number(held) }) > 0;
			if (judged && held) connection.run(sql.takeBack, { id });
			return judged;
		});
	}

	alike(fingerprint: string, id: string, since: number): Promise<StoredEntry[]> {
		return this.#entries(entriesWhere.alike, { fingerprint, id, since, limit: ALIKE });
	}

	async train(id: string, judgement: Judgement, traits: string[]): Promise<void> {
		const { verdict } = judgement;
		await this.#write((connection, now) => {
			const known = connection.run(sql.train, { id, spam: JSON.stringify(judgement), clear: Number(verdict === 'clear') }) > 0;
			connection.run(sql.forgetTraits, { id });
			if (known) connection.run(sql.learn, { id, verdict, now, traits: JSON.stringify(traits) });
		});
	}

	async recall(traits: string[]): Promise<Context['trained']> {
		const [row] = await this.#read<{ verdict: Context['trained'] }>(sql.recall, { traits: JSON.stringify(traits) });
		return row?.verdict;
	}

	async endLeases(owner?: string): Promise<void> {
		await this.#write((connection, now) => connection.run(sql.endLeases, { owner: owner ?? null, now }));
	}

	async untilDue(channel: string): Promise<number | undefined> {
		const [row] = await this.#read<{ wait: number }>(sql.untilDue, { channel, now: Date.now() });
		return row?.wait;
	}

	async pendingChannels(): Promise<string[]> {
		return (await this.#read<{ channel: string }>(sql.pendingChannels)).map(({ channel }) => channel);
	}

	async forget(onceKey: string): Promise<void> {
		await this.#write((connection) => connection.run(sql.forget, { onceKey }));
	}

	purge(limits: PurgeLimits): Promise<Purged> {
		const { age, batch } = limits;
		const statements = sql.purgeEntries(limits);
		return this.#write((connection, now) => {
			const onces = connection.run(sql.purgeOnces, { batch, now });
			const aged = connection.run(statements.aged, { now });
			const excess = connection.run(statements.excess, {});
			const keys = connection.run(sql.purgeApiKeys, { age, now });
			return { aged: aged + keys, excess, done: Math.max(onces, aged, excess) < batch };
		});
	}

	/** `secure_delete` overwrites deleted rows in the file; the log of changes beside it holds them until it is emptied. */
	async scrub(): Promise<boolean> {
		const until = performance.now() + this.#scrubWait;
		do {
			const [row] = await this.#read<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)');
			if (row?.busy === 0) return true;
			await setTimeout(SCRUB_PAUSE);
		} while (performance.now() < until);
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

	list({ state, source, trained, before, limit }: Page): Promise<StoredEntry[]> {
		const conditions = [
			entriesWhere.all,
			state && entriesWhere.inState,
			source !== undefined && entriesWhere.fromSource,
			trained && entriesWhere.trained,
			before && entriesWhere.before,
		];
		const parameters = {
			...(state && { state }),
			...(source !== undefined && { source }),
			...(before && { beforeTime: before.receivedAt, beforeId: before.id }),
		};
		return this.#entries(conditions.filter(Boolean).join(' AND '), { ...parameters, limit });
	}

	async find(idPart: string): Promise<StoredEntry[]> {
		const parameters = { part: idPart, limit: 2 };
		const found = await this.#entries(entriesWhere.beginning, parameters);
		return found.length > 0 || idPart.length < 8 ? found : this.#entries(entriesWhere.ending, parameters);
	}

	async countUntold(limit: number): Promise<number> {
		const [row] = await this.#read<{ number: number }>(sql.countUntold, { limit });
		return row!.number;
	}

	async announce(notice: string): Promise<void> {
		await this.#inBatches((connection, limit) => connection.run(sql.announce, { notice, limit }));
	}

	announcedBy(notice: string, limit: number): Promise<StoredEntry[]> {
		return this.#entries(entriesWhere.announced, { notice, limit });
	}

	async markTold(notice: string): Promise<void> {
		await this.#inBatches((connection, limit, now) => connection.run(sql.markTold, { notice, limit, now }));
	}

	async retry(which: { id: string } | 'stuck', channels: string[]): Promise<number> {
		const configured = { channels: JSON.stringify(channels) };
		// Selects once: what is parked again meanwhile must not be retried for ever.
		const entries = which === 'stuck' ? await this.#read<{ id: string }>(sql.stuck, configured) : [which];
		let due = 0;
		while (entries.length > 0) {
			const ids = JSON.stringify(entries.splice(-BATCH).map(({ id }) => id));
			due += await this.#write((connection, now) => {
				connection.run(sql.addChannels, { ...configured, ids, now });
				connection.run(sql.endChannels, { ...configured, ids });
				return connection.run(sql.retry, { ids, now });
			});
		}
		return due;
	}

	release(id: string, channels: string[]): Promise<boolean> {
		return this.#write((connection, now) => {
			const released = connection.run(sql.release, { id }) > 0;
			if (released) enqueue(connection, id, channels, now);
			return released;
		});
	}

	async countOf(email: string): Promise<Kept> {
		const [row] = await this.#read<Kept>(sql.countOf, { person: personHash(this.secret, email) });
		return row!;
	}

	async erase(email: string): Promise<Kept> {
		const whose = { person: personHash(this.secret, email) };
		const entries = await this.#inBatches((connection, limit) => connection.run(sql.erase, { ...whose, limit }));
		return this.#write((connection) => {
			connection.run(sql.forgetPerson, whose);
			return { entries, keys: connection.run(sql.eraseApiKeys, whose) };
		});
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.#database[Symbol.asyncDispose]();
	}

	async #entries(where: string, parameters: Parameters): Promise<StoredEntry[]> {
		return entriesFrom(await this.#read<EntryRow>(sql.list(where), parameters));
	}

	#write<Result>(work: (connection: SqliteConnection, now: number) => Result): Promise<Result> {
		return this.#database.write((connection) => work(connection, Date.now()));
	}

	/**
	 * Changes a few rows at a time, so that other work gets a turn.
	 *
	 * @param work changes up to `limit` rows, returns how many
	 * @returns how many rows were changed in all
	 */
	async #inBatches(work: (connection: SqliteConnection, limit: number, now: number) => number): Promise<number> {
		let total = 0;
		for (;;) {
			const changed = await this.#write((connection, now) => work(connection, BATCH, now));
			total += changed;
			if (changed < BATCH) return total;
		}
	}

	#read<Row>(statement: string, parameters?: Parameters): Promise<Row[]> {
		return this.#database.read((connection) => connection.all<Row>(statement, parameters));
	}
}

/** Makes an entry due over these channels, after a wait. Call it within a transaction. */
function enqueue(connection: SqliteConnection, id: string, channels: string[], now: number, wait = 0): void {
	for (const channel of channels) connection.run(sql.insertDelivery, { id, channel, now, wait });
}

/** API keys in the file of the lead store. */
function sqliteKeys(database: GroupCommit, secret: KeyObject): KeyStore {
	const change = async (statement: string, parameters: Parameters) => {
		await database.write((connection) => connection.run(statement, parameters));
	};
	const select = async (statement: string, parameters?: Parameters) =>
		(await database.read((connection) => connection.all<KeyRow>(statement, parameters))).map(keyFrom);

	return {
		async insert(newKey) {
			const { key, ...row } = newKeyRow(newKey, secret);
			await database.write((connection) => connection.run(sql.insertApiKey, { ...row, slot: connection.keepKey(key) }));
		},
		find: async (id) => (await select(sql.apiKeys('id = :id'), { id }))[0],
		list: () => select(sql.apiKeys()),
		revoke: (id, now) => change(sql.revokeApiKey, { id, now }),
		used: (id, day) => change(sql.apiKeyUsed, { id, day }),
	};
}
