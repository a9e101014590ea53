import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fetchRaw, type RawAnswer, type RawRequest } from './fetch-raw.ts';

/** A passing answer, which a test may change. */
export interface PassingAnswer extends Omit<RawAnswer, 'headers'> {
	headers: Record<string, string | undefined>;
	/** Sends half of the body, then closes the connection. */
	cut?: true;
}

/** A passing request, with its path and query. */
type PassingRequest = RawRequest & { path: string };

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
		const headers = incoming.headers as Record<string, string>;
		const passing = { method, path: url, headers, body: await text(incoming) };
		const answer = await spoil(passing, () => fetchRaw(target + passing.path, passing));
		const close = () => socket.destroy();
		if (!answer) return void close();
		response.writeHead(answer.status, answer.headers);
		if (answer.cut) response.write(answer.body.subarray(0, answer.body.length / 2), close);
		else response.end(answer.body);
	});
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
