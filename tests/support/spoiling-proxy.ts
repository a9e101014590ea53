import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Certificate } from './certificate.ts';

/** A passing answer, which a test may change. */
export interface PassingAnswer {
	status: number;
	/** By lower-case name. */
	headers: Record<string, string | string[] | undefined>;
	body: Buffer;
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

interface ProxyOptions {
	/** The server behind it. */
	target: string;
	/** Undefined: plain HTTP. */
	certificate?: Certificate | undefined;
	spoil?: Spoil | undefined;
	host?: string;
	port?: number;
}

/** Starts a real proxy in front of a server, on a free port by default, that passes everything on, changed by `spoil`. */
export async function startProxy({ target, certificate, spoil, host = '127.0.0.1', port = 0 }: ProxyOptions) {
	const answer = async (incoming: IncomingMessage) => {
		const { method = '', url = '', headers } = incoming;
		const passing = { method, path: url, headers, body: await buffer(incoming) };
		const ask = () => askTarget(target, passing);
		return spoil ? spoil(passing, ask) : ask();
	};
	const server = certificate ? createServer(certificate) : createHttpServer();
	server.on('request', async (incoming, response) => {
		const passing = await answer(incoming);
		if (passing) response.writeHead(passing.status, passing.headers).end(passing.body);
		else incoming.socket.destroy();
	});
	server.listen(port, host);
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
