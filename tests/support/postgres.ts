import { randomBytes } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type ServerControl, throwAwayServer } from './postgres-server.ts';

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
