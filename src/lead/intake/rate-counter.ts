import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { LONGEST_TIMER, secondsOf } from '../../values/time.ts';
import { countedAlone } from '../events.ts';
import { CLOCK_ERROR } from '../store/entry.ts';

/** The number of requests, and when its window ends, in milliseconds since 1970. */
export interface Count {
	requests: number;
	endsAt: number;
}

/** Counts requests by client. Each client has its own window. */
export interface RateCounter {
	/** Returns a client's count without this request, or undefined if no window of this client runs. */
	read(client: string, window: number): Promise<Count | undefined>;
	/** Counts one request. The first one starts a window of `window` seconds. */
	add(client: string, window: number): Promise<Count>;
}

/**
 * The most clients that a process remembers. Beyond that it forgets the client whose window began first. To be forgotten, a client
 * must imitate this many others, whose own limits allow more than that gains.
 */
const MOST = 50_000;
/** The most clients forgotten in one step: that takes a fraction of a millisecond. */
const AT_ONCE = 1000;

/** A count with the length of its window, in milliseconds. */
type Window = Count & { length: number };

/** With more time left than its length, a window began before the clock was set back: it counts as ended. */
function isRunning({ endsAt, length }: Window): boolean {
	const left = endsAt - Date.now();
	return left > 0 && left <= length;
}

/** Counts in this process. Forgets clients in the order in which their windows began. */
export function memoryCounter(): RateCounter {
	// Only `peek` reads it, so that the oldest entry is always the one whose window began first.
	let counts: LRUCache<string, Window> | undefined;
	let timer: NodeJS.Timeout | undefined;

	const running = (client: string) => {
		const count = counts?.peek(client);
		return count && isRunning(count) ? count : undefined;
	};

	function start(client: string, window: number): Window {
		// Created for the first client, because it takes two megabytes from the start.
		counts ??= new LRUCache({ max: MOST });
		const length = window * 1000;
		const count = { requests: 0, endsAt: Date.now() + length, length };
		counts.set(client, count);
		timer ??= forgetAt(count.endsAt, counts);
		return count;
	}

	function forgetAt(time: number, counts: LRUCache<string, Window>): NodeJS.Timeout {
		const timer = setTimeout(forget, Math.max(time - Date.now(), 1), counts);
		// Not every host has `unref`.
		timer.unref?.();
		return timer;
	}

	function forget(counts: LRUCache<string, Window>): void {
		let [oldest] = counts.rvalues();
		for (let forgotten = 0; oldest && !isRunning(oldest) && forgotten < AT_ONCE; forgotten += 1) {
			counts.pop();
			[oldest] = counts.rvalues();
		}
		timer = oldest && forgetAt(oldest.endsAt, counts);
	}

	return {
		read: (client) => Promise.resolve(running(client)),
		add(client, window) {
			const count = running(client) ?? start(client, window);
			count.requests += 1;
			return Promise.resolve({ ...count });
		},
	};
}

/** The clock of the database counts, in milliseconds: all instances have the same. */
const now = '(extract(epoch FROM now()) * 1000)::bigint';
/** A window that ends later than a new one can began before the clock was set back. */
const running = `counted.ends_at > ${now} AND counted.ends_at <= ${now} + $2::bigint + ${CLOCK_ERROR}`;

const addOne = `
	INSERT INTO lead_rate_limits AS counted (key, requests, ends_at) VALUES ($1, 1, ${now} + $2::bigint)
	ON CONFLICT (key) DO UPDATE SET
		requests = CASE WHEN ${running} THEN counted.requests + 1 ELSE 1 END,
		ends_at = CASE WHEN ${running} THEN counted.ends_at ELSE excluded.ends_at END
	RETURNING requests, ends_at - ${now} AS rest`;

const readOne = `SELECT requests, ends_at - ${now} AS rest FROM lead_rate_limits AS counted WHERE key = $1 AND ${running}`;

/** In milliseconds: the pause between two purges of ended counts, and the pause after a failed purge. */
const PURGE_PAUSE = 1000;
const PURGE_RETRY = 60_000;
/** The most counts deleted in one step. */
const PURGE_BATCH = 10_000;

/**
 * Deletes counts that have ended, or that end later than any window can: those are of a clock that was ahead. Returns the time
 * until the next count ends, or 0 if some may be left. A count that starts anew meanwhile is locked, and so stays.
 */
const purgeCounts = `
	WITH ended AS (
		DELETE FROM lead_rate_limits WHERE key IN (
			SELECT key FROM lead_rate_limits WHERE ends_at <= ${now} OR ends_at > ${now} + $1::bigint
			LIMIT ${PURGE_BATCH} FOR UPDATE SKIP LOCKED
		) RETURNING key
	)
	SELECT CASE WHEN (SELECT count(*) FROM ended) = ${PURGE_BATCH} THEN 0 ELSE min(ends_at) - ${now} END AS wait
	FROM lead_rate_limits WHERE ends_at > ${now} AND ends_at <= ${now} + $1`;

/** Whether the last count of this process had to do without the database. */
let isAlone = false;

/** Opens the counts in a PostgreSQL database. Each is deleted after it ends, no matter which instance began it. */
export async function openSharedCounts(url: string, log: Logger) {
	const { poolFor } = await import('../store/postgres.ts');
	const pool = poolFor(url, { max: 2, connectionTimeoutMillis: 1000, query_timeout: 1000 });
	let timer: NodeJS.Timeout | undefined;
	let purgeAt = Infinity;
	let purging = purge();

	async function purge(): Promise<void> {
		purgeAt = Infinity;
		try {
			const { rows } = await pool.query<{ wait: number | null }>(purgeCounts, [secondsOf(LONGEST_TIMER) * 1000]);
			if (rows[0]!.wait !== null) purgeIn(rows[0]!.wait);
		} catch {
			purgeIn(PURGE_RETRY);
		}
	}

	/** Deletes ended counts after at most so many milliseconds. */
	function purgeIn(wait: number): void {
		if (Date.now() + wait >= purgeAt) return;
		clearTimeout(timer);
		purgeAt = Date.now() + wait;
		timer = setTimeout(() => (purging = purge()), Math.max(wait, PURGE_PAUSE));
		// Not every host has `unref`.
		timer.unref?.();
	}

	async function ask(statement: string, client: string, window: number): Promise<Count | undefined> {
		const { rows } = await pool.query<{ requests: number; rest: number }>(statement, [client, window * 1000]);
		isAlone = false;
		return rows[0] && { requests: rows[0].requests, endsAt: Date.now() + rows[0].rest };
	}

	function noteAlone(error: unknown): void {
		const metric = 'requests_counted_alone_total';
		if (!isAlone)
			log.error({ err: error, metric }, 'The store cannot count requests: until it can, each instance limits by itself.');
		isAlone = true;
		countedAlone.publish({});
	}

	return {
		/** Counts in the database, or in memory while the database is away. */
		counter: (memory: RateCounter): RateCounter => ({
			read: (client, window) => ask(readOne, client, window).catch(() => memory.read(client, window)),
			async add(client, window) {
				try {
					const count = (await ask(addOne, client, window))!;
					purgeIn(count.endsAt - Date.now());
					return count;
				} catch (error) {
					noteAlone(error);
					return memory.add(client, window);
				}
			},
		}),
		async stop(): Promise<void> {
			await purging;
			clearTimeout(timer);
			await pool.end();
		},
	};
}
