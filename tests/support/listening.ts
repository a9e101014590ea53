import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import getPort, { portNumbers } from 'get-port';

/** An address where no program listens: no service has this port, and no system gives it out. */
export const NOBODY = '127.0.0.1:4';

/** Starts a server on a free port of this machine. Its connections end with it. */
export async function listening(server: Server) {
	const sockets = new Set<Socket>();
	server.on('connection', (socket) => sockets.add(socket.once('close', () => sockets.delete(socket))));
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return {
		address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
		async [Symbol.asyncDispose]() {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

export async function serve(answer: RequestListener, options: ServerOptions = {}) {
	const { address, ...server } = await listening(createServer(options, answer));
	return { url: `http://${address}`, ...server };
}

/**
 * Starts a program that cannot say which port it got, on one below those that a system gives out, or on another if that is taken.
 * @param start rejects with the program's words if it ends before it listens
 */
export async function onFreePorts<Started>(start: (port: number) => Promise<Started>) {
	for (let tries = 1; ; tries += 1) {
		const port = await getPort({ port: portNumbers(randomInt(10_000, 31_000), 32_000) });
		try {
			return { started: await start(port), port };
		} catch (error) {
			if (tries === 5 || !/EADDRINUSE|address already in use/i.test(String(error))) throw error;
		}
	}
}

export function reached(port: number, host = '127.0.0.1'): Promise<boolean> {
	const socket = connect(port, host);
	const connected = once(socket, 'connect').then(Boolean, () => false);
	return connected.finally(() => socket.destroy());
}
