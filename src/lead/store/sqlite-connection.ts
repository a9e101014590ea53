import { accessSync, chmodSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { makeFolder } from '../durable-folder.ts';
import { createTables, isEmpty } from './sqlite-schema.ts';
import { sql } from './sqlite-statements.ts';
import { noTables } from './store-error.ts';

/** By name. */
export type Parameters = Record<string, SQLInputValue>;

/**
 * FULL: a commit is on the disk before it returns. `secure_delete`: deleted rows are overwritten. `busy_timeout`: SQLite does not
 * wait for a lock, because the whole process would wait with it. `GroupCommit` waits instead.
 */
const pragmas = `
	PRAGMA busy_timeout = 0;
	PRAGMA journal_mode = WAL;
	PRAGMA synchronous = FULL;
	PRAGMA foreign_keys = ON;
	PRAGMA secure_delete = ON;
`;

/** An open database file with its tables. Prepares each statement once. Throws the driver's errors. */
export class SqliteConnection implements Disposable {
	readonly #path: string;
	readonly #database: DatabaseSync;
	/** Device and inode of the file and of those beside it, from when it was opened. */
	readonly #identities: (string | undefined)[];
	readonly #statements = new Map<string, StatementSync>();

	/**
	 * Opens an existing file only: a database whose disk is gone must not come back empty.
	 *
	 * @param creates whether to create the tables in an empty file
	 * @throws {StoreError} its tables are not ours, or there are none
	 */
	constructor(path: string, creates: boolean) {
		this.#path = path;
		accessSync(path, constants.R_OK | constants.W_OK);
		this.#database = new DatabaseSync(path);
		try {
			// Before anything is changed: it may be a file of another program.
			const empty = isEmpty(this.#database, path);
			if (empty && !creates) throw noTables(path);
			this.#database.exec(pragmas);
			if (empty) createTables(this.#database, path);
			// The first reader makes the files beside it.
			this.#database.exec('SELECT 1 FROM sqlite_schema');
			this.#identities = identitiesAt(path);
		} catch (error) {
			this.#database.close();
			throw error;
		}
	}

	/** Returns whether one of its files was removed, moved or replaced since it was opened. */
	isDisplaced(): boolean {
		return identitiesAt(this.#path).some((identity, index) => identity !== this.#identities[index]);
	}

	exec(sql: string): void {
		this.#database.exec(sql);
	}

	/** @returns the number of changed rows */
	run(sql: string, parameters: Parameters): number {
		return Number(this.#prepared(sql).run(parameters).changes);
	}

	all<Row>(sql: string, parameters: Parameters = {}): Row[] {
		return this.#prepared(sql).all(parameters) as Row[];
	}

	/** Stores a key that seals a text. Call it within a transaction. @returns its slot */
	keepKey(key: Uint8Array): number {
		return this.all<{ slot: number }>(sql.keepKey, { key })[0]!.slot;
	}

	[Symbol.dispose](): void {
		this.#database.close();
	}

	#prepared(sql: string): StatementSync {
		const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
		this.#statements.set(sql, statement);
		return statement;
	}
}

/** SQLite's files: the database, the log of its changes, and the log's index. */
const parts = ['', '-wal', '-shm'];

/** Device and inode of each file, or undefined if none can be seen there. */
const identitiesAt = (path: string) =>
	parts.map((part) => {
		try {
			const { dev, ino } = statSync(path + part);
			return `${dev} ${ino}`;
		} catch {
			return undefined;
		}
	});

/** Creates the file and its folders if they do not exist. SQLite makes the file's name durable with its first commit. */
export function prepareFile(path: string): void {
	makeFolder(dirname(path));
	closeSync(openSync(path, 'a', 0o600));
}

/** Lets nobody but its owner read a database. Call it only after opening: a file named by mistake must stay as it is. */
export function closeToOthers(path: string): void {
	for (const file of parts.map((part) => path + part))
		if (existsSync(file) && statSync(file).mode & 0o077) chmodSync(file, 0o600);
}

/** The primary result codes of SQLite that we tell apart (https://www.sqlite.org/rescode.html). */
export const resultCodes = { busy: 5, full: 13, constraint: 19 };

/** Returns the primary result code of an SQLite error. */
export function resultCodeOf(error: unknown): number | undefined {
	return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
}
