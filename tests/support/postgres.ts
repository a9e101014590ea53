import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { TestProcess } from './process.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { unlessRoot } from './user.ts';

interface ServerControl {
	/** Ends every connection and returns when the server is down. */
	stop(): Promise<void>;
	/** Returns when the server takes connections. */
	start(): Promise<void>;
}

/** A real PostgreSQL server. */
export interface TestPostgres extends AsyncDisposable {
	/** Creates an empty database, and returns its URL. */
	createDatabase(): Promise<string>;
	/** Undefined: the server belongs to somebody else, and stays up. */
	control: ServerControl | undefined;
}

const given = process.env['TEST_POSTGRES_URL'];
const binaries = globSync('/usr/lib/postgresql/*/bin').find((folder) => existsSync(join(folder, 'initdb')));

/** Why there is no server to test with, or undefined if there is one. Printed once, because a skipped test is silent. */
export const postgresMissing =
	given || binaries ? undefined : 'PostgreSQL tests skipped: set TEST_POSTGRES_URL or install Debian’s postgresql.';
if (postgresMissing) console.warn(postgresMissing);

/** Starts the server of `TEST_POSTGRES_URL`, or else a temporary one of Debian's, on a socket in a temporary folder. */
export async function startPostgres(): Promise<TestPostgres> {
	if (given) return { ...databasesOf(given), control: undefined };
	const server = await throwAwayServer(binaries!);
	const { createDatabase } = databasesOf(server.url);
	return { createDatabase, control: server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const initOptions = ['--username=test', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync'];

/** Starts a server of these binaries, on a socket in its own folder, without ports. */
async function throwAwayServer(binaries: string): Promise<ServerControl & AsyncDisposable & { url: string }> {
	const folder = await temporaryFolder();
	const user = unlessRoot('postgres');
	if (user) chownSync(folder.path, user.uid, user.gid);
	const data = join(folder.path, 'data');
	await promisify(execFile)(join(binaries, 'initdb'), ['--pgdata', data, ...initOptions], { cwd: folder.path, ...user });

	let server: TestProcess;
	const start = async () => {
		const args = ['-D', data, '-k', folder.path, '-c', 'listen_addresses='];
		// After SIGKILL it would leave its shared memory behind.
		server = new TestProcess(args, { program: join(binaries, 'postgres'), cwd: folder.path, user, end: 'QUIT' });
		await server.printed(/ready to accept connections/);
	};
	await start();
	return {
		url: `postgres://test@localhost/postgres?host=${encodeURIComponent(folder.path)}`,
		start,
		async stop() {
			server.signal('SIGINT');
			await server.exit();
		},
		async [Symbol.asyncDispose]() {
			for (const resource of [server, folder]) await resource[Symbol.asyncDispose]();
		},
	};
}

/** Creates databases on a server, and drops them at the end. */
function databasesOf(url: string): Pick<TestPostgres, 'createDatabase'> & AsyncDisposable {
	const names: string[] = [];
	return {
		async createDatabase() {
			const name = `test_${randomBytes(8).toString('hex')}`;
			await ask(url, `CREATE DATABASE ${name}`);
			names.push(name);
			const database = new URL(url);
			database.pathname = `/${name}`;
			return database.href;
		},
		async [Symbol.asyncDispose]() {
			for (const name of names) await ask(url, `DROP DATABASE ${name} WITH (FORCE)`);
		},
	};
}

async function ask(url: string, statement: string): Promise<void> {
	await using client = await connectedTo(url);
	await client.query(statement);
}

export async function connectedTo(url: string): Promise<pg.Client & AsyncDisposable> {
	const client = new pg.Client(url);
	await client.connect();
	return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

/** Makes every lease in a database a minute older, so that nobody has to wait for it. @returns the number of leases */
export async function endLeases(database: string): Promise<number> {
	await using client = await connectedTo(database);
	const { rowCount } = await client.query(
		'UPDATE lead_deliveries SET since = since - 60000, due_at = due_at - 60000 WHERE lease_owner IS NOT NULL',
	);
	return rowCount ?? 0;
}
