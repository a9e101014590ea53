import { chownSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { postgresMissing } from './postgres.ts';
import { printed } from './printed.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { tethered } from './tether.ts';
import { user } from './user.ts';

const BINARY = '/usr/sbin/pgbouncer';

/** Why there is no PgBouncer to test with, or undefined if there is one. Printed once, because a skipped test is silent. */
export const pgbouncerMissing =
	postgresMissing ?? (existsSync(BINARY) ? undefined : 'PgBouncer tests skipped: install Debian’s pgbouncer.');
if (pgbouncerMissing && !postgresMissing) console.warn(pgbouncerMissing);

/** Starts PgBouncer before a database. Each transaction of a client may run on another connection to the server. */
export async function startPgbouncer(url: string) {
	const { host, port, database, user: name, password } = new pg.Client(url);
	const folder = await temporaryFolder();
	const at = Object.entries({ host, port, user: name, password }).filter(([, value]) => value);
	const settings = `
		[databases]
		${database} = ${at.map(([key, value]) => `${key}='${value}'`).join(' ')}
		[pgbouncer]
		pool_mode = transaction
		auth_type = any
		listen_addr =
		listen_port = 6432
		unix_socket_dir = ${folder.path}
	`;
	const file = join(folder.path, 'pgbouncer.ini');
	writeFileSync(file, settings.replaceAll('\t', ''));
	// It refuses to run as root.
	const owner = process.getuid?.() === 0 ? user('postgres') : undefined;
	if (owner) chownSync(folder.path, owner.uid, owner.gid);
	const server = tethered(() => spawn(BINARY, [file], { ...owner, stdio: ['ignore', 'ignore', 'pipe'] }));
	await printed(server.stderr, /process up/);
	return {
		url: `postgres://${name}@localhost:6432/${database}?host=${encodeURIComponent(folder.path)}`,
		async [Symbol.asyncDispose]() {
			const exit = once(server, 'exit');
			if (server.exitCode === null && server.signalCode === null && server.kill()) await exit;
			await folder[Symbol.asyncDispose]();
		},
	};
}
