import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { SqliteConnection } from './sqlite-connection.ts';
import { sql } from './sqlite-statements.ts';
import { reasonOf, StoreError } from './store-error.ts';

/** A saved store, whose files were removed or replaced while it was open. */
export interface Rescue {
	connection: SqliteConnection;
	/** A sentence about the event, for the log. */
	news: string;
}

/**
 * Saves an open database whose files were removed, moved or replaced: the process that has it open can still read everything in
 * it. Blocks the process while it writes the file.
 *
 * @param lost the result of {@link SqliteConnection.lost}
 * @throws {StoreError} the database cannot be saved now; the message gives reason and remedy, and the database stays
 * open unless its changes are in the file
 */
export function rescue(old: SqliteConnection, path: string, lost: 'file' | 'log'): Rescue {
	try {
		const [connection, what] = lost === 'log' ? withNewLog(old, path) : rewritten(old, path);
		return { connection, news: `${what} Nothing is lost. ${ADVICE}` };
	} catch (error) {
		throw new StoreError(
			`The files of the lead store ${path} were removed or replaced while the server ran, and what they held cannot be written there: ` +
				`${reasonOf(error)}. No lead is taken until that works; leave the server running, it tries again. ${ADVICE}`,
			{ cause: error },
		);
	}
}

const ADVICE = 'Stop the server before you remove, move or replace the files of its store.';

/** Writes the log's changes into the file, and creates a new log. */
function withNewLog(old: SqliteConnection, path: string): [SqliteConnection, string] {
	const [checkpoint] = old.all<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)');
	if (checkpoint?.busy !== 0) throw new Error('another program reads the store');
	// A new connection beside the old one would share the removed index, while other processes create another.
	old[Symbol.dispose]();
	return [
		new SqliteConnection(path),
		`The files beside the lead store ${path}, -wal and -shm, were removed while the server ran.`,
	];
}

/** Writes the store again. Sets aside an older copy of it at that path, because that may hold entries deleted since. */
function rewritten(old: SqliteConnection, path: string): [SqliteConnection, string] {
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	// The log files hold changes to the file that is gone, and would spoil another.
	old.removeLog(path);
	const copy = isOlderCopy(old, path) ? `${path}.${Date.now()}` : undefined;
	if (copy) renameSync(path, copy);
	// The second may be left from a try that was killed.
	for (const file of [path, `${path}.part`]) rmSync(file, { force: true });
	old.copyTo(path);
	old[Symbol.dispose]();
	const news = copy ? `replaced by a copy of it, which is now ${copy},` : 'removed';
	return [new SqliteConnection(path), `The lead store ${path} was ${news} while the server ran, and is written again.`];
}

/**
 * @returns false if there is nothing, a link, which keeps nothing itself, or an empty store, which a command creates when it
 *   finds no file
 */
function isOlderCopy(old: SqliteConnection, path: string): boolean {
	if (!existsSync(path) || statSync(path).size === 0 || lstatSync(path).isSymbolicLink()) return false;
	using found = new SqliteConnection(path);
	if (isEmpty(found)) return false;
	if (secretOf(found) !== secretOf(old)) throw new Error('the file there is another store');
	return true;
}

const isEmpty = (connection: SqliteConnection) =>
	connection.all('SELECT id FROM lead_entries UNION ALL SELECT id FROM api_keys LIMIT 1').length === 0;

const secretOf = (connection: SqliteConnection) =>
	Buffer.from(connection.all<{ secret: Uint8Array }>(sql.secret)[0]!.secret).toString('base64');
