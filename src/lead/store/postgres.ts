import { createSecretKey, type KeyObject } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Pool, QueryResult, QueryResultRow } from 'pg';
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
import { personHash } from '../keyed-hash.ts';
import { keyFrom, type KeyRow, type KeyStore, newKeyRow } from './key-store.ts';
import { ask, nameOf, poolFor, requireDurability } from './postgres-pool.ts';
import { openTables } from './postgres-schema.ts';
import { entriesWhere, sql } from './postgres-statements.ts';
import type { Judgement } from '../spam/judgement.ts';
import type { Context } from '../spam/signal.ts';
import { toClaimedDelivery, type ClaimedRow, entriesFrom, type EntryRow, newRow } from './rows.ts';
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

/** In milliseconds: the pause between two tries to write the tables again, and the limit for one. */
const SCRUB_PAUSE = 200;
const SCRUB_TIMEOUT = 600_000;
/** How many entries one statement changes: all at once could take longer than a statement may. */
const BATCH = 1000;

/**
 * Opens the store in a PostgreSQL database, version 12 or later, for any number of instances.
 *
 * @param url a connection string that `pg` understands, with options such as `sslmode`
 * @param creates whether to create the tables if there are none
 * @param secret of the store, if this process has opened it before
 * @throws {StoreError} it cannot be opened; the message gives reason and remedy, host and database, and never the password
 */
export async function openPostgresStore(
	url: string,
	creates: boolean,
	{ lock, scrub = 5000 }: StoreWaits = {},
	secret?: KeyObject,
): Promise<LeadStore> {
	const pool = poolFor(url, {}, lock);
	if (secret) return new PostgresStore(pool, secret, scrub);
	try {
		const made = await openTables(pool, nameOf(url), creates);
		await requireDurability(pool);
		return new PostgresStore(pool, createSecretKey(made), scrub);
	} catch (error) {
		await pool.end();
		if (error instanceof StoreError) throw error;
		throw new StoreError(
			`The lead store ${nameOf(url)} cannot be opened: ${reasonOf(error)}. ` +
				'See to it that LEAD_STORE is right, that the server runs, and that this user may create tables in the database.',
			{ cause: error },
		);
	}
}

class PostgresStore implements LeadStore {
	readonly secret: KeyObject;
	readonly keys: KeyStore;
	readonly #pool: Pool;
	readonly #scrubWait: number;

	constructor(pool: Pool, secret: KeyObject, scrubWait: number) {
		this.#pool = pool;
		this.#scrubWait = scrubWait;
		this.secret = secret;
		this.keys = postgresKeys(pool, this.secret);
	}

	async insert(entry: NewEntry): Promise<Insertion> {
		const { once } = entry;
		const { id, kind, receivedAt, person, source, text, key, state, releasable, spam, fingerprint } = newRow(entry, this.secret);
		const row = [id, kind, receivedAt, person, source, text, key, state, releasable];
		const claim = [once?.key ?? null, once?.fingerprint ?? null, once?.lifetime ?? null, CLOCK_ERROR];
		const values = [...row, entry.channels, entry.apiKey ?? null, ...claim, entry.wait ?? 0, spam, fingerprint];
		if ((await this.#rows(sql.insert, values)).length > 0) return 'inserted';
		const [claimed] = await this.#rows<{ fingerprint: string }>(sql.fingerprint, [once!.key]);
		// Its claim was deleted between the two statements, so the entry may be saved.
		if (claimed === undefined) return this.insert(entry);
		return claimed.fingerprint === once!.fingerprint ? 'duplicate' : 'conflict';
	}

	async claim({ channel, limit, owner, lease }: Claim): Promise<ClaimedDelivery[]> {
		const values = [channel, limit, owner, lease, CLOCK_ERROR];
		return (await this.#rows<ClaimedRow>(sql.claim, values)).map(toClaimedDelivery);
	}

	async mark({ id, channel, owner }: Lease, result: DeliveryResult): Promise<boolean> {
		const wait = result.state === 'waiting' ? result.wait : null;
		const [statement, values] =
			result.state === 'sent'
				? [sql.markSent, [result.note, result.ends]]
				: [sql.markFailed, [owner, result.state, result.reason, wait]];
		return (await this.#count(statement, [id, channel, ...values])) > 0;
	}

	async judge(id: string, judgement: Judgement): Promise<boolean> {
		const values = [id, JSON.stringify(judgement), judgement.verdict === 'held'];
		return (await this.#rows(sql.judge, values)).length > 0;
	}

	alike(fingerprint: string, id: string, since: number): Promise<StoredEntry[]> {
		return this.#entries(sql.list(entriesWhere.alike, '$1'), [ALIKE, fingerprint, id, since]);
	}

	async train(id: string, judgement: Judgement, traits: string[]): Promise<void> {
		await this.#query(sql.train, [id, JSON.stringify(judgement), judgement.verdict, traits]);
	}

	async recall(traits: string[]): Promise<Context['trained']> {
		const [row] = await this.#rows<{ verdict: Context['trained'] }>(sql.recall, [traits]);
		return row?.verdict;
	}

	async endLeases(owner?: string): Promise<void> {
		await this.#query(sql.endLeases, [owner ?? null]);
	}

	async untilDue(channel: string): Promise<number | undefined> {
		const [row] = await this.#rows<{ wait: number }>(sql.untilDue, [channel]);
		return row?.wait;
	}

	async pendingChannels(): Promise<string[]> {
		return (await this.#rows<{ channel: string }>(sql.pendingChannels, [])).map(({ channel }) => channel);
	}

	async forget(onceKey: string): Promise<void> {
		await this.#query(sql.forget, [onceKey]);
	}

	async purge(limits: PurgeLimits): Promise<Purged> {
		const { age, batch } = limits;
		const statements = sql.purgeEntries(limits);
		const onces = await this.#count(sql.purgeOnces, [batch]);
		const aged = await this.#count(statements.aged, []);
		const excess = await this.#count(statements.excess, []);
		const keys = await this.#count(sql.purgeApiKeys, [age]);
		return { aged: aged + keys, excess, done: Math.max(onces, aged, excess) < batch };
	}

	/**
	 * Deleted rows stay in the table's file until the table is written again. Nobody else may use the table meanwhile, and rows
	 * that an open transaction could still see stay longer.
	 */
	async scrub(): Promise<boolean> {
		const until = performance.now() + this.#scrubWait;
		do {
			if (await this.#rewrite()) return true;
			await setTimeout(SCRUB_PAUSE);
		} while (performance.now() < until);
		return false;
	}

	/** @returns whether the new file has no deleted row; false if there is no new file, because this user does not own the table */
	async #rewrite(): Promise<boolean> {
		const client = await this.#pool.connect();
		// A running query rejects as well. Without a listener the event would end the process.
		client.on('error', () => {});
		const dead: string[] = [];
		client.on('notice', ({ detail }) => dead.push(...(firstNumber(detail) ?? [])));
		try {
			await client.query(`SET lock_timeout = ${this.#scrubWait}`);
			const rewrite = {
				text: 'VACUUM (FULL, VERBOSE) lead_entries, lead_traits, lead_onces, api_keys',
				query_timeout: SCRUB_TIMEOUT,
			};
			await client.query(rewrite);
			return dead.length > 0 && dead.every((rows) => rows === '0');
		} catch {
			return false;
		} finally {
			client.release(true);
		}
	}

	async count(): Promise<Record<EntryState, number>> {
		const rows = await this.#rows<{ state: EntryState; leads: number }>(sql.count, []);
		const none = { waiting: 0, delivered: 0, parked: 0, quarantined: 0 };
		return { ...none, ...Object.fromEntries(rows.map(({ state, leads }) => [state, leads])) };
	}

	async backlog(): Promise<Backlog> {
		const [row] = await this.#rows<Backlog>(sql.backlog, []);
		return row!;
	}

	list({ state, source, trained = false, before, limit }: Page): Promise<StoredEntry[]> {
		return this.#entries(sql.list(entriesWhere.page, '$1'), [
			limit,
			state ?? null,
			before?.receivedAt ?? null,
			before?.id ?? null,
			source ?? null,
			trained,
		]);
	}

	async find(idPart: string): Promise<StoredEntry[]> {
		const found = await this.#entries(sql.list(entriesWhere.beginning, '2'), [idPart]);
		return found.length > 0 || idPart.length < 8 ? found : this.#entries(sql.list(entriesWhere.ending, '2'), [idPart]);
	}

	async countUntold(limit: number): Promise<number> {
		const [row] = await this.#rows<{ number: number }>(sql.countUntold, [limit]);
		return row!.number;
	}

	async announce(notice: string): Promise<void> {
		await this.#query(sql.announce, [notice]);
	}

	announcedBy(notice: string, limit: number): Promise<StoredEntry[]> {
		return this.#entries(sql.list(entriesWhere.announced, '$1'), [limit, notice]);
	}

	async markTold(notice: string): Promise<void> {
		await this.#query(sql.markTold, [notice]);
	}

	async retry(which: { id: string } | 'stuck', channels: string[]): Promise<number> {
		// Selects once: what is parked again meanwhile must not be retried for ever.
		const entries = which === 'stuck' ? await this.#rows<{ id: string }>(sql.stuck, [channels]) : [which];
		let total = 0;
		while (entries.length > 0) {
			const ids = entries.splice(-BATCH).map(({ id }) => id);
			const [row] = await this.#rows<{ due: number }>(sql.retry, [ids, channels]);
			total += row!.due;
		}
		return total;
	}

	async release(id: string, channels: string[]): Promise<boolean> {
		return (await this.#rows(sql.release, [id, channels])).length > 0;
	}

	async countOf(email: string): Promise<Kept> {
		const [row] = await this.#rows<Kept>(sql.countOf, [personHash(this.secret, email)]);
		return row!;
	}

	async erase(email: string): Promise<Kept> {
		const [row] = await this.#rows<Kept>(sql.erase, [personHash(this.secret, email)]);
		return row!;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#pool.end();
	}

	async #entries(statement: string, values: unknown[]): Promise<StoredEntry[]> {
		return entriesFrom(await this.#rows<EntryRow>(statement, values));
	}

	async #rows<Row extends QueryResultRow>(statement: string, values: unknown[]): Promise<Row[]> {
		return (await this.#query<Row>(statement, values)).rows;
	}

	async #count(statement: string, values: unknown[]): Promise<number> {
		return (await this.#query(statement, values)).rowCount ?? 0;
	}

	#query<Row extends QueryResultRow>(statement: string, values: unknown[]): Promise<QueryResult<Row>> {
		return ask<Row>(this.#pool, statement, values);
	}
}

/** Returns the number of deleted rows that PostgreSQL had to keep, from its detail on a rewritten table, in any language. */
const firstNumber = (detail = '') => /\d+/.exec(detail);

/** API keys in the database of the lead store. */
function postgresKeys(pool: Pool, secret: KeyObject): KeyStore {
	const change = async (statement: string, values: unknown[]) => void (await ask(pool, statement, values));
	const select = async (statement: string, values: unknown[] = []) =>
		(await ask<KeyRow>(pool, statement, values)).rows.map(keyFrom);

	return {
		async insert(newKey) {
			const { id, hash, person, text, key, madeAt, endsAt } = newKeyRow(newKey, secret);
			await change(sql.insertApiKey, [id, hash, person, text, key, madeAt, endsAt]);
		},
		find: async (id) => (await select(sql.apiKeys('id = $1'), [id]))[0],
		list: () => select(sql.apiKeys()),
		revoke: (id, now) => change(sql.revokeApiKey, [id, now]),
		used: (id, day) => change(sql.apiKeyUsed, [id, day]),
	};
}
