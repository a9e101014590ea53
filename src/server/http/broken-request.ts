import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { Answer } from '../../http/answer.ts';
import { methodNotAllowed, problem } from '../../http/problem.ts';
import { pendingAnswer, type OrderedResponse, markEnded } from './connection.ts';
import { STATUS_CODES } from './node-http.ts';
import { secured, send } from './send.ts';

/** The answers to requests that Node's parser refuses, by the code of its error. */
const refusals: Record<string, Answer> = {
	HPE_HEADER_OVERFLOW: problem('headers-too-large'),
	HPE_CHUNK_EXTENSIONS_OVERFLOW: problem('too-large', { detail: 'Send chunks without extensions.' }),
	ERR_HTTP_REQUEST_TIMEOUT: problem('request-timeout'),
};
const malformed = problem('malformed-request', { detail: 'Send a request that follows HTTP/1.1 (RFC 9112).' });

/** Answers a request that is not HTTP, too slow or too large, and ends the connection. */
export function refuseBrokenRequests(log: Logger) {
	return ({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void => {
		const answer = refusals[code] ?? malformed;
		if (refuseRest(socket, answer)) log.debug({ code, status: answer.status }, 'A broken request was refused.');
	};
}

/** CONNECT asks for a tunnel. Node.js removes its listeners from the connection, so we handle its errors and its idle timeout. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
	socket.on('error', () => {});
	socket.on('timeout', () => socket.destroy());
	refuseRest(socket, methodNotAllowed('GET, HEAD', 'Send your request to the server that it is meant for: this is no proxy.'));
}

/** RFC 9110 section 10.1.1 knows only one expectation: `100-continue`. */
export function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
	refuse(request, response, problem('expectation-failed'));
}

/** Refuses a request that {@link isBroken}. */
export function refuseBroken(request: IncomingMessage, response: ServerResponse): void {
	refuse(request, response, malformed);
}

/**
 * Returns whether a request that Node's parser accepts still breaks HTTP/1.1 in a way that proxies read differently: another
 * version (RFC 9112 section 2.3), a transfer coding beside `chunked` or in HTTP/1.0 (6.1), several `Host`
 * headers or, in HTTP/1.1, none or an invalid one (3.2).
 */
export function isBroken({ httpVersion, headers, rawHeaders }: IncomingMessage): boolean {
	const coding = headers['transfer-encoding'];
	if (coding !== undefined && (httpVersion !== '1.1' || coding.toLowerCase() !== 'chunked')) return true;
	const hosts = countHosts(rawHeaders);
	if (httpVersion !== '1.1') return httpVersion !== '1.0' || hosts > 1;
	return hosts !== 1 || !hostForm.test(headers.host ?? '');
}

/** Counts the `Host` headers. `headers` has only the first. */
function countHosts(rawHeaders: string[]): number {
	let count = 0;
	for (let index = 0; index < rawHeaders.length; index += 2) {
		const name = rawHeaders[index]!;
		if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
	}
	return count;
}

/** The allowed form of a host: RFC 9110 section 7.2, RFC 3986 section 3.2.2. */
const hostForm = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+;=%-]*)(:\d*)?$/i;

/** In milliseconds: how long to read a connection after its last answer. A reset could reach the client before the answer. */
const LINGER = 2000;

/** Refuses a request, and ends the connection after the answer. */
function refuse(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
	response.shouldKeepAlive = false;
	send(request, response, answer);
}

/**
 * Refuses the rest of a connection that the parser cannot read, and ends it. If the fault is in the body of a request whose
 * answer has not begun, the refusal is that answer. Otherwise it follows the last answer.
 *
 * @returns false if the connection had already ended
 */
function refuseRest(socket: Duplex, answer: Answer): boolean {
	if (!socket.writable || !markEnded(socket)) return false;
	const before = pendingAnswer(socket);
	if (before === undefined) endWith(socket, answer);
	else if (before.req.complete || before.headersSent) before.once('finish', () => endWith(socket, answer));
	else answerBrokenBody(before, answer);
	return true;
}

/** Stops reading the connection: no lead may be taken from late bytes of a refused request. */
function answerBrokenBody(response: OrderedResponse, answer: Answer): void {
	const { socket } = response.req;
	socket.pause();
	// An answer without a socket waits for those to earlier requests on this connection.
	if (response.socket === null) answerInTurn(response, answer);
	else socket.end(rawAnswer(answer), () => socket.destroy());
}

function answerInTurn(response: OrderedResponse, { status, headers, body }: Answer): void {
	response.shouldKeepAlive = false;
	response.writeHead(status, { ...secured(headers), 'content-length': Buffer.byteLength(body) }).end(body);
}

function endWith(socket: Duplex, answer: Answer): void {
	if (!socket.writable) return;
	socket.end(rawAnswer(answer));
	socket.resume();
	setTimeout(() => socket.destroy(), LINGER).unref();
}

function rawAnswer({ status, headers, body }: Answer): string {
	// RFC 9110 section 6.6.1 requires a `Date`.
	const own = { date: new Date().toUTCString(), 'content-length': Buffer.byteLength(body), connection: 'close' };
	const all = { ...secured(headers), ...own };
	const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
	return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}
