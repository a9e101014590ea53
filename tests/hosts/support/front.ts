import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request that reached the front of a host. */
export interface FrontRequest {
	method: string;
	/** With the query. */
	path: string;
	/** By lower-case name. Several values of a name are joined with commas. */
	headers: Record<string, string>;
	body: Buffer;
	/** The address of the client. */
	address: string;
}

export interface FrontAnswer {
	status: number;
	headers: Record<string, string>;
	body: Buffer | string;
}

/** Starts a server on a free port that stands in for the front of a host. */
export async function startFront(answer: (request: FrontRequest) => Promise<FrontAnswer>) {
	const server = createServer(async (incoming, response) => {
		const { status, headers, body } = await answer(await requestOf(incoming)).catch(failure);
		response.writeHead(status, headers).end(body);
	});
	// A connection closed just as the client uses it again would look like a fault of the host.
	server.keepAliveTimeout = 0;
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function requestOf(incoming: IncomingMessage): Promise<FrontRequest> {
	const { method = '', url = '', headers, socket } = incoming;
	const body = await buffer(incoming);
	return { method, path: url, headers: headers as Record<string, string>, body, address: socket.remoteAddress! };
}

/** Answers as hosts do when a function fails, and adds the reason. */
const failure = (error: unknown): FrontAnswer => ({
	status: 502,
	headers: { 'content-type': 'text/plain' },
	body: String(error),
});
