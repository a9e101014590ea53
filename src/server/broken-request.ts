import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { Answer } from '../http/answer.ts';
import { STATUS_CODES } from './node-http.ts';
import { secured, send } from './send.ts';
import { isAnswered } from './unread-body.ts';

/** What to answer to a request that Node's parser refuses, by the code of its error; otherwise 400. */
const statusOf: Record<string, { status: number; detail: string }> = {
	HPE_HEADER_OVERFLOW: { status: 431, detail: 'Send fewer or shorter headers: 16 KiB in all.' },
	HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, detail: 'Send chunks without extensions.' },
	ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'Send the whole request sooner.' },
};
const malformed = { status: 400, detail: 'Send a request that follows HTTP/1.1 (RFC 9112).' };

/** Answers what is not HTTP, or comes too slowly or too large to be taken, and ends the connection. */
export function refuseBrokenRequests(log: Logger) {
	return (error: NodeJS.ErrnoException, socket: Duplex): void => {
		if (isAnswered(socket)) return;
		if (error.code === 'ECONNRESET' || !socket.writable) {
			socket.destroy();
			return;
		}
		const { status, detail } = statusOf[error.code ?? ''] ?? malformed;
		log.debug({ code: error.code, status }, 'A broken request was refused.');
		socket.end(rawAnswer(refusal(status, detail)), () => socket.destroy());
	};
}

/** CONNECT asks for a tunnel. Node hands over the bare connection. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
	socket.on('error', () => {});
	const { headers, ...rest } = refusal(405, 'Send your request to the server that it is meant for: this is no proxy.');
	socket.end(rawAnswer({ ...rest, headers: { ...headers, allow: 'GET, HEAD' } }), () => socket.destroy());
}

/** RFC 9110 section 10.1.1 knows one expectation only: `100-continue`. */
export function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
	send(request, response, refusal(417, 'Expect nothing but 100-continue.'));
}

/** The answer to what {@link isBroken}. */
export const brokenRequest = (): Answer => refusal(malformed.status, malformed.detail);

/**
 * Whether a request that Node's parser takes still breaks HTTP/1.1 in a way that proxies read differently:
 * another version (RFC 9112 section 2.3), a transfer coding beside `chunked` or in HTTP/1.0 (6.1), no host, two of them or none (3.2).
 */
export function isBroken({ httpVersion, headers, rawHeaders }: IncomingMessage): boolean {
	const coding = headers['transfer-encoding'];
	if (coding !== undefined && (httpVersion !== '1.1' || coding.toLowerCase() !== 'chunked')) return true;
	const hosts = countHosts(rawHeaders);
	if (httpVersion !== '1.1') return httpVersion !== '1.0' || hosts > 1;
	return hosts !== 1 || !hostForm.test(headers.host ?? '');
}

/** Node keeps the first of several in `headers`. */
function countHosts(rawHeaders: string[]): number {
	let count = 0;
	for (let index = 0; index < rawHeaders.length; index += 2) {
		const name = rawHeaders[index]!;
		if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
	}
	return count;
}

/** RFC 9110 section 7.2, RFC 3986 section 3.2.2. */
const hostForm = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+;=%-]*)(:\d*)?$/i;

function refusal(status: number, detail: string): Answer {
	return {
		status,
		headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', connection: 'close' },
		body: JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, detail }),
	};
}

function rawAnswer({ status, headers, body }: Answer): string {
	const all = { ...secured, ...headers, 'content-length': Buffer.byteLength(body) };
	const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
	return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}
