import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { waits } from '../facts/facts.ts';
import { paths } from '../facts/links.ts';
import { service, version } from '../facts/load.ts';
import { makeMaildir } from '../channels/mailbox.ts';
import { channelsOf } from './channels.ts';
import { exampleLead } from '../lead/lead.ts';
import { STORE_PAUSE_MS, StoreError, watchStore } from '../store/database.ts';
import { openBackend, withMailbox } from './backend.ts';
import { loadFiles } from './files.ts';
import type { Running } from './handler.ts';
import { listenerFor, refuseUnreadable } from './listener.ts';
import { logExceptions, openLog } from './log.ts';
import { SettingsError } from './settings/environment.ts';
import { isPublic, originAt } from './settings/rules.ts';
import { readSettings } from './settings/settings.ts';

// An import would read every exported name, and one of them loads a whole client of WebSocket.
const { createServer } = process.getBuiltinModule('node:http');

const options = {
	/** How often Node.js looks for late requests, in milliseconds: by default twice a minute. */
	connectionsCheckingInterval: 1000,
	/** Opens no stream for a request without a body: that saves a sixth of the health check's processor time. */
	optimizeEmptyRequests: true,
	/** Otherwise Node.js would keep the first of several `Host` (RFC 9112 section 3.2) and hide the others. */
	joinDuplicateHeaders: true,
};

/** How long a client may take, in milliseconds, and how many connections there may be. The proxy in front has limits of its own. */
const limits = {
	headersTimeout: 10_000,
	requestTimeout: waits.request * 1000,
	timeout: 60_000,
	/** Longer than nginx keeps a connection. */
	keepAliveTimeout: 65_000,
	maxConnections: 10_000,
};

/** How long idle connections stay open after the signal. Whoever sends without a pause uses them once more, and reads that they end. */
const LAST_CALL_MS = 2000;
/** How long a request may continue after the signal. One of the last call may deliver its lead, which takes up to ten seconds. */
const PATIENCE_MS = LAST_CALL_MS + 10_500;
/** How long the whole shutdown may take, with the deliveries in flight. */
const GRACE_MS = 22_000;

const { values: flags } = parseArgs({ options: { local: { type: 'boolean', default: false } } });

try {
	const settings = withMailbox(readSettings(), flags.local);
	const { HOST: host, PORT: port } = settings;
	const log = openLog(settings.LOG_LEVEL);
	logExceptions(log);
	// The build puts this module into `dist/server/chunks`, and the files beside that folder.
	const running: Running = { settings, log, files: loadFiles(new URL('..', import.meta.url)) };
	const server = Object.assign(createServer(options, listenerFor(running)), limits);
	server.on('clientError', refuseUnreadable);
	// RFC 9110 section 10.1.1: an expectation that nobody knows may be ignored. Node.js would answer 417.
	server.on('checkExpectation', (request, response) => server.emit('request', request, response));
	if (settings.METRICS_ADDRESS) {
		const { serveMetrics } = await import('./metrics.ts');
		if (isPublic(settings.METRICS_ADDRESS.host))
			log.warn(
				settings.METRICS_ADDRESS,
				'The internet may reach METRICS_ADDRESS. Set a private address, or let a firewall keep all but Prometheus out.',
			);
		const address = await serveMetrics(running, server).catch(({ message }: Error) =>
			fail(`Metrics cannot be served: ${message}. Set METRICS_ADDRESS to an address of this machine that is free.`),
		);
		log.info({ metrics: `${urlOf(settings.METRICS_ADDRESS.host, address)}/metrics` }, 'Metrics are served.');
	}
	shutDownOnSignal(server, running);
	await open(running);
	server.listen(inheritedSocket() ?? { port, host }, () => sayReady(running, urlOf(host, server.address() as AddressInfo)));
	server.on('error', ({ message }) =>
		fail(`The server cannot listen: ${message}. Set HOST and PORT to an address that is free.`),
	);
} catch (error) {
	if (error instanceof SettingsError) fail(`The server cannot start with these settings:\n${error.message}`);
	throw error;
}

function failIfLasting(error: unknown): never {
	if (error instanceof StoreError && error.lasting) fail(`The server cannot start. ${error.message}`);
	throw error;
}

/** Opens the backend, or tries again later if its store is away. Ends the process if that lasts: the file or its tables are not ours. */
async function open(running: Running): Promise<void> {
	const { settings, log } = running;
	try {
		running.deps = await watchStore(log, () => openBackend(settings, log).catch(failIfLasting));
	} catch (error) {
		if (!(error instanceof StoreError)) throw error;
		setTimeout(() => open(running).catch(({ message }: Error) => fail(message)), STORE_PAUSE_MS);
	}
}

/**
 * Returns the socket on which systemd listens for us, by the protocol of sd_listen_fds(3): it stays open during our restart, so
 * that no client is refused. Returns undefined if we have to listen ourselves.
 */
function inheritedSocket({ LISTEN_PID, LISTEN_FDS } = process.env): { fd: number } | undefined {
	return LISTEN_PID === String(process.pid) && LISTEN_FDS === '1' ? { fd: 3 } : undefined;
}

/** Returns a URL to open on this machine, never "all addresses". */
function urlOf(host: string, { address, port }: AddressInfo): string {
	if (address === '::' || address === '0.0.0.0') return `http://localhost:${port}`;
	return originAt(host, port);
}

/** Says where the server is and where leads go: to a person who tries it out, or as a log line. */
function sayReady({ settings, log }: Running, url: string): void {
	const names = channelsOf(settings).channels.map(({ name }) => name);
	const { LEAD_MAILBOX: mailbox, LEAD_STORE: store } = settings;
	// Never the URL of a database, which may hold a password.
	const kept = store.kind === 'sqlite' ? store.path : store.kind === 'postgres' ? 'PostgreSQL' : 'none';
	const facts = { version, url, channels: names, store: kept, mailbox };
	if (!flags.local && names.length > 0) return log.info(facts, 'Ready.');
	if (!flags.local) return log.warn(facts, 'Ready, but no delivery is configured: leads are answered 503.');
	console.log(`
${service.name} is at ${url}

Leads go to: ${names.join(', ')}${mailbox ? `\nMessages are in ${makeMaildir(mailbox).fresh}` : ''}
${kept === 'none' ? 'They are delivered within the request: LEAD_STORE is none.' : `Until they have arrived they are kept in ${kept}.`}

Send one from ${url}${paths.contact}, or with

  curl ${url}${paths.submitLead} -H 'content-type: application/json' \\
    -d '${JSON.stringify(exampleLead(({ required }) => required))}'

Stop with Ctrl+C.
`);
}

/**
 * On SIGTERM or SIGINT: ends connections with their next answer, takes no more after {@link LAST_CALL_MS}, or at once if none is open, lets
 * requests and then deliveries in flight end, and exits with 0, or after {@link GRACE_MS} with 1. A second signal changes nothing: under npm two come.
 */
function shutDownOnSignal(server: Server, running: Running): void {
	const { log } = running;
	const close = () =>
		server.close(async () => {
			await running.deps?.stop().catch((error: unknown) => {
				log.error({ err: error }, 'The store failed to close. What was accepted is in it: start the server as usual.');
				process.exit(1);
			});
			process.exit(0);
		});
	const shutDown = (signal: string) => {
		if (running.stopping) return;
		running.stopping = true;
		log.info({ signal }, 'Stopping: what is in flight is finished first.');
		// For those that become idle later, because their answer began before.
		server.keepAliveTimeout = LAST_CALL_MS;
		server.getConnections((_, open) => setTimeout(close, open === 0 ? 0 : LAST_CALL_MS));
		// A client that never sends the rest of its request must not keep the process from its orderly end.
		setTimeout(() => server.closeAllConnections(), PATIENCE_MS).unref();
		setTimeout(() => process.exit(1), GRACE_MS).unref();
	};
	process.on('SIGTERM', shutDown).on('SIGINT', shutDown);
}

function fail(message: string): never {
	console.error(message);
	process.exit(1);
}
