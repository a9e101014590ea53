import type { IncomingMessage, RequestListener } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isPrivateAddress, networksOf } from '../../http/network.ts';
import { countedWarning } from '../log.ts';
import type { Backend } from '../backend.ts';
import { ServerResponse } from './node-http.ts';

/** The answer to each connection's latest request. Clients may send one before the last is answered (RFC 9112 section 9.3.2). */
const last = new WeakMap<Duplex, OrderedResponse>();

/** Connections that take no further request. */
const ended = new WeakSet<Duplex>();

let stopping = false;

/** From now on, the answer to the latest request on each connection says that the connection ends. */
export const announceStop = () => void (stopping = true);

/** An answer that knows whether it is the last on its connection, and how much had arrived before it. */
export class OrderedResponse extends ServerResponse {
	/** The number of bytes that had arrived on the connection when the answer began. */
	bytesBefore = 0;
	/** The number of answers in a row that had to wait for an earlier one on the connection, this one included. */
	waiting = 0;

	override writeHead(status: number, ...head: unknown[]): this {
		const { socket } = this.req;
		this.bytesBefore = socket.bytesRead;
		if (stopping && last.get(socket) === this) this.shouldKeepAlive = false;
		return super.writeHead(status, ...(head as [reason?: string]));
	}
}

type OrderedListener = RequestListener<typeof IncomingMessage, typeof OrderedResponse>;

/**
 * The most answers that wait in a row. 64 KB, which Node.js reads at once, hold 1,500 requests: their answers take seven megabytes
 * while the client reads none. Browsers send no request before the last answer.
 */
const MOST_WAITING = 20;

/** Ignores requests behind a closing answer (RFC 9112 section 9.6), and closes after {@link MOST_WAITING} waiting answers. */
export function limitPipelining(listener: RequestListener): OrderedListener {
	return (request, response) => {
		const { socket, headers } = request;
		if (ended.has(socket) || last.get(socket)?.shouldKeepAlive === false) return void socket.pause();
		const before = pendingAnswer(socket);
		response.waiting = before ? before.waiting + 1 : 0;
		last.set(socket, response);
		if (response.waiting === MOST_WAITING) response.shouldKeepAlive = false;
		// Node.js discards everything behind a request with this header, so nothing after it could be answered.
		if (headers.upgrade !== undefined) response.shouldKeepAlive = false;
		listener(request, response);
	};
}

/** Returns the answer to the latest request on a connection, unless all of it has been written. */
export function pendingAnswer(socket: Duplex): OrderedResponse | undefined {
	const answer = last.get(socket);
	return answer?.writableFinished ? undefined : answer;
}

/** Takes no further request from a connection. Returns false if it already took none. */
export function markEnded(socket: Duplex): boolean {
	if (ended.has(socket)) return false;
	ended.add(socket);
	return true;
}

/** Returns whether no request on a connection is being answered, and nothing has arrived since. */
export function isIdle(socket: Socket): boolean {
	const answer = last.get(socket);
	return answer ? answer.writableFinished && answer.bytesBefore === socket.bytesRead : socket.bytesRead === 0;
}

/** One network may hold one connection in this many. */
const SHARE = 50;
/** The connections that it may hold in any case: a browser opens six at a time. */
const LEAST = 20;

/**
 * Closes connections of a public network beyond its share of `MAX_CONNECTIONS`, so that a few cannot lock out all others. An IPv6
 * site may hold twice as many as one of its networks. Logs how many it closed, and how many were closed beyond the limit for all.
 * Does not count connections from a private address, or behind a proxy: those are the proxy's, for many clients.
 */
export function capConnections(server: Server, { settings, log }: Pick<Backend, 'settings' | 'log'>): void {
	server.on('drop', countedWarning(log, 'Connections were closed at once: as many are open as MAX_CONNECTIONS allows.'));
	if (settings.trustProxy > 0) return;
	const most = Math.max(LEAST, Math.ceil(settings.limits.connections / SHARE));
	const open = new Map<string, number>();
	const opened = (network: string) => open.get(network) ?? 0;
	const warn = countedWarning(
		log,
		'Connections were closed at once: one network has its share of MAX_CONNECTIONS open. If it is a proxy of yours, set TRUST_PROXY.',
	);
	server.on('connection', (socket: Socket) => {
		const { remoteAddress } = socket;
		if (remoteAddress === undefined || isPrivateAddress(remoteAddress)) return;
		const networks = networksOf(remoteAddress);
		if (networks.some((network, index) => opened(network) >= most * (index + 1))) {
			socket.destroy();
			return warn();
		}
		for (const network of networks) open.set(network, opened(network) + 1);
		socket.once('close', () => {
			for (const network of networks)
				if (opened(network) === 1) open.delete(network);
				else open.set(network, opened(network) - 1);
		});
	});
}
