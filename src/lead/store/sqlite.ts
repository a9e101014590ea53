import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { GroupCommit } from './group-commit.ts';
import { CLOCK_ERROR, comparable, entriesFrom, type EntryRow, reasonOf } from './rows.ts';
import { unseal, seal } from './seal.ts';
import { prepareFile, resultCodeOf, resultCodes, type Parameters, type SqliteConnection } from './sqlite-connection.ts';
import { personHash } from './sqlite-schema.ts';
import { entriesWhere, sql } from './sqlite-statements.ts';
import {
	type Claim,
	type ClaimedDelivery,
	type DeliveryResult,
	type DeliveryState,
	type EntryState,
	type Insertion,
	type LeadStore,
	type Lease,
	type NewEntry,
	type Page,
	type PurgeLimits,
	type StoredEntry,
	StoreError,
} from './store.ts';

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

	async insert(entry: NewEntry): Promise<Insertion> {
		if (entry.once === undefined) return this.#write((connection, now) => this.#save(connection, entry, now));
		const { key } = entry.once;
		if (this.#saving.has(key)) return 'in-flight';
		this.#saving.add(key);
		try {
			return await this.#write((connection, now) => once(connection, entry, now) ?? this.#save(connection, entry, now));
		} finally {
			this.#saving.delete(key);
		}
	}

	claim({ inHand, ...claim }: Claim): Promise<ClaimedDelivery[]> {
		const parameters = { ...claim, inHand: JSON.stringify(inHand), clockError: CLOCK_ERROR };
		return this.#write((connection, now) =>
			connection
				.all<Omit<ClaimedDelivery, 'kind' | 'payload'>>(sql.claim, { ...parameters, now })
				.map((delivery) => ({ ...delivery, ...contentOf(connection, delivery.id) })),
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
		await this.#write((connection) => connection.run('DELETE FROM lead_onces WHERE key = :onceKey', { onceKey }));
	}

	purge({ batch, ...limits }: PurgeLimits): Promise<{ entries: number; done: boolean }> {
		return this.#write((connection, now) => {
			const onces = connection.run(sql.purgeOnces, { batch, now });
			const entries = connection.run(sql.purgeEntries, { ...limits, batch, now });
			return { entries, done: onces < batch && entries < batch };
		});
	}

	/** The log of changes still has what the file has no longer. */
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

	list({ state, before, limit }: Page): Promise<StoredEntry[]> {
		const conditions = [entriesWhere.all, state && entriesWhere.inState, before && entriesWhere.before].filter(Boolean);
		const parameters = { ...(state && { state }), ...(before && { beforeTime: before.receivedAt, beforeId: before.id }) };
		return this.#entries(conditions.join(' AND '), { ...parameters, limit });
	}

	async find(idPart: string): Promise<StoredEntry[]> {
		const parameters = { part: idPart, limit: 2 };
		const found = await this.#entries(entriesWhere.beginning, parameters);
		return found.length > 0 || idPart.length < 8 ? found : this.#entries(entriesWhere.ending, parameters);
	}

	quarantined(ids: string[]): Promise<StoredEntry[]> {
		return this.#entries(entriesWhere.quarantined, { ids: JSON.stringify(ids), limit: ids.length });
	}

	async untold(): Promise<string[]> {
		return (await this.#read<{ id: string }>(sql.untold)).map(({ id }) => id);
	}

	async told(ids: string[]): Promise<void> {
		await this.#write((connection) => connection.run(sql.told, { ids: JSON.stringify(ids) }));
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

	async countOf(email: string): Promise<number> {
		const [row] = await this.#read<{ entries: number }>(sql.countOf, { person: this.#personOf(email) });
		return row!.entries;
	}

	erase(email: string): Promise<number> {
		const whose = { person: this.#personOf(email) };
		return this.#write((connection) => {
			connection.run(sql.forgetPerson, whose);
			return connection.run(sql.erase, whose);
		});
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#database[Symbol.asyncDispose]();
	}

	#save(connection: SqliteConnection, entry: NewEntry, now: number): Insertion {
		const { id, kind, receivedAt, email, payload, quarantine, channels } = entry;
		const { key, text } = seal(payload);
		connection.run(sql.insertEntry, {
			...{ id, kind, receivedAt, text, slot: slotFor(connection, key) },
			person: email === null ? null : this.#personOf(email),
			state: quarantine ? 'quarantined' : channels.length > 0 ? 'waiting' : 'delivered',
			releasable: Number(quarantine === 'releasable'),
		});
		enqueue(connection, entry, now);
		return 'inserted';
	}

	#personOf(email: string): string {
		return personHash(this.secret, comparable(email));
	}

	async #entries(where: string, parameters: Parameters): Promise<StoredEntry[]> {
		const rows = await this.#read<SealedRow>(sql.list(where), parameters);
		return entriesFrom(rows.map(({ text, key, ...row }) => ({ ...row, payload: unsealed({ text, key }) }) as EntryRow));
	}

	#write<Result>(work: (connection: SqliteConnection, now: number) => Result): Promise<Result> {
		return this.#database.write((connection) => work(connection, Date.now()));
	}

	#read<Row>(statement: string, parameters?: Parameters): Promise<Row[]> {
		return this.#database.read((connection) => connection.all<Row>(statement, parameters));
	}
}

type SealedRow = Omit<EntryRow, 'payload'> & { text: Uint8Array; key: Uint8Array };

function contentOf(connection: SqliteConnection, id: string): Pick<ClaimedDelivery, 'kind' | 'payload'> {
	const [row] = connection.all<{ kind: NewEntry['kind']; text: Uint8Array; key: Uint8Array }>(sql.payload, { id });
	return { kind: row!.kind, payload: unsealed(row!) };
}

/** What cannot be unsealed is no text, and must not keep others from being read. */
function unsealed(sealed: Pick<SealedRow, 'text' | 'key'>): string {
	try {
		return unseal(sealed);
	} catch {
		return '';
	}
}

/** Keeps a key where an erased one has been, or in a place of its own. */
function slotFor(connection: SqliteConnection, key: Uint8Array): number {
	const [reused] = connection.all<{ slot: number }>(sql.reuseKeySlot, { key });
	const [row = reused] = reused ? [] : connection.all<{ slot: number }>(sql.addKeySlot, { key });
	return row!.slot;
}

/** Claims what an entry may happen only once for; a result where it was claimed before. */
function once(connection: SqliteConnection, { id, once }: NewEntry, now: number): Insertion | undefined {
	const { key, fingerprint, lifetime } = once!;
	if (connection.run(sql.claimOnce, { key, fingerprint, lifetime, id, now, clockError: CLOCK_ERROR }) > 0) return undefined;
	const [claimed] = connection.all<{ fingerprint: string }>('SELECT fingerprint FROM lead_onces WHERE key = :key', { key });
	return claimed?.fingerprint === fingerprint ? 'duplicate' : 'conflict';
}

function enqueue(connection: SqliteConnection, { id, channels }: Pick<NewEntry, 'id' | 'channels'>, now: number): void {
	for (const channel of channels) connection.run(sql.insertDelivery, { id, channel, now });
}
