import type { Server } from 'node:http';
import { refuseBrokenRequests, refuseExpectation, refuseTunnel } from './broken-request.ts';
import type { Deployment } from './deployment.ts';
import { requestListener } from './listener.ts';
import { createServer } from './node-http.ts';
import { LONGEST_TIMER, secondsOf } from './setting-amounts.ts';

/** The HTTP server of a deployment, with limits on how long and how much a client may keep it busy. Not listening yet. */
export function serverOf(deployment: Deployment): Server {
	const { limits } = deployment.settings;
	const listener = requestListener(deployment);
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
		},
		listener,
	);
	server.timeout = limits.idle * 1000;
	server.maxConnections = limits.connections;
	// The listener asks for a body when it wants one.
	server.on('checkContinue', listener);
	server.on('checkExpectation', refuseExpectation);
	server.on('connect', refuseTunnel);
	server.on('clientError', refuseBrokenRequests(deployment.log));
	return server;
}
