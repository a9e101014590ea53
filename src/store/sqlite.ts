import { createSecretKey, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { makeFolder, syncFolder } from './durable-folder.ts';
import type { Database, Run, Value, Work } from './database.ts';
import { cannotOpen, inUse, keepTrying, reasonOf, repeatWhile, StoreError, storeFailure } from './database.ts';
import { noTables, STEPS, stepsAfter, stepsOf, tablesIn, versionOf } from './schema.ts';

const tables = tablesIn('BLOB', 'INTEGER');
const version = versionOf(tables);

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

/** The pause between two tries to get a lock. */
const LOCK_PAUSE_MS = 10;
/** The most turns of the event loop in which work gathers for one commit. */
const MOST_TURNS = 10;

interface Task {
	work: Work<unknown>;
	resolve: (result: unknown) => void;
	reject: (error: StoreError) => void;
}

/** An open file. */
interface Connection extends Prepared {
	file: string;
	/** Device and inode of each part of the file, from when it was opened. */
	identities: string;
	secret: Uint8Array;
}

interface Prepared {
	database: DatabaseSync;
	/** Each statement, prepared, and which of the values stands at each of its places: to bind them by name takes twice as long. */
	statements: Map<string, { statement: StatementSync; order: number[] }>;
}

/** Returns a database in a file, which several processes may have open. @param patience in milliseconds: how long work waits for their locks */
export function sqliteDatabase(path: string, patience = 5000): Database {
	const file = resolve(path);
	let connection: Connection | undefined;
	/** Opens the file, also again after it was closed. */
	const connected = () => (connection ??= connect(file));
	const waiting: Task[] = [];
	let committing: Promise<void> | undefined;
	/** The transaction that is open: whoever reads meanwhile would see what may never be committed. */
	let transaction: Promise<void> | undefined;
	/** Held by one server of the file. */
	let lock: DatabaseSync | undefined;

	/** Closes the file, which undoes what is not committed: after a failure, which may have broken the connection, too. */
	function close(): void {
		try {
			connection?.database.close();
		} catch {
			// Committed work is safe, and a broken connection cannot do better.
		}
		connection = undefined;
	}

	/** Does work, again and again while another process has the file locked. */
	const whenFree = <Result>(work: () => Result | Promise<Result>) =>
		repeatWhile(isBusy, { patience, pause: LOCK_PAUSE_MS }, work);

	function failed(error: unknown): StoreError {
		close();
		return storeFailure(error);
	}

	const read: Run = async (sql, values) => {
		try {
			return await whenFree(async () => {
				for (let open = transaction; open; open = transaction) await open.catch(() => {});
				return all(connected(), sql, values);
			});
		} catch (error) {
			throw failed(error);
		}
	};

	/** Commits until nothing waits. What came in a few turns of the event loop, or while the file was locked, shares one wait for the disk. */
	async function commitAll(): Promise<void> {
		do {
			await gather(waiting);
			let tasks = waiting;
			try {
				// In one turn: a reader in between would see what is not committed.
				await whenFree(() => {
					const open = connected();
					open.database.exec('BEGIN IMMEDIATE');
					tasks = waiting.splice(0);
					transaction = commit(tasks, open);
				});
				await transaction;
			} catch (error) {
				const failure = failed(error);
				for (const { reject } of tasks.splice(0)) reject(failure);
			}
			transaction = undefined;
		} while (waiting.length > 0);
		// In the same turn as the last look at `waiting`: work that came between the two would be forgotten.
		committing = undefined;
	}

	return {
		async open(makes, alone) {
			try {
				if (makes) {
					makeFolder(dirname(file));
					// SQLite makes the file's name durable with its first commit.
					fs.appendFileSync(file, '', { mode: 0o600 });
				}
				await whenFree(() => prepareTables(file, makes, alone));
				const { secret } = await whenFree(connected);
				if (makes) lock = lockOf(file);
				// Not before: a file named by mistake must stay as it is.
				keepPrivate(file);
				return createSecretKey(secret);
			} catch (error) {
				if (alone && isBusy(error)) throw inUse(file);
				throw cannotOpen(file, OPENING, error, isWrongFile(error));
			}
		},
		read,
		write: (work) =>
			new Promise<never>((resolve, reject) => {
				waiting.push({ work, resolve: resolve as Task['resolve'], reject });
				committing ??= commitAll();
			}),
		/** `secure_delete` overwrites deleted rows in the file; the log of changes beside it holds them until it is emptied. */
		scrub: () =>
			keepTrying(patience, async () => {
				const [row] = await read<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)');
				return row?.busy === 0;
			}),
		file: {
			copies: () => Array.from({ length: STEPS }, (_, step) => copyBefore(file, step + 1)).filter((copy) => fs.existsSync(copy)),
			hasLock: () => lock !== undefined,
			risks: () => [...(lock ? [] : [sharedRisk(file)]), ...(isOnNetwork(fs.statfsSync(file).type) ? [networkRisk(file)] : [])],
		},
		/** Commits waiting work, and closes the file. */
		async [Symbol.asyncDispose]() {
			await committing;
			close();
			lock?.close();
		},
	};
}

/** Locks an empty file beside the store. @returns the connection that holds the lock, or undefined if another server has it */
function lockOf(file: string): DatabaseSync | undefined {
	const path = `${file}.lock`;
	// Not once it is locked: to close a file ends the process's locks on it.
	if (!fs.existsSync(path)) fs.appendFileSync(path, '', { mode: 0o600 });
	const lock = new DatabaseSync(path);
	try {
		// In memory, so that no journal lies beside it.
		lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
		return lock;
	} catch (error) {
		lock.close();
		if (!isBusy(error)) throw error;
		return undefined;
	}
}

/** The numbers of Linux (statfs(2)): NFS, SMB, CIFS, SMB2, Ceph, AFS, 9P. */
const networkTypes = new Set([0x69_69, 0x51_7b, 0xff_53_4d_42, 0xfe_53_4d_42, 0x00_c3_64_00, 0x53_46_41_4f, 0x01_02_19_97]);

/** @param type of a file system, as `statfs` says it */
export const isOnNetwork = (type: number): boolean => process.platform === 'linux' && networkTypes.has(type);

/** Windows has no such modes, and may refuse to change an open file. */
function keepPrivate(file: string): void {
	for (const part of process.platform === 'win32' ? [] : parts.map((end) => file + end))
		if (fs.existsSync(part) && fs.statSync(part).mode & 0o077) fs.chmodSync(part, 0o600);
}

const sharedRisk = (file: string) =>
	`Another server uses ${file}. Leads may be delivered twice when the other one starts again: stop one, or give each a file, or both a PostgreSQL database.`;
const networkRisk = (file: string) =>
	`${file} is on a network file system, where SQLite’s locks may fail and destroy it. Put it on a disk of this machine.`;

/** Waits until a turn of the event loop brings no more work, for a few turns at most: a commit holds up the process, whatever is in it. */
async function gather(waiting: Task[]): Promise<void> {
	for (let turn = 0, before = -1; turn < MOST_TURNS && waiting.length > before; turn += 1) {
		before = waiting.length;
		await nextTurn();
	}
}

/** Does tasks in the open transaction, commits it, and then settles them. Rejects if that fails: then it has settled none. */
async function commit(tasks: Task[], connection: Connection): Promise<void> {
	const settlements: (() => void)[] = [];
	for (const task of tasks) settlements.push(await doTask(task, connection));
	connection.database.exec('COMMIT');
	// Before any caller hears of the commit: one to a file that is gone is lost when the file is closed.
	if (identitiesOf(connection.file) !== connection.identities)
		throw new Error('its files were removed, moved or replaced while the server ran');
	for (const settle of settlements) settle();
}

/** Does a task, or else undoes it alone. @returns settles it, after the commit */
async function doTask({ work, resolve, reject }: Task, connection: Connection): Promise<() => void> {
	connection.database.exec('SAVEPOINT task');
	try {
		const result = await work(async (sql, values) => all(connection, sql, values), Date.now());
		connection.database.exec('RELEASE task');
		return () => resolve(result);
	} catch (error) {
		try {
			connection.database.exec('ROLLBACK TO task; RELEASE task');
		} catch {
			// After a failure of the disk, SQLite has rolled back the whole transaction.
			throw error;
		}
		return () => reject(storeFailure(error));
	}
}

function all<Row>({ database, statements }: Prepared, sql: string, values: Value[] = []): Row[] {
	let prepared = statements.get(sql);
	if (!prepared) {
		const order: number[] = [];
		const text = sql
			// Its transactions wait for each other anyway.
			.replaceAll(/ FOR UPDATE( SKIP LOCKED)?/g, '')
			.replaceAll(/\$(\d+)/g, (_, number) => (order.push(Number(number) - 1), '?'));
		prepared = { statement: database.prepare(text), order };
		statements.set(sql, prepared);
	}
	return prepared.statement.all(...prepared.order.map((index) => values[index]!)) as Row[];
}

/** Opens an existing file with our tables only: a database whose disk is gone must not come back empty. */
function connect(file: string): Connection {
	for (const path of [file, dirname(file)]) fs.accessSync(path, fs.constants.R_OK | fs.constants.W_OK);
	const database = new DatabaseSync(file);
	try {
		const { secret } = storeIn(database, file);
		// The first reader makes the files beside it.
		database.exec(`${pragmas}; SELECT tables FROM lead_store`);
		return { database, secret, file, identities: identitiesOf(file), statements: new Map() };
	} catch (error) {
		database.close();
		throw error;
	}
}

/** Reads the row of the store, before anything is changed: the file may be of another program. @throws {StoreError} it is */
function storeIn(database: DatabaseSync, file: string): { secret: Uint8Array; taken: number } {
	const names = namesIn(database);
	if (names.length === 0) throw noTables(file);
	const store = names.includes('lead_store') ? database.prepare('SELECT * FROM lead_store').get() : undefined;
	return { taken: stepsOf(store, version, file, REMEDY), secret: store?.['secret'] as Uint8Array };
}

const copyBefore = (file: string, step: number) => `${file}.before-${step}`;

/** Makes the tables of a new file, or brings those of an earlier version forward, after a copy. With `alone` the file is new, or brought forward already. Leaves any other file as it is. */
async function prepareTables(file: string, makes: boolean, alone?: (run: Run) => Promise<unknown>): Promise<void> {
	fs.accessSync(file, fs.constants.R_OK | fs.constants.W_OK);
	await inDatabase(file, async (database) => {
		// Whoever has the file open has a lock on it, until they close it or end.
		if (alone) database.exec('PRAGMA locking_mode = EXCLUSIVE');
		const stepsTaken = () => (makes && namesIn(database).length === 0 ? undefined : storeIn(database, file).taken);
		if (stepsTaken() === STEPS && !alone) return;
		database.exec(`${pragmas}; BEGIN IMMEDIATE`);
		// Another process may have done so meanwhile.
		const taken = stepsTaken();
		if (taken === undefined) {
			database.exec(tables.join(';'));
			database.prepare('INSERT INTO lead_store (tables, secret) VALUES (?, ?)').run(version, randomBytes(32));
		} else if (taken < STEPS && !alone) {
			// One that is there is from an upgrade that somebody has undone since.
			fs.rmSync(copyBefore(file, taken + 1), { force: true });
			await backUpSqlite(file, copyBefore(file, taken + 1));
		}
		database.exec(stepsAfter(taken ?? 0, 'sqlite').join(';'));
		const prepared: Prepared = { database, statements: new Map() };
		await alone?.(async (sql, values) => all(prepared, sql, values));
		database.exec('COMMIT');
	});
}

/** The remedies where a file cannot be opened, and where it holds other tables. */
const OPENING =
	'See to it that the disk has room and that file and folder belong to the user who runs this program, or name another file in LEAD_STORE.';
const REMEDY =
	'To keep it, move it away with the files beside it that end in -wal and -shm, and read it with the version that wrote it; the server then makes a new one. Or name another file in LEAD_STORE.';

/** Opens a database for as long as the work takes. Node.js 22.13 has no `using` for it. */
async function inDatabase(file: string, work: (database: DatabaseSync) => Promise<void>): Promise<void> {
	const database = new DatabaseSync(file);
	try {
		await work(database);
	} finally {
		database.close();
	}
}

const namesIn = (database: DatabaseSync) =>
	Array.from(database.prepare('SELECT name FROM sqlite_schema').iterate(), ({ name }) => name);

/** SQLite's files: the database, the log of its changes, and the log's index. */
const parts = ['', '-wal', '-shm'];

/** Returns device and inode of each file that can be seen there. */
const identitiesOf = (file: string) =>
	parts
		.map((part) => fs.statSync(file + part, { throwIfNoEntry: false }))
		.map((found) => found && `${found.dev} ${found.ino}`)
		.join();

/** Returns SQLite's code of an error (https://www.sqlite.org/rescode.html), which may have a kind in its upper bits; 0 for any other. */
const codeOf = (error: unknown) => Number((error as { errcode?: number }).errcode ?? 0) & 0xff;

const isBusy = (error: unknown) => codeOf(error) === 5;

/** Returns whether this user may not use the file, it is no database, or something else stands there. */
const isWrongFile = (error: unknown) =>
	/^(EACCES|EPERM|EROFS|EISDIR|ENOTDIR|EEXIST)$/.test((error as NodeJS.ErrnoException).code ?? '') || codeOf(error) === 26;

/** How long a copy waits for a lock. A running server holds one only for a moment. */
const COPY_PATIENCE_MS = 5000;

/**
 * Copies a store's file as it is at one moment, while servers use it. The copy holds no deleted row, and it holds the keys that
 * unseal the others.
 * @throws {StoreError} there is no copy; the message gives reason and remedy
 */
export async function backUpSqlite(store: string, copy: string): Promise<void> {
	const part = `${copy}.part`;
	try {
		if (fs.existsSync(copy)) throw new Error('a file is there already');
		fs.rmSync(part, { force: true });
		// Only its owner may read it.
		fs.writeFileSync(part, '', { flag: 'wx', mode: 0o600 });
		await inDatabase(store, async (database) => {
			database.exec(`PRAGMA busy_timeout = ${COPY_PATIENCE_MS}`);
			// Not SQLite's backup interface: that starts again whenever another process writes, and would never end.
			database.prepare('VACUUM INTO ?').run(part);
		});
		fs.renameSync(part, copy);
		syncFolder(dirname(copy));
	} catch (error) {
		for (const file of [part, `${part}-journal`]) if (fs.existsSync(file)) fs.rmSync(file);
		throw new StoreError(
			`The store cannot be copied to ${copy}: ${reasonOf(error)}. ` +
				'Name a new file in a folder that is there, that this user may write to, and whose disk has room.',
			{ cause: error },
		);
	}
}
