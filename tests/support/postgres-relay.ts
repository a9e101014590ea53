import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import pg from 'pg';

/** Starts a network between a database and its clients that a test can cut. */
export async function startPostgresRelay(url: string) {
	const { host, port } = new pg.Client(url);
	const sockets = new Set<Socket>();
	const server = createServer((near) => {
		const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
		for (const socket of [near, far]) socket.on('error', () => {});
		near.on('close', () => far.destroy());
		near.pipe(far).pipe(near);
		sockets.add(near);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const relayed = new URL(url);
	relayed.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	relayed.searchParams.delete('host');
	const cut = () => {
		for (const socket of sockets) socket.resetAndDestroy();
		sockets.clear();
	};
	return {
		url: relayed.href,
		/** Ends all connections silently. */
		cut,
		async [Symbol.asyncDispose]() {
			cut();
			server.close();
			await once(server, 'close');
		},
	};
}
