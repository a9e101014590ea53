import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { pipeline } from 'node:stream/promises';

/** A database that may be on a socket in a folder, which not every host can reach: on a port of this machine. */
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
	// Some hosts want one, and the throw-away server takes any.
	url.password = 'any';
	url.port = String((server.address() as AddressInfo).port);
	return { url: url.href, [Symbol.asyncDispose]: async () => void server.close() };
}
