import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { type Answer, problem, type ProblemName, problems } from '../api/answer.ts';
import { type ClientRequest, readBody } from '../api/request.ts';
import { addHeaders, handle, logAnswer, type Parts } from './handler.ts';

/** Answers every request to a server of Node.js. */
export function listenerFor(parts: Parts & { log: Logger }): RequestListener {
	return (incoming, response) => {
		const start = performance.now();
		const request = clientRequest(incoming);
		response.on('close', () => logAnswer(parts.log, request, start, response.statusCode, !response.writableFinished));
		if (!HOST.test(incoming.headers.host ?? '')) return send(response, wrongHost);
		void handle(request, parts, (answer) => {
			// Not when the request comes: the signal may come in between.
			if (parts.stopping) response.setHeader('connection', 'close');
			send(response, answer);
		});
	};
}

/** One host with its port (RFC 3986 section 3.2), or none, as in HTTP/1.0. Several have a space between them: `joinDuplicateHeaders`. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

const detail = 'The request names several hosts, or none that can be. Send one Host header, as in Host: www.example.com.';
const wrongHost = addHeaders(problem('malformed-request', { detail, headers: { connection: 'close' } }));

/** Returns the request as operations see it. */
export const clientRequest = (incoming: IncomingMessage): ClientRequest => ({
	method: incoming.method ?? 'GET',
	url: incoming.url ?? '/',
	headers: { get: (name) => headerOf(incoming, name), keys: () => Object.keys(incoming.headers) },
	read: (limit) => readBody(incoming, limit),
	address: incoming.socket.remoteAddress,
	notes: {},
});

function headerOf(incoming: IncomingMessage, name: string): string | null {
	const { [name]: first } = incoming.headers;
	// Where the host made the server, `headers` keeps only the first of several credentials.
	const value = name.endsWith('authorization') && first !== undefined ? incoming.headersDistinct[name] : first;
	return Array.isArray(value) ? value.join(', ') : (value ?? null);
}

/** Writes an answer. Node.js leaves out the body for HEAD (RFC 9110 section 9.3.2). */
export const send = (response: ServerResponse, { status, headers, body }: Answer): void =>
	void response.writeHead(status, headers).end(body);

/** The problems of requests that Node.js cannot read, by the code of its error. All others are malformed. */
const unreadable: Record<string, ProblemName> = {
	ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
	HPE_HEADER_OVERFLOW: 'headers-too-large',
};

/** Answers a request that Node.js cannot read: as Node.js would, without log and metrics, but with problem details. */
export function refuseUnreadable({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
	const begun = Reflect.get(socket, '_httpMessage') as ServerResponse | undefined;
	// The request before was whole: its own answer goes out, and ends the connection.
	if (begun?.req.complete && !begun.headersSent) return void begun.setHeader('connection', 'close');
	// A client that has a part of another answer would take this for the rest of it.
	if (!socket.writable || begun?.headersSent) return void socket.destroy();
	const name = unreadable[code] ?? 'malformed-request';
	const { status, headers, body } = addHeaders(problem(name));
	const all = { ...headers, date: new Date().toUTCString(), connection: 'close' };
	const lines = Object.entries(all).map((line) => line.join(': '));
	const answer = [`HTTP/1.1 ${status} ${problems[name].title}`, ...lines, '', String(body)].join('\r\n');
	socket.end(answer, () => socket.destroy());
}
