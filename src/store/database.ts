import type { KeyObject } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';

/** A value of a column. Flags are 0 or 1, times are in milliseconds since the epoch. */
export type Value = string | number | Uint8Array | null;

/** Runs one statement, with `$1`, `$2` … for the values, and returns its rows. Both databases read the same SQL. */
export type Run = <Row = Record<string, Value>>(sql: string, values?: Value[]) => Promise<Row[]>;

/** Work in one transaction, which may wait for nothing but `run`. `now` is the time by the clock of the database. */
export type Work<Result> = (run: Run, now: number) => Promise<Result>;

/** One database: a file of SQLite, or PostgreSQL. What fails, rejects with a `StoreError`. */
export interface Database extends AsyncDisposable {
	/**
	 * Checks the tables, makes them if there are none, and brings those of an earlier version forward. @param makes false: rejects if there are none
	 * @param alone work that is done in the same transaction, while nobody else may change the store. Rejects if a server uses it
	 * @returns the store's secret
	 */
	open(makes: boolean, alone?: (run: Run) => Promise<unknown>): Promise<KeyObject>;
	/** Reads what is committed. */
	readonly read: Run;
	/** Runs one statement at once, beside all other work, or rejects within two seconds. Only where instances share the database. */
	readonly atOnce?: Run;
	/** Resolves after the commit: then it is on the disk. If it rejects, all of it may be saved all the same: the answer to the commit can be lost. A mark or a condition makes it safe to repeat. */
	write<Result>(work: Work<Result>): Promise<Result>;
	/** Removes deleted rows from the files. @returns false if somebody still reads them, or they cannot be written anew */
	scrub(): Promise<boolean>;
	/** Undefined: the database is not a file of this machine. */
	readonly file?: {
		/** Returns the copies that were made of it before it was brought forward: they hold what it held, with what was deleted since. */
		copies(): string[];
		/** Returns whether this server has the file's lock, until the store is closed. One that started while another had it runs on without. */
		hasLock(): boolean;
		/** Returns what endangers it where it is, and how it is used, as sentences with a remedy. Only of a server's. */
		risks(): string[];
	};
}

/** A stored time that is further ahead was written before the clock was set back, and counts as past. A smaller jump goes unnoticed. */
export const CLOCK_ERROR_MS = 60_000;

/** The store cannot do its work now: disk full, server gone. The cause is the driver's error. The message names no lead. */
export class StoreError extends Error {
	override name = 'StoreError';
	/** Whether the store stays so until somebody corrects the settings, or what they name. */
	lasting = false;
}

/** Wraps a driver's error. */
export const storeFailure = (cause: unknown): StoreError =>
	cause instanceof StoreError
		? cause
		: new StoreError(`The lead store failed: ${reasonOf(cause)}. It recovers by itself once the cause is gone.`, { cause });

export const fail = (cause: unknown): never => {
	throw storeFailure(cause);
};

/** Wraps the reason why a store cannot be opened. @param place the file or database @param lasting by default a cause in our own words is */
export function cannotOpen(place: string, remedy: string, cause: unknown, lasting = typeof cause === 'string'): StoreError {
	if (cause instanceof StoreError) return cause;
	const message = `The lead store ${place} cannot be opened: ${reasonOf(cause)}. ${remedy}`;
	return Object.assign(new StoreError(message, { cause }), { lasting });
}

export const inUse = (place: string) =>
	cannotOpen(place, 'Stop it, and try again two minutes later.', 'a server or another program uses it');

/** Returns an error's message, or its code: some of Node's network errors have no message. */
export function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	return error.message || ('code' in error ? String(error.code) : error.name);
}

/** The pause after the first try. It doubles after each: a try may hold up others. */
const PAUSE_MS = 200;

/** Tries again until it works, and once more when the time, in milliseconds, is over. @returns whether it worked */
export async function keepTrying(patience: number, attempt: () => Promise<boolean>): Promise<boolean> {
	const deadline = performance.now() + patience;
	for (let pause = PAUSE_MS; !(await attempt()); pause *= 2) {
		if (performance.now() >= deadline) return false;
		await wait(pause);
	}
	return true;
}

/** Does work, and after each pause again while it fails in a way that passes. All times are in milliseconds. */
export async function repeatWhile<Result>(
	passes: (error: unknown) => boolean,
	{ patience, pause }: Record<'patience' | 'pause', number>,
	work: () => Result | Promise<Result>,
): Promise<Result> {
	for (const deadline = performance.now() + patience; ; await wait(pause))
		try {
			return await work();
		} catch (error) {
			if (!passes(error) || performance.now() >= deadline) throw error;
		}
}

/** Each server looks for due deliveries at least so often. */
export const LONGEST_PAUSE_MS = 15_000;
/** The pause before work that failed in the store is tried again. */
export const STORE_PAUSE_MS = 1000;
/** The time between two lines about one outage. */
const MINUTE_MS = 60_000;
/** How long nothing has failed when an outage is over. On a full disk small work still succeeds between leads that fail. */
const SETTLED_MS = 500;

/** Returns a function that does work in the store, and logs for the whole process when that fails: at first, then each minute, and when it is over. */
export function outageLog(begin: string, end: string) {
	let [saidAt, failedAt, isSaid] = [-Infinity, -Infinity, false];
	return async <Result>(log: Logger, work: () => Promise<Result>, about?: object): Promise<Result> => {
		try {
			const result = await work();
			if (isSaid && performance.now() - failedAt >= SETTLED_MS) {
				log.info(end);
				isSaid = false;
			}
			return result;
		} catch (error) {
			if (error instanceof StoreError) failedAt = performance.now();
			if (failedAt - saidAt >= MINUTE_MS) {
				log.error({ err: error, ...about }, begin);
				[saidAt, isSaid] = [failedAt, true];
			}
			throw error;
		}
	};
}

export const watchStore = outageLog(
	'The store does not work: leads are answered 503, and nothing is delivered. It is tried again by itself.',
	'The store works again.',
);
