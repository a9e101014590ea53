import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Answer } from '../http/answer.ts';
import { answerUnderWay, type OrderedResponse, takeNoMore } from './connection.ts';
import { STATUS_CODES } from './node-http.ts';
import { secured, send } from './send.ts';

/** In milliseconds: how long a connection is still read after its last answer, so that it is not reset before the client has that. */
const LINGER = 2000;

/** Refuses a request, and ends the connection behind the answer. */
export function refuse(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
	response.shouldKeepAlive = false;
	send(request, response, answer);
}

/**
 * Refuses what the parser cannot read on from, and ends the connection. Where the fault is in the body of a request whose answer has
 * not begun, the refusal is the answer; otherwise it follows the last one.
 *
 * @returns false where the connection was at its end already
 */
export function refuseRest(socket: Duplex, answer: Answer): boolean {
	if (!socket.writable || !takeNoMore(socket)) return false;
	const before = answerUnderWay(socket);
	if (before === undefined) endWith(socket, answer);
	else if (before.req.complete || before.headersSent) before.once('finish', () => endWith(socket, answer));
	else answerBrokenBody(before, answer);
	return true;
}

/** Reads nothing more of the connection: a lead that was refused must not be taken from what comes late. */
function answerBrokenBody(response: OrderedResponse, answer: Answer): void {
	const { socket } = response.req;
	socket.pause();
	// Without a socket it waits for the answers to earlier requests on this connection.
	if (response.socket === null) answerInTurn(response, answer);
	else socket.end(rawAnswer(answer), () => socket.destroy());
}

function answerInTurn(response: OrderedResponse, { status, headers, body }: Answer): void {
	response.shouldKeepAlive = false;
	response.writeHead(status, { ...secured, ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}

function endWith(socket: Duplex, answer: Answer): void {
	if (!socket.writable) return;
	socket.end(rawAnswer(answer));
	socket.resume();
	setTimeout(() => socket.destroy(), LINGER).unref();
}

function rawAnswer({ status, headers, body }: Answer): string {
	const all = { ...secured, ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' };
	const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
	return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}
