import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { lookup } from 'mrmime';
import { fetchRaw, type RawAnswer } from './fetch-raw.ts';
import { serve } from './listening.ts';

/** A request that reached the front of a host: its path with the query, and headers by lower-case name, several values joined with commas. */
export interface FrontRequest extends Record<'method' | 'path' | 'address', string> {
	headers: Record<string, string>;
	body: Buffer;
}

export type FrontAnswer = Omit<RawAnswer, 'body'> & { body: Buffer | string };

/** Starts a server on a free port in place of the front of a host. Without an answer it ends the connection. */
export function startFront(answer: (request: FrontRequest) => Promise<FrontAnswer | undefined>) {
	const respond = async (incoming: IncomingMessage, response: ServerResponse) => {
		const { method = '', url = '', socket } = incoming;
		const request = { method, path: url, headers: incoming.headers as Record<string, string>, address: socket.remoteAddress! };
		// Hosts answer so when a function fails. The reason is for us.
		const failed = { status: 502, headers: { 'content-type': 'text/plain' } };
		const failure = (error: unknown): FrontAnswer => ({ ...failed, body: String(error) });
		const made = await answer({ ...request, body: await buffer(incoming) }).catch(failure);
		if (made) response.writeHead(made.status, made.headers).end(made.body);
		else socket.destroy();
	};
	// If the server closed a connection just as the client uses it again, that would look like a fault of the host.
	return serve(respond, { keepAliveTimeout: 0 });
}

/** Returns the media type that hosts give a file by its extension: texts are UTF-8. */
export function typeOf(file: string): string {
	const type = lookup(file) ?? 'application/octet-stream';
	return type.startsWith('text/') ? `${type}; charset=utf-8` : type;
}

/** Changes an answer, or loses it. */
export type Spoil = (request: FrontRequest, ask: () => ReturnType<typeof fetchRaw>) => Promise<FrontAnswer | undefined>;

/** Starts a proxy in front of the server at `target` that passes everything on, changed by `spoil`. */
export const startProxy = ({ target, spoil }: { target: string; spoil: Spoil }) =>
	startFront((request) => spoil(request, () => fetchRaw(target + request.path, request)));
