import { accessSync, chmodSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { makeFolder } from '../durable-folder.ts';
import type { Database, Run, Value } from './database.ts';
import { bare, newSecret, type StoreWaits, type Tables, tablesIn, versionOf } from './schema.ts';
import { noTables, reasonOf, StoreError, storeFailure } from './store-error.ts';

const tables = tablesIn({ bytes: 'BLOB', counter: 'INTEGER' });

/** In milliseconds: the pause between two tries to get a lock, and to empty the log of changes. */
const LOCK_PAUSE = 10;
const SCRUB_PAUSE = 200;

/** The primary result codes that leave a connection as it was (https://www.sqlite.org/rescode.html): busy, full and constraint. */
const BUSY = 5;
const survivable = new Set<number | undefined>([BUSY, 13, 19]);

/**
 * Opens a file of this machine, which several processes may have open.
 *
 * @throws {StoreError} the message gives reason and remedy
 */
export async function openSqlite(path: string, mode: Tables, { lock = 5000, scrub = 5000 }: StoreWaits = {}): Promise<Database> {
	const file = resolve(path);
	try {
		if (mode === 'or make') {
			makeFolder(dirname(file));
			// SQLite makes the file's name durable with its first commit.
			closeSync(openSync(file, 'a', 0o600));
			await whenFree(lock, () => makeTables(file));
		}
		const database = new SqliteDatabase(file, lock, scrub);
		await database.read('SELECT 1');
		closeToOthers(file);
		return database;
	} catch (error) {
		if (error instanceof StoreError && error.cause === undefined) throw error;
		throw new StoreError(
			`The lead store ${file} cannot be opened: ${reasonOf(error instanceof StoreError ? error.cause : error)}. ` +
				'See to it that the disk has room and that file and folder belong to the user who runs this program, or name another file in LEAD_STORE.',
			{ cause: error },
		);
	}
}

/** Makes the tables of a new file. Leaves any other file as it is. */
function makeTables(file: string): void {
	inDatabase(file, (database) => {
		if (schemaOf(database).size > 0) return;
		database.exec(`${pragmas}; BEGIN IMMEDIATE`);
		// Another process may have made them while this one waited.
		if (schemaOf(database).size === 0) {
			for (const statement of tables) database.exec(statement);
			database.prepare('INSERT INTO lead_store (id, tables, secret) VALUES (1, ?, ?)').run(versionOf(tables), newSecret());
		}
		database.exec('COMMIT');
	});
}

/** Opens a database for as long as the work takes. Node.js 22.13 has no `using` for it. */
export function inDatabase<Result>(file: string, work: (database: DatabaseSync) => Result): Result {
	const database = new DatabaseSync(file);
	try {
		return work(database);
	} finally {
		database.close();
	}
}

/** @throws {StoreError} the tables are not ours, or there are none. There may be others beside ours: Litestream adds some. */
function requireTables(database: DatabaseSync, file: string): void {
	const found = schemaOf(database);
	if (found.size === 0) throw noTables(file);
	expected ??= inDatabase(':memory:', (model) => {
		for (const statement of tables) model.exec(statement);
		return schemaOf(model);
	});
	const different = [...expected].find(([name, sql]) => found.get(name) !== sql)?.[0];
	if (different === undefined) return;
	throw new StoreError(
		`The lead store ${file} cannot be opened: another version of this program has made it, or another program (${different} ${found.has(different) ? 'differs' : 'is missing'}). ` +
			'To keep it, move it away with the files beside it that end in -wal and -shm, and read it with the version that wrote it; the server then makes a new one. Or name another file in LEAD_STORE.',
	);
}

let expected: Map<string, string> | undefined;

/** Returns tables and indexes by name, as SQLite keeps them. */
function schemaOf(database: DatabaseSync): Map<string, string> {
	const rows = database.prepare('SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
	return new Map(rows.map(({ name, sql }) => [String(name), bare(String(sql))]));
}

/** Lets nobody but its owner read a file. Called only after opening it: a file named by mistake must stay as it is. */
function closeToOthers(file: string): void {
	for (const part of parts.map((end) => file + end)) if (existsSync(part) && statSync(part).mode & 0o077) chmodSync(part, 0o600);
}

interface Task {
	work: Parameters<Database['write']>[0];
	/** When it stops waiting for a lock that another process holds. */
	deadline: number;
	resolve: (result: unknown) => void;
	reject: (error: StoreError) => void;
}

class SqliteDatabase implements Database {
	readonly lock = '';
	readonly skipLocked = '';
	readonly #file: string;
	readonly #patience: number;
	readonly #scrubWait: number;
	#connection: Connection | undefined;
	#waiting: Task[] = [];
	#committing: Promise<void> | undefined;
	/** The transaction that is open: whoever reads meanwhile would see what may never be committed. */
	#transaction: Promise<unknown> | undefined;

	/** @param patience in milliseconds: how long work waits for a lock that another process holds */
	constructor(file: string, patience: number, scrubWait: number) {
		this.#file = file;
		this.#patience = patience;
		this.#scrubWait = scrubWait;
	}

	readonly read: Run = <Row>(sql: string, values: Value[] = []) =>
		whenFree(this.#patience, async () => {
			while (this.#transaction) await this.#transaction;
			try {
				return this.#open().all<Row>(sql, values);
			} catch (error) {
				throw this.#failure(error);
			}
		});

	write<Result>(work: (run: Run, now: number) => Promise<Result>): Promise<Result> {
		return new Promise<unknown>((resolve, reject) => {
			this.#waiting.push({ work, deadline: performance.now() + this.#patience, resolve, reject });
			this.#committing ??= this.#commitAll();
		}) as Promise<Result>;
	}

	now(): Promise<number> {
		return Promise.resolve(Date.now());
	}

	/** `secure_delete` overwrites deleted rows in the file; the log of changes beside it holds them until it is emptied. */
	async scrub(): Promise<boolean> {
		const until = performance.now() + this.#scrubWait;
		do {
			const [row] = await this.read<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)');
			if (row?.busy === 0) return true;
			await wait(SCRUB_PAUSE);
		} while (performance.now() < until);
		return false;
	}

	/** Commits waiting work, and closes the file. */
	async [Symbol.asyncDispose](): Promise<void> {
		await this.#committing;
		this.#close();
	}

	/** Returns the open file. Opens it again after a failure that may have broken the connection. */
	#open(): Connection {
		return (this.#connection ??= new Connection(this.#file));
	}

	/** Work that comes in the same turn of the event loop shares one transaction, and so one wait for the disk. */
	async #commitAll(): Promise<void> {
		await nextTurn();
		while (this.#waiting.length > 0) {
			const tasks = this.#waiting.splice(0);
			const transaction = (this.#transaction = this.#commit(tasks));
			const locked = await transaction.finally(() => (this.#transaction = undefined));
			if (locked) this.#postpone(tasks, locked);
			await (locked ? wait(LOCK_PAUSE) : nextTurn());
		}
		// In the same turn as the last look at `#waiting`: work that came between the two would be forgotten.
		this.#committing = undefined;
	}

	/** Settles the tasks after their commit. @returns the failure if another process has the file locked, so that they keep waiting */
	async #commit(tasks: Task[]): Promise<StoreError | undefined> {
		try {
			const connection = this.#open();
			connection.exec('BEGIN IMMEDIATE');
			const settlements: (() => void)[] = [];
			for (const task of tasks) settlements.push(await attempt(task, connection));
			connection.exec('COMMIT');
			// Before any caller hears of the commit: one to a file that is gone is lost when the file is closed.
			if (connection.isDisplaced()) throw new Error('its files were removed, moved or replaced while the server ran');
			for (const settle of settlements) settle();
		} catch (error) {
			const failure = this.#failure(error);
			if (isBusy(error)) return failure;
			for (const { reject } of tasks) reject(failure);
		}
		return undefined;
	}

	#postpone(tasks: Task[], failure: StoreError): void {
		const now = performance.now();
		for (const { reject } of tasks.filter(({ deadline }) => deadline <= now)) reject(failure);
		this.#waiting.unshift(...tasks.filter(({ deadline }) => deadline > now));
	}

	#failure(error: unknown): StoreError {
		try {
			this.#connection?.exec('ROLLBACK');
		} catch {
			// No transaction is open: it did not begin, or SQLite has rolled it back.
		}
		if (!survivable.has(resultCodeOf(error))) this.#close();
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

/** Does a task, or else undoes it alone. @returns settles it, after the commit */
async function attempt({ work, resolve, reject }: Task, connection: Connection): Promise<() => void> {
	connection.exec('SAVEPOINT task');
	try {
		const result = await work(async (sql, values = []) => connection.all(sql, values), Date.now());
		connection.exec('RELEASE task');
		return () => resolve(result);
	} catch (error) {
		try {
			connection.exec('ROLLBACK TO task; RELEASE task');
		} catch {
			// After a failure of the disk, SQLite has rolled back the whole transaction.
			throw error;
		}
		return () => reject(storeFailure(error));
	}
}

/**
 * FULL: a commit is on the disk before it returns. `secure_delete`: deleted rows are overwritten. `busy_timeout`: SQLite does not
 * wait for a lock, because the whole process would wait with it.
 */
const pragmas = `
	PRAGMA busy_timeout = 0;
	PRAGMA journal_mode = WAL;
	PRAGMA synchronous = FULL;
	PRAGMA foreign_keys = ON;
	PRAGMA secure_delete = ON;
`;

/** SQLite's files: the database, the log of its changes, and the log's index. */
const parts = ['', '-wal', '-shm'];

/** An open file with its tables. Prepares each statement once. Throws the driver's errors. */
export class Connection implements Disposable {
	readonly #file: string;
	readonly #database: DatabaseSync;
	/** Device and inode of each file, from when it was opened. */
	readonly #identities: (string | undefined)[];
	readonly #statements = new Map<string, Statement>();

	/** Opens an existing file only: a database whose disk is gone must not come back empty. */
	constructor(file: string) {
		this.#file = file;
		accessSync(file, constants.R_OK | constants.W_OK);
		this.#database = new DatabaseSync(file);
		try {
			// Before anything is changed: it may be a file of another program.
			requireTables(this.#database, file);
			this.#database.exec(pragmas);
			// The first reader makes the files beside it.
			this.all('SELECT 1 FROM lead_store');
			this.#identities = identitiesOf(file);
		} catch (error) {
			this.#database.close();
			throw error;
		}
	}

	exec(sql: string): void {
		this.#database.exec(sql);
	}

	/** Returns whether one of its files was removed, moved or replaced since it was opened. */
	isDisplaced(): boolean {
		return identitiesOf(this.#file).some((identity, index) => identity !== this.#identities[index]);
	}

	all<Row>(sql: string, values: Value[] = []): Row[] {
		const { statement, order } = this.#statements.get(sql) ?? this.#prepare(sql);
		return statement.all(...order.map((index) => values[index]!)) as Row[];
	}

	[Symbol.dispose](): void {
		this.#database.close();
	}

	/** Node's SQLite binds values by their order. */
	#prepare(sql: string): Statement {
		const order: number[] = [];
		const text = sql.replaceAll(/\$(\d+)/g, (_, number: string) => {
			order.push(Number(number) - 1);
			return '?';
		});
		const prepared = { statement: this.#database.prepare(text), order };
		this.#statements.set(sql, prepared);
		return prepared;
	}
}

interface Statement {
	statement: StatementSync;
	/** Which of the values stands at each place. */
	order: number[];
}

/** Returns device and inode of each file, or undefined if none can be seen there. */
const identitiesOf = (file: string) =>
	parts.map((part) => {
		try {
			const { dev, ino } = statSync(file + part);
			return `${dev} ${ino}`;
		} catch {
			return undefined;
		}
	});

/** Returns the primary result code of an SQLite error. */
const resultCodeOf = (error: unknown) =>
	error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;

const isBusy = (error: unknown) => resultCodeOf(error) === BUSY;

/** Does work again and again while another process has the file locked, for so many milliseconds. */
async function whenFree<Result>(patience: number, work: () => Result | Promise<Result>): Promise<Result> {
	const deadline = performance.now() + patience;
	for (;;) {
		try {
			return await work();
		} catch (error) {
			const cause = error instanceof StoreError ? error.cause : error;
			if (!isBusy(cause) || performance.now() >= deadline) throw error;
		}
		await wait(LOCK_PAUSE);
	}
}

/** Tasks that arrive until then are committed together. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
