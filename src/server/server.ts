import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { refuseBrokenRequests, refuseExpectation, refuseTunnel } from './broken-request.ts';
import { inOrder, isIdle, OrderedResponse } from './connection.ts';
import type { Deployment } from './deployment.ts';
import { requestListener } from './listener.ts';
import { createServer } from './node-http.ts';
import { LONGEST_TIMER, secondsOf } from './settings/setting-amounts.ts';

export type OrderedServer = Server<typeof IncomingMessage, typeof OrderedResponse>;

/** The HTTP server of a deployment, with limits on how long and how much a client may keep it busy. Not listening yet. */
export function serverOf(deployment: Deployment): OrderedServer {
	const { limits } = deployment.settings;
	const listener = inOrder(requestListener(deployment));
	const server = createServer(
		{
			headersTimeout: limits.headers * 1000,
			requestTimeout: limits.request * 1000,
			// Of 0 Node.js would make the idle timeout.
			keepAliveTimeout: (limits.keepAlive || secondsOf(LONGEST_TIMER)) * 1000,
			// Node looks only this often whether one of the first two is over.
			connectionsCheckingInterval: 1000,
			// The listener does, and answers with our headers.
			requireHostHeader: false,
			ServerResponse: OrderedResponse,
		},
		listener,
	);
	server.timeout = limits.idle * 1000;
	server.maxConnections = limits.connections;
	// The listener asks for a body when it wants one.
	server.on('checkContinue', listener);
	server.on('checkExpectation', inOrder(refuseExpectation));
	server.on('connect', refuseTunnel);
	server.on('clientError', refuseBrokenRequests(deployment.log));
	closeOnlyWhatIsIdle(server);
	// A client may end its side of the connection behind its request. Node would end the other as well, without an answer.
	return Object.assign(server, { httpAllowHalfOpen: true });
}

/**
 * A call closes what was idle at the call before, too: what has arrived meanwhile is answered. Node's own method would also cut off
 * answers that wait to be read, and leave connections open that nothing has come over.
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
