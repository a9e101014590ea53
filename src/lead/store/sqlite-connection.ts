import { accessSync, chmodSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { migrate } from './sqlite-schema.ts';

/** By name. */
export type Parameters = Record<string, SQLInputValue>;

/**
 * FULL: a commit is on the disk before it returns. `secure_delete`: what is deleted is overwritten. `busy_timeout`: SQLite does not wait
 * for a lock, since the whole process would wait with it; `GroupCommit` does.
 */
export const pragmas = `
	PRAGMA busy_timeout = 0;
	PRAGMA journal_mode = WAL;
	PRAGMA synchronous = FULL;
	PRAGMA foreign_keys = ON;
	PRAGMA secure_delete = ON;
`;

/** An open database file with the tables in it, and each statement prepared once. Throws the driver's errors. */
export class SqliteConnection implements Disposable {
	readonly #database: DatabaseSync;
	readonly #statements = new Map<string, StatementSync>();

	/** Opens a file that is there: a database whose disk has gone must not come back empty. */
	constructor(path: string) {
		accessSync(path, constants.R_OK | constants.W_OK);
		this.#database = new DatabaseSync(path);
		try {
			this.#database.exec(pragmas);
			migrate(this.#database);
		} catch (error) {
			this.#database.close();
			throw error;
		}
	}

	exec(sql: string): void {
		this.#database.exec(sql);
	}

	/** @returns how many rows were changed */
	run(sql: string, parameters: Parameters): number {
		return Number(this.#prepared(sql).run(parameters).changes);
	}

	all<Row>(sql: string, parameters: Parameters = {}): Row[] {
		return this.#prepared(sql).all(parameters) as Row[];
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

/** Makes the file and the folders it needs, and sees to it that nobody but its owner reads the database. */
export function prepareFile(path: string): void {
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	closeSync(openSync(path, 'a', 0o600));
	// SQLite makes the files beside it with the same mode.
	for (const file of [path, `${path}-wal`, `${path}-shm`])
		if (existsSync(file) && statSync(file).mode & 0o077) chmodSync(file, 0o600);
}

/** SQLite's primary result codes that we tell apart (https://www.sqlite.org/rescode.html). */
export const resultCodes = { busy: 5, full: 13, constraint: 19 };

/** The primary result code of an error of SQLite's. */
export function resultCodeOf(error: unknown): number | undefined {
	return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
}
