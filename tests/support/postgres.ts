import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { missing } from './missing.ts';
import { TestProcess, unlessRoot } from './process.ts';
import { disposing, temporaryFolder } from './temporary-folder.ts';

const given = process.env['TEST_POSTGRES_URL'];
const binaries = globSync('/usr/lib/postgresql/*/bin').find((folder) => existsSync(join(folder, 'initdb')));
export const postgresMissing = missing('PostgreSQL', given || binaries, 'set TEST_POSTGRES_URL or install Debian’s postgresql.');

/** Starts the server of `TEST_POSTGRES_URL`, or else a temporary one of Debian's. */
export async function startPostgres() {
	const control = given ? undefined : await startOwn();
	const url = given || control!.url;
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
		/** Undefined: the server of `TEST_POSTGRES_URL` is not ours, and stays up. */
		control,
		async [Symbol.asyncDispose]() {
			if (control) return control[Symbol.asyncDispose]();
			// PostgreSQL 12 drops no database that somebody uses.
			for (const name of names)
				await ask(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
			for (const name of names) await ask(url, `DROP DATABASE ${name}`);
		},
	};
}

const options = ['--username=test', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync'];

/** Starts a server on a socket in a temporary folder, without ports. */
async function startOwn() {
	const folder = await temporaryFolder();
	const user = unlessRoot('postgres');
	if (user) chownSync(folder.path, user.uid, user.gid);
	const data = join(folder.path, 'data');
	execFileSync(join(binaries!, 'initdb'), ['--pgdata', data, ...options], { cwd: folder.path, ...user });

	let server: TestProcess;
	const start = async () => {
		const args = ['-D', data, '-k', folder.path, '-c', 'listen_addresses='];
		// After SIGKILL the server would leave its shared memory behind.
		server = new TestProcess(args, { program: join(binaries!, 'postgres'), cwd: folder.path, user, end: 'QUIT' });
		await server.printed(/ready to accept connections/);
	};
	await start();
	return {
		url: `postgres://test@localhost/postgres?host=${encodeURIComponent(folder.path)}`,
		start,
		/** Ends every connection and returns when the server is down. */
		async stop() {
			await server.stop('SIGINT');
		},
		...disposing({ [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }, folder),
	};
}

/** Runs statements in a database. @returns the rows of the only one */
export async function ask(url: string, statements: string): Promise<Record<string, unknown>[]> {
	await using client = await connectedTo(url);
	return (await client.query<Record<string, unknown>>(statements)).rows;
}

export async function connectedTo(url: string): Promise<pg.Client & AsyncDisposable> {
	const client = new pg.Client(url);
	await client.connect();
	return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

/** Makes every lease in a database two minutes older, so that no process has to wait for one. */
export const endLeases = (database: string) =>
	ask(database, 'UPDATE lead_deliveries SET since = since - 120000, due_at = due_at - 120000 WHERE lease_owner IS NOT NULL');
