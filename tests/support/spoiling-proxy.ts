import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A passing answer, which a test may change. */
export interface PassingAnswer {
	status: number;
	/** By lower-case name. */
	headers: Record<string, string | string[] | undefined>;
	body: Buffer;
	/** Sends half of the body, then closes the connection. */
	cut?: true;
}

interface PassingRequest {
	method: string;
	/** With the query. */
	path: string;
	headers: Record<string, string | string[] | undefined>;
	body: Buffer;
}

/** Changes an answer, or loses it (undefined). It may also change the request before it asks. */
export type Spoil = (
	request: PassingRequest,
	ask: () => Promise<PassingAnswer>,
) => Promise<PassingAnswer | undefined> | PassingAnswer | undefined;

/** Starts a real proxy in front of the server at `target`, on a free port, that passes everything on, changed by `spoil`. */
export async function startProxy({ target, spoil }: { target: string; spoil: Spoil }) {
	// On a busy machine a client may pause for longer than Node.js keeps a connection.
	const server = createServer({ keepAliveTimeout: 0 });
	server.on('request', async (incoming, response) => {
		const { method = '', url = '', socket } = incoming;
		const passing = { method, path: url, headers: incoming.headers, body: await buffer(incoming) };
		const answer = await spoil(passing, () => askTarget(target, passing));
		const close = () => socket.destroy();
		if (!answer) return void close();
		const { status, headers, body, cut } = answer;
		response.writeHead(status, headers);
		if (cut) response.write(body.subarray(0, body.length / 2), close);
		else response.end(body);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		port: (server.address() as AddressInfo).port,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function askTarget(target: string, { method, path, headers, body }: PassingRequest): Promise<PassingAnswer> {
	return new Promise((resolve, reject) => {
		request(target + path, { method, headers }, async (response) =>
			resolve({ status: response.statusCode!, headers: response.headers, body: await buffer(response) }),
		)
			.on('error', reject)
			.end(body);
	});
}
