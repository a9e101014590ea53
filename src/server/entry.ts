import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { waits } from '../facts/facts.ts';
import { StoreError } from '../lead/store/store.ts';
import { announce } from './announcement.ts';
import { type Backend, openBackend } from './backend.ts';
import { refuseUnreadable, requestListener } from './listener.ts';
import { logExceptions } from './log.ts';
import { SettingsError } from './settings/environment.ts';
import { shutDownOnSignal } from './shutdown.ts';

// An import would read every exported name, and one of them loads a whole client of WebSocket.
const { createServer } = process.getBuiltinModule('node:http');

/** How long a client may take, in milliseconds, and how many connections there may be. The proxy in front has limits of its own. */
const limits = {
	headersTimeout: 10_000,
	requestTimeout: waits.request * 1000,
	/** Until the next request: longer than nginx keeps a connection. */
	keepAliveTimeout: 65_000,
	/** In silence. */
	timeout: 60_000,
	maxConnections: 10_000,
};

const { values: options } = parseArgs({ options: { local: { type: 'boolean', default: false } } });

try {
	const backend = await openBackend(options);
	const { host, port } = backend.settings;
	logExceptions(backend.log);
	// Node.js looks for late requests so often, in milliseconds: by default twice a minute.
	const server = Object.assign(createServer({ connectionsCheckingInterval: 1000 }, requestListener(backend)), limits);
	server.on('clientError', refuseUnreadable);
	// RFC 9110 section 10.1.1: an expectation that nobody knows may be ignored. Node.js would answer 417.
	server.on('checkExpectation', (request, response) => server.emit('request', request, response));
	if (backend.settings.metrics) await startMetrics(backend, server);
	server.listen(inheritedSocket() ?? { port, host }, () => announce(backend, server.address() as AddressInfo, options));
	server.on('error', ({ message }) =>
		fail(`The server cannot listen: ${message}. Set HOST and PORT to an address that is free.`),
	);
	shutDownOnSignal(server, backend);
} catch (error) {
	if (error instanceof SettingsError) fail(`The server cannot start with these settings:\n${error.message}`);
	if (error instanceof StoreError) fail(`The server cannot start. ${error.message}`);
	throw error;
}

async function startMetrics(backend: Backend, server: Server): Promise<void> {
	const { serveMetrics } = await import('./metrics.ts');
	await serveMetrics(backend, server).catch(({ message }: Error) =>
		fail(`Metrics cannot be served: ${message}. Set METRICS_ADDRESS to an address of this machine that is free.`),
	);
}

/**
 * Returns the socket on which systemd listens for us, by the protocol of sd_listen_fds(3): it stays open during our restart, so
 * that no client is refused. Returns undefined if we have to listen ourselves.
 */
function inheritedSocket({ LISTEN_PID, LISTEN_FDS } = process.env): { fd: number } | undefined {
	return LISTEN_PID === String(process.pid) && LISTEN_FDS === '1' ? { fd: 3 } : undefined;
}

function fail(message: string): never {
	console.error(message);
	process.exit(1);
}
