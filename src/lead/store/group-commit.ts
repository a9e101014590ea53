import { reasonOf } from './rows.ts';
import { resultCodeOf, resultCodes, SqliteConnection } from './sqlite-connection.ts';
import { StoreError } from './store.ts';

/** What is done with the database. It must be synchronous. */
type Work<Result> = (connection: SqliteConnection) => Result;

interface Task {
	work: Work<unknown>;
	resolve: (result: unknown) => void;
	reject: (error: StoreError) => void;
}

/** After any other failure the connection may be broken for good, and is opened anew. */
const survivable = new Set<number | undefined>([resultCodes.busy, resultCodes.full, resultCodes.constraint]);

/**
 * Runs work on a SQLite file. What arrives in the same turn of the event loop shares one transaction, and so one wait for the disk.
 * Recovers by itself when the cause of a failure is gone.
 */
export class GroupCommit implements Disposable {
	readonly #path: string;
	#connection: SqliteConnection | undefined;
	#waiting: Task[] = [];

	constructor(path: string) {
		this.#path = path;
		this.#connection = new SqliteConnection(path);
	}

	/**
	 * Does work in a transaction. Settles after its commit.
	 *
	 * @throws {StoreError} nothing of it was saved
	 */
	write<Result>(work: Work<Result>): Promise<Result> {
		return new Promise<unknown>((resolve, reject) => {
			if (this.#waiting.length === 0) setImmediate(() => this.#commit(this.#waiting.splice(0)));
			this.#waiting.push({ work, resolve, reject });
		}) as Promise<Result>;
	}

	/** Does work that changes nothing. */
	async read<Result>(work: Work<Result>): Promise<Result> {
		try {
			return work(this.#open());
		} catch (error) {
			throw this.#failure(error);
		}
	}

	/** Commits what is waiting, and closes the file. */
	[Symbol.dispose](): void {
		this.#commit(this.#waiting.splice(0));
		this.#close();
	}

	#commit(tasks: Task[]): void {
		if (tasks.length === 0) return;
		try {
			const results = this.#transaction((connection) => tasks.map(({ work }) => work(connection)));
			tasks.forEach(({ resolve }, index) => resolve(results[index]));
		} catch (error) {
			const failure = this.#failure(error);
			// One task alone is at fault: the others must not suffer for it.
			if (tasks.length > 1 && resultCodeOf(error) === resultCodes.constraint) for (const task of tasks) this.#commit([task]);
			else for (const { reject } of tasks) reject(failure);
		}
	}

	#transaction<Result>(work: Work<Result>): Result {
		const connection = this.#open();
		connection.exec('BEGIN IMMEDIATE');
		const result = work(connection);
		connection.exec('COMMIT');
		return result;
	}

	#open(): SqliteConnection {
		return (this.#connection ??= new SqliteConnection(this.#path));
	}

	#failure(error: unknown): StoreError {
		try {
			this.#connection?.exec('ROLLBACK');
		} catch {
			// No transaction is open: it did not begin, or SQLite has rolled it back.
		}
		if (!survivable.has(resultCodeOf(error))) this.#close();
		return new StoreError(`The lead store failed: ${reasonOf(error)}. It goes on by itself once the cause is gone.`, {
			cause: error,
		});
	}

	#close(): void {
		const connection = this.#connection;
		this.#connection = undefined;
		try {
			connection?.[Symbol.dispose]();
		} catch {
			// What was committed is safe, and a broken connection cannot do better.
		}
	}
}
