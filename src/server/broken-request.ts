import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { Answer } from '../http/answer.ts';
import { methodNotAllowed, problem } from '../http/problem.ts';
import { refuse, refuseRest } from './refusal.ts';

/** What to answer to a request that Node's parser refuses, by the code of its error. */
const refusals: Record<string, Answer> = {
	HPE_HEADER_OVERFLOW: problem('headers-too-large'),
	HPE_CHUNK_EXTENSIONS_OVERFLOW: problem('too-large', { detail: 'Send chunks without extensions.' }),
	ERR_HTTP_REQUEST_TIMEOUT: problem('request-timeout'),
};
const malformed = problem('malformed-request', { detail: 'Send a request that follows HTTP/1.1 (RFC 9112).' });

/** Answers what is not HTTP, or comes too slowly or too large to be taken, and ends the connection. */
export function refuseBrokenRequests(log: Logger) {
	return ({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void => {
		const answer = refusals[code] ?? malformed;
		if (refuseRest(socket, answer)) log.debug({ code, status: answer.status }, 'A broken request was refused.');
	};
}

/** CONNECT asks for a tunnel. Node.js takes its own listeners off the connection, so its errors and its idle timeout are ours. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
	socket.on('error', () => {});
	socket.on('timeout', () => socket.destroy());
	refuseRest(socket, methodNotAllowed('GET, HEAD', 'Send your request to the server that it is meant for: this is no proxy.'));
}

/** RFC 9110 section 10.1.1 knows one expectation only: `100-continue`. */
export function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
	refuse(request, response, problem('expectation-failed'));
}

/** Refuses a request of which {@link isBroken} is true. */
export function refuseBroken(request: IncomingMessage, response: ServerResponse): void {
	refuse(request, response, malformed);
}

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

/** How many `Host` headers came. `headers` has only the first of them. */
function countHosts(rawHeaders: string[]): number {
	let count = 0;
	for (let index = 0; index < rawHeaders.length; index += 2) {
		const name = rawHeaders[index]!;
		if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
	}
	return count;
}

/** A host as it may be written: RFC 9110 section 7.2, RFC 3986 section 3.2.2. */
const hostForm = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+;=%-]*)(:\d*)?$/i;
