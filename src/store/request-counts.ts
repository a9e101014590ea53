import { LONGEST_TIMER, secondsOf } from '../lead/values.ts';
import { CLOCK_ERROR_MS, type Run } from './database.ts';

/** How many requests a client has sent, and the rest of its window, in milliseconds. */
export type RequestCount = { requests: number; rest: number };

/** The time by the clock of PostgreSQL. */
export const NOW = '(extract(epoch FROM now()) * 1000)::bigint';
/** A window that ends later than a new one can began before the clock was set back. */
const running = `counted.ends_at > ${NOW} AND counted.ends_at <= ${NOW} + $2::bigint + ${CLOCK_ERROR_MS}`;

export type RequestCounts = ReturnType<typeof requestCounts>;

/** Counts by the clock of the database. Rejects with a `StoreError` within two seconds. */
export const requestCounts = (run: Run) => ({
	/** Counts one request, or takes one back. The first one starts a window of so many milliseconds. */
	async add(client: string, window: number, by: 1 | -1 = 1): Promise<RequestCount> {
		const [row] = await run<RequestCount>(
			`INSERT INTO lead_rate_limits AS counted (key, requests, ends_at) VALUES ($1, greatest($3, 0), ${NOW} + $2::bigint)
			ON CONFLICT (key) DO UPDATE SET
				requests = CASE WHEN ${running} THEN greatest(counted.requests + $3, 0) ELSE excluded.requests END,
				ends_at = CASE WHEN ${running} THEN counted.ends_at ELSE excluded.ends_at END
			RETURNING requests, ends_at - ${NOW} AS rest`,
			[client, window, by],
		);
		return row!;
	},
	/** Returns a client's count without this request, or undefined if no window of this client runs. */
	async read(client: string, window: number): Promise<RequestCount | undefined> {
		const [row] = await run<RequestCount>(
			`SELECT requests, ends_at - ${NOW} AS rest FROM lead_rate_limits AS counted WHERE key = $1 AND ${running}`,
			[client, window],
		);
		return row;
	},
});

/** A count that ends later than any window can is of a clock that was ahead. */
const LONGEST_WINDOW_MS = secondsOf(LONGEST_TIMER) * 1000;

/** The most that one step of a purge deletes. */
const BATCH = 10_000;

/** Deletes counts that are over. One that starts anew meanwhile is locked, and so stays. @returns whether some may be left */
export async function deleteCounts(run: Run, time: number): Promise<boolean> {
	const over = `SELECT key FROM lead_rate_limits WHERE ends_at <= $1 OR ends_at > $2 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;
	const deleteSome = `DELETE FROM lead_rate_limits WHERE key IN (${over}) RETURNING key`;
	return (await run(deleteSome, [time, time + LONGEST_WINDOW_MS])).length === BATCH;
}
