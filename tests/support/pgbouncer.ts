import { chownSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { missing } from './missing.ts';
import { postgresMissing } from './postgres.ts';
import { TestProcess, unlessRoot } from './process.ts';
import { disposing, temporaryFolder } from './temporary-folder.ts';

const BINARY = '/usr/sbin/pgbouncer';

export const pgbouncerMissing = postgresMissing ?? missing('PgBouncer', existsSync(BINARY), 'install Debian’s pgbouncer.');

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
	const user = unlessRoot('postgres');
	if (user) chownSync(folder.path, user.uid, user.gid);
	const server = new TestProcess([file], { program: BINARY, user });
	await server.printed(/process up/);
	return {
		url: `postgres://${name}@localhost:6432/${database}?host=${encodeURIComponent(folder.path)}`,
		...disposing(server, folder),
	};
}
