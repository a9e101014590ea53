import { closeSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { syncFile, syncFolder } from '../durable-folder.ts';
import { reasonOf, StoreError } from './store-error.ts';

/** In milliseconds: how long to wait for a lock. A running server holds one only for a moment. */
const PATIENCE = 5000;

/**
 * Copies a store's file as it is at one moment, while servers use it.
 *
 * @returns the size of the copy, in bytes
 * @throws {StoreError} there is no copy, nor a part of one; the message gives reason and remedy
 */
export function backUpSqlite(store: string, copy: string): number {
	const database = new DatabaseSync(store);
	try {
		database.exec(`PRAGMA busy_timeout = ${PATIENCE}`);
		return copySqlite(database, copy);
	} finally {
		database.close();
	}
}

/**
 * Copies a store through an open database. The copy holds no deleted row, and it holds the keys that unseal the others. It gets
 * its name once it is whole and on the disk: a process that is killed leaves no more than a file that ends in `.part`.
 *
 * @returns the size of the copy, in bytes
 * @throws {StoreError} there is no copy, nor a part of one; the message gives reason and remedy
 */
export function copySqlite(store: Pick<DatabaseSync, 'prepare'>, copy: string): number {
	const part = `${copy}.part`;
	const made: string[] = [];
	try {
		// Tells at once that the name is taken.
		reserve(copy);
		rmSync(copy);
		reserve(part);
		made.push(part, `${part}-journal`);
		// Not SQLite's backup interface: that starts again whenever another process writes, and would never end.
		store.prepare('VACUUM INTO ?').run(part);
		// SQLite does so too, but its documentation does not promise it.
		syncFile(part, 'r+');
		reserve(copy);
		made.push(copy);
		renameSync(part, copy);
		syncFolder(dirname(copy));
		return statSync(copy).size;
	} catch (error) {
		for (const file of made) rmSync(file, { force: true });
		throw unusable(copy, error);
	}
}

/** Creates a file that only its owner may read. Throws if a file of that name exists. */
const reserve = (file: string) => closeSync(openSync(file, 'wx', 0o600));

function unusable(copy: string, cause: unknown): StoreError {
	if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') {
		const { path } = cause as NodeJS.ErrnoException;
		const advice =
			path === copy
				? 'Name a file that is not there.'
				: 'Another backup writes it, or an interrupted one left it: in that case delete it.';
		return new StoreError(`${path} is there already, and is left as it is. ${advice}`, { cause });
	}
	return new StoreError(
		`The store cannot be copied to ${copy}: ${reasonOf(cause)}. ` +
			'Name a file in a folder that is there, that this user may write to, and whose disk has room.',
		{ cause },
	);
}
