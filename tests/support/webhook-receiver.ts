import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { expect } from 'vitest';
import { serve } from './listening.ts';

export interface WebhookReply {
	status?: number;
	headers?: Record<string, string>;
	/** By default `ok`. Several pieces are sent one by one. */
	body?: string | Iterable<string> | AsyncIterable<string>;
	interim?: number;
	until?: Promise<unknown>;
}

/** Its path has the query. */
type ReceivedRequest = Record<'method' | 'path' | 'body', string> & { headers: IncomingHttpHeaders };

/** Starts a real HTTP receiver, on a free port: `url` to post to, `requests` that arrived. `reply` sets answers. */
export async function startWebhookReceiver(
	reply: WebhookReply | ((request: ReceivedRequest, before: number) => WebhookReply) = {},
) {
	const requests: ReceivedRequest[] = [];
	const server = await serve(async (request, response) => {
		const { method = '', url = '', headers: received } = request;
		const content = await text(request).catch(() => undefined);
		// The sender was killed halfway.
		if (content === undefined) return;
		const arrived = { method, path: url, headers: received, body: content };
		const before = requests.push(arrived) - 1;
		const said = typeof reply === 'function' ? reply(arrived, before) : reply;
		const { status = 200, headers, body = 'ok', interim = 0, until } = said;
		await until;
		for (let sent = 0; sent < interim; sent += 1) response.writeProcessing();
		response.writeHead(status, headers);
		// The client may hang up first, as some tests require.
		await pipeline(Readable.from(typeof body === 'string' ? [body] : body), response).catch(() => {});
	});
	return {
		...server,
		url: `${server.url}/services/T000/B000/secret-part`,
		requests,
		/** Returns the events that arrived, where they come as JSON. */
		events: () => requests.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> }),
		received: (count: number) => expect.poll(() => requests.length).toBeGreaterThanOrEqual(count),
	};
}
