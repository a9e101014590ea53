import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { pipeline } from 'node:stream/promises';

/** Makes a database on a socket reachable on a port of this machine, because not every host can use sockets. */
export async function overTcp(database: string) {
	const url = new URL(database);
	const folder = url.searchParams.get('host');
	if (!folder?.startsWith('/')) return { url: database, [Symbol.asyncDispose]: async () => {} };
	const path = `${folder}/.s.PGSQL.5432`;
	const server = createServer((client) => {
		const socket = connect(path);
		// Either side may hang up.
		pipeline(client, socket, client).catch(() => {});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	url.search = '';
	url.hostname = '127.0.0.1';
	// Some hosts require a password, and the throw-away server takes any.
	url.password = 'any';
	url.port = String((server.address() as AddressInfo).port);
	return { url: url.href, [Symbol.asyncDispose]: async () => void server.close() };
}
