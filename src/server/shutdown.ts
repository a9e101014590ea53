import type { Server } from 'node:http';
import type { Backend } from './backend.ts';

/** In milliseconds: how long a request may continue after the signal. Delivering a lead within it takes up to ten seconds. */
const PATIENCE = 11_000;
/** In milliseconds: how long the whole shutdown may take, with the deliveries in flight. */
const GRACE = 20_000;

/**
 * On SIGTERM or SIGINT: takes no more connections, lets requests and then deliveries in flight end, and exits with 0. A second
 * signal changes nothing: under npm one comes twice, once from the terminal or supervisor and once from npm.
 */
export function shutDownOnSignal(server: Server, { log, stop }: Pick<Backend, 'log' | 'stop'>): void {
	let stopping = false;
	for (const signal of ['SIGTERM', 'SIGINT'] as const)
		process.on(signal, () => {
			if (stopping) return;
			stopping = true;
			log.info({ signal }, 'Stopping: what is in flight is finished first.');
			server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
			server.close(() =>
				stop().then(
					() => process.exit(0),
					(error: unknown) => {
						log.error({ err: error }, 'The store did not close well.');
						process.exit(1);
					},
				),
			);
			// A connection becomes idle when its last answer is sent.
			setInterval(() => server.closeIdleConnections(), 50).unref();
			// A client that never sends the rest of its request must not keep the process from its orderly end.
			setTimeout(() => server.closeAllConnections(), PATIENCE).unref();
			setTimeout(() => process.exit(1), GRACE).unref();
		});
}
