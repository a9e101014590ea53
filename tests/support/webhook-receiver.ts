import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

export interface WebhookReply {
	status?: number;
	headers?: Record<string, string>;
	body?: string;
}

export interface ReceivedRequest {
	method: string;
	/** With the query. */
	path: string;
	headers: IncomingHttpHeaders;
	body: string;
}

/**
 * A real HTTP receiver on a free port: `url` to post to, `requests` that came.
 * Answers 200 `ok`, what it is told, `never`, or with an `endless` body.
 */
export async function startWebhookReceiver(reply: WebhookReply | 'never' | 'endless' = {}) {
	const requests: ReceivedRequest[] = [];
	const server = createServer(async (request, response) => {
		requests.push({
			method: request.method ?? '',
			path: request.url ?? '',
			headers: request.headers,
			body: await text(request),
		});
		if (reply === 'never') return;
		if (reply === 'endless') return pipeline(Readable.from(endless()), response).catch(() => {});
		response.writeHead(reply.status ?? 200, reply.headers).end(reply.body ?? 'ok');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: new URL(`http://127.0.0.1:${port}/services/T000/B000/secret-part`),
		requests,
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function* endless() {
	for (;;) yield 'x'.repeat(65_536);
}
