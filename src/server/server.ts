import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { refuseBrokenRequests, refuseExpectation, refuseTunnel } from './http/broken-request.ts';
import { capConnections, isIdle, limitPipelining, OrderedResponse } from './http/connection.ts';
import type { Backend } from './backend.ts';
import { requestListener } from './listener.ts';
import { createServer } from './http/node-http.ts';
import { LONGEST_TIMER, secondsOf } from '../values/time.ts';

export type OrderedServer = Server<typeof IncomingMessage, typeof OrderedResponse>;

/** Returns the HTTP server of a backend, with limits on how long and how much a client may keep it busy. Not listening yet. */
export function serverOf(backend: Backend): OrderedServer {
	const { limits } = backend.settings;
	const listener = limitPipelining(requestListener(backend));
	const server = createServer(
		{
			headersTimeout: limits.headers * 1000,
			requestTimeout: limits.request * 1000,
			// With 0 Node.js would apply the idle timeout. Our 0 means no limit.
			keepAliveTimeout: (limits.keepAlive || secondsOf(LONGEST_TIMER)) * 1000,
			// How often, in milliseconds, Node.js checks whether one of the first two is over.
			connectionsCheckingInterval: 1000,
			// Our listener refuses a request without a host, with our headers. Node.js would refuse it without them.
			requireHostHeader: false,
			ServerResponse: OrderedResponse,
		},
		listener,
	);
	server.timeout = limits.idle * 1000;
	server.maxConnections = limits.connections;
	// Without this Node.js would ask for every body. The listener asks for those that it reads.
	server.on('checkContinue', listener);
	server.on('checkExpectation', limitPipelining(refuseExpectation));
	server.on('connect', refuseTunnel);
	server.on('clientError', refuseBrokenRequests(backend.log));
	capConnections(server, backend);
	closeOnlyWhatIsIdle(server);
	// A client may end its side of the connection after its request. Node.js would then end ours too, before the answer.
	return Object.assign(server, { httpAllowHalfOpen: true });
}

/**
 * Replaces Node's `closeIdleConnections`, which cuts off answers that the client has not read yet, and keeps connections that
 * have received nothing. Ours closes connections that are idle at this call and at the last, so a request under way is answered.
 */
function closeOnlyWhatIsIdle(server: OrderedServer): void {
	const open = new Set<Socket>();
	let idle = new Set<Socket>();
	server.on('connection', (socket: Socket) => {
		open.add(socket);
		socket.once('close', () => open.delete(socket));
	});
	server.closeIdleConnections = () => {
		const before = idle;
		idle = new Set([...open].filter(isIdle));
		for (const socket of idle) if (before.has(socket)) socket.destroy();
	};
}
