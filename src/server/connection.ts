import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ServerResponse } from './node-http.ts';

/** The answer to the latest request on each connection. Clients may send one before the last is answered (RFC 9112 section 9.3.2). */
const last = new WeakMap<Duplex, OrderedResponse>();

/** Connections that no further request is taken from. */
const ended = new WeakSet<Duplex>();

let stopping = false;

/** From now on the answer to the latest request on each connection says that the connection ends with it. */
export const sayLast = () => void (stopping = true);

/** An answer that knows whether it is the last on its connection, and what had come over it before. */
export class OrderedResponse extends ServerResponse {
	/** How many bytes had come over the connection when the answer began. */
	heard = 0;

	override writeHead(status: number, ...head: unknown[]): this {
		const { socket } = this.req;
		this.heard = socket.bytesRead;
		if (stopping && last.get(socket) === this) this.shouldKeepAlive = false;
		return super.writeHead(status, ...(head as [reason?: string]));
	}
}

type OrderedListener = RequestListener<typeof IncomingMessage, typeof OrderedResponse>;

/** Takes no request behind the answer that is the last on its connection (RFC 9112 section 9.6): it could have none of its own. */
export function inOrder(listener: RequestListener): OrderedListener {
	return (request, response) => {
		const { socket, headers } = request;
		if (ended.has(socket) || last.get(socket)?.shouldKeepAlive === false) return void socket.pause();
		last.set(socket, response);
		// Node.js discards what has come behind a request with this header: nothing after it could be answered.
		if (headers.upgrade !== undefined) response.shouldKeepAlive = false;
		listener(request, response);
	};
}

/** The answer to the latest request on a connection, unless all of it has been written. */
export function answerUnderWay(socket: Duplex): OrderedResponse | undefined {
	const answer = last.get(socket);
	return answer?.writableFinished ? undefined : answer;
}

/** Takes no further request from a connection. False: that was so already. */
export function takeNoMore(socket: Duplex): boolean {
	if (ended.has(socket)) return false;
	ended.add(socket);
	return true;
}

/** Whether nothing is being answered on a connection, and nothing has come since. */
export function isIdle(socket: Socket): boolean {
	const answer = last.get(socket);
	return answer ? answer.writableFinished && answer.heard === socket.bytesRead : socket.bytesRead === 0;
}
