import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

/** A real PostgreSQL server. */
export interface TestPostgres extends AsyncDisposable {
	/** Makes an empty database, and gives its URL. */
	createDatabase(): Promise<string>;
	/** Undefined: the server is somebody else's, and stays up. */
	control: ServerControl | undefined;
}

export interface ServerControl {
	/** Ends every connection and returns when the server is down. */
	stop(): Promise<void>;
	/** Returns when connections are taken. */
	start(): Promise<void>;
}

const given = process.env['TEST_POSTGRES_URL'];
const binaries = globSync('/usr/lib/postgresql/*/bin').find((folder) => existsSync(join(folder, 'initdb')));

/** Why there is no server to test with; undefined when there is one. Said once, since a skipped test says nothing. */
export const postgresMissing =
	given || binaries ? undefined : 'PostgreSQL tests skipped: set TEST_POSTGRES_URL or install Debian’s postgresql.';
if (postgresMissing) console.warn(postgresMissing);

/** The server of `TEST_POSTGRES_URL`; else a throw-away one of Debian's, on a socket in a temporary folder. */
export async function startPostgres(): Promise<TestPostgres> {
	if (given) return { ...databasesOf(given), control: undefined };
	const server = await throwAwayServer(binaries!);
	const { createDatabase } = databasesOf(server.url);
	return { createDatabase, control: server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Databases on a server, dropped at the end. */
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
	const client = new pg.Client(url);
	await client.connect();
	try {
		await client.query(statement);
	} finally {
		await client.end();
	}
}

async function throwAwayServer(folder: string): Promise<ServerControl & AsyncDisposable & { url: string }> {
	const data = mkdtempSync(join(tmpdir(), 'postgres-'));
	const identity = unprivileged();
	if (identity) chownSync(data, identity.uid, identity.gid);
	const run = async (program: string, ...args: string[]) => {
		await promisify(execFile)(join(folder, program), args, { cwd: data, ...identity });
	};
	const control = (...args: string[]) => run('pg_ctl', '--pgdata', data, '--wait', '--silent', ...args);
	const stop = () => control('stop', '--mode', 'fast');
	const start = () => control('start', '--log', join(data, 'log'), '--options', `-k ${data} -c listen_addresses=`);

	const options = ['--username=test', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync'];
	await run('initdb', '--pgdata', data, ...options);
	await start();
	const remove = () => {
		// It fails where the server is down already.
		spawnSync(join(folder, 'pg_ctl'), ['--pgdata', data, 'stop', '--mode', 'immediate'], { cwd: data, ...identity });
		rmSync(data, { recursive: true });
	};
	process.once('exit', remove);
	return {
		url: `postgres://test@localhost/postgres?host=${encodeURIComponent(data)}`,
		stop,
		start,
		async [Symbol.asyncDispose]() {
			process.off('exit', remove);
			remove();
		},
	};
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): { uid: number; gid: number } | undefined {
	if (process.getuid?.() !== 0) return undefined;
	return { uid: idOfPostgres('-u'), gid: idOfPostgres('-g') };
}

const idOfPostgres = (option: '-u' | '-g') => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
