import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '../durable-folder.ts';
import { inDatabase } from './sqlite.ts';
import { reasonOf, StoreError } from './store-error.ts';

/** In milliseconds: how long to wait for a lock. A running server holds one only for a moment. */
const PATIENCE = 5000;

/**
 * Copies a store's file as it is at one moment, while servers use it. The copy holds no deleted row, and it holds the keys that
 * unseal the others.
 *
 * @throws {StoreError} there is no copy; the message gives reason and remedy
 */
export function backUpSqlite(store: string, copy: string): void {
	const part = `${copy}.part`;
	try {
		if (existsSync(copy)) throw new Error('a file is there already');
		rmSync(part, { force: true });
		// Only its owner may read it.
		closeSync(openSync(part, 'wx', 0o600));
		inDatabase(store, (database) => {
			database.exec(`PRAGMA busy_timeout = ${PATIENCE}`);
			// Not SQLite's backup interface: that starts again whenever another process writes, and would never end.
			database.prepare('VACUUM INTO ?').run(part);
		});
		renameSync(part, copy);
		syncFolder(dirname(copy));
	} catch (error) {
		for (const file of [part, `${part}-journal`]) rmSync(file, { force: true });
		throw new StoreError(
			`The store cannot be copied to ${copy}: ${reasonOf(error)}. ` +
				'Name a new file in a folder that is there, that this user may write to, and whose disk has room.',
			{ cause: error },
		);
	}
}
