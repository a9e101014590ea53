import { setTimeout as wait } from 'node:timers/promises';
import { resultCodeOf, resultCodes, SqliteConnection } from './sqlite-connection.ts';
import { type StoreError, storeFailure } from './store-error.ts';

/** Uses the database. Must be synchronous. */
type Work<Result> = (connection: SqliteConnection) => Result;

interface Task {
	work: Work<unknown>;
	/** When it stops waiting for a lock that another process holds. */
	deadline: number;
	resolve: (result: unknown) => void;
	reject: (error: StoreError) => void;
}

/** In milliseconds: the pause between two tries to get a lock. */
const LOCK_PAUSE = 10;

/** After any other failure the connection may be broken for good, so it is opened again. */
const survivable = new Set<number | undefined>([resultCodes.busy, resultCodes.full]);

/** The failures of a task that are its own fault: it breaks a rule of the tables, or throws an exception of JavaScript. */
const own = new Set<number | undefined>([resultCodes.constraint, undefined]);

/**
 * Runs work on a SQLite file. Tasks of the same turn of the event loop share one transaction, and so one wait for the disk. Only
 * work waits while another process has the file locked. Recovers without help when the cause of a failure is gone.
 */
export class GroupCommit implements AsyncDisposable {
	readonly #path: string;
	readonly #patience: number;
	#connection: SqliteConnection | undefined;
	#waiting: Task[] = [];
	#committing: Promise<void> | undefined;

	/**
	 * @param patience in milliseconds: how long work waits for a lock that another process holds
	 * @param creates whether to create the tables in an empty file
	 */
	constructor(path: string, patience: number, creates: boolean) {
		this.#path = path;
		this.#patience = patience;
		this.#connection = new SqliteConnection(path, creates);
	}

	/**
	 * Does work in a transaction. Settles after its commit.
	 *
	 * @throws {StoreError} nothing of it was saved
	 */
	write<Result>(work: Work<Result>): Promise<Result> {
		return new Promise<unknown>((resolve, reject) => {
			this.#waiting.push({ work, deadline: performance.now() + this.#patience, resolve, reject });
			this.#committing ??= this.#commitAll();
		}) as Promise<Result>;
	}

	/**
	 * Does work outside a transaction.
	 *
	 * @throws {StoreError} it could not be done
	 */
	async read<Result>(work: Work<Result>): Promise<Result> {
		const deadline = performance.now() + this.#patience;
		for (;;) {
			try {
				return work(this.#open());
			} catch (error) {
				if (!isBusy(error) || performance.now() >= deadline) throw this.#failure(error);
			}
			await wait(LOCK_PAUSE);
		}
	}

	/** Commits waiting work, and closes the file. */
	async [Symbol.asyncDispose](): Promise<void> {
		await this.#committing;
		this.#close();
	}

	async #commitAll(): Promise<void> {
		await nextTurn();
		while (this.#waiting.length > 0) {
			const tasks = this.#waiting.splice(0);
			if (this.#commit(tasks)) await nextTurn();
			else await wait(LOCK_PAUSE);
		}
		// In the same turn as the last look at `#waiting`: work that came between the two would be forgotten.
		this.#committing = undefined;
	}

	/** @returns false if another process has the file locked, so that the work keeps waiting */
	#commit(tasks: Task[]): boolean {
		let running: Task | undefined;
		try {
			const connection = this.#open();
			connection.exec('BEGIN IMMEDIATE');
			const results = tasks.map((task) => (running = task).work(connection));
			running = undefined;
			connection.exec('COMMIT');
			// Before any caller hears of the commit: one to a file that is gone is lost when the file is closed.
			if (connection.isDisplaced()) throw new Error('its files were removed, moved or replaced while the server ran');
			tasks.forEach(({ resolve }, index) => resolve(results[index]));
		} catch (error) {
			const culprit = own.has(resultCodeOf(error)) ? running : undefined;
			const failure = this.#failure(error, culprit !== undefined);
			if (isBusy(error)) return this.#postpone(tasks, failure);
			const failed = culprit ? [culprit] : tasks;
			for (const { reject } of failed) reject(failure);
			// Nothing of their first run was saved.
			const others = tasks.filter((task) => !failed.includes(task));
			if (others.length > 0) return this.#commit(others);
		}
		return true;
	}

	#postpone(tasks: Task[], failure: StoreError): false {
		const now = performance.now();
		for (const { reject } of tasks.filter(({ deadline }) => deadline <= now)) reject(failure);
		this.#waiting.unshift(...tasks.filter(({ deadline }) => deadline > now));
		return false;
	}

	#open(): SqliteConnection {
		return (this.#connection ??= new SqliteConnection(this.#path, false));
	}

	#failure(error: unknown, isOwn = false): StoreError {
		try {
			this.#connection?.exec('ROLLBACK');
		} catch {
			// No transaction is open: it did not begin, or SQLite has rolled it back.
		}
		if (!isOwn && !survivable.has(resultCodeOf(error))) this.#close();
		return storeFailure(error);
	}

	#close(): void {
		const connection = this.#connection;
		this.#connection = undefined;
		try {
			connection?.[Symbol.dispose]();
		} catch {
			// Committed work is safe, and a broken connection cannot do better.
		}
	}
}

const isBusy = (error: unknown) => resultCodeOf(error) === resultCodes.busy;

/** Tasks that arrive until then are committed together. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
