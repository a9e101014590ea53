import type { Server } from 'node:http';
import type { Deployment } from './deployment.ts';

/** In milliseconds: how long a request may go on after the signal. A lead that is delivered within it takes up to ten seconds. */
const PATIENCE = 11_000;
/** In milliseconds: how long all of it may take, the deliveries in flight included. */
const GRACE = 20_000;

/**
 * On SIGTERM or SIGINT: takes no more connections, lets requests and then deliveries in flight end, exits with 0.
 * A second signal ends at once.
 */
export function shutDownOnSignal(server: Server, { log, stop }: Pick<Deployment, 'log' | 'stop'>): void {
	let stopping = false;
	for (const signal of ['SIGTERM', 'SIGINT'] as const)
		process.on(signal, () => {
			if (stopping) process.exit(1);
			stopping = true;
			log.info({ signal }, 'Stopping: what is in flight is finished first.');
			setTimeout(() => process.exit(1), GRACE).unref();
			// A connection becomes idle when its last answer is out; nobody may use it again.
			setInterval(() => server.closeIdleConnections(), 50).unref();
			// Whoever has sent half a request must not keep the rest from ending well.
			setTimeout(() => server.closeAllConnections(), PATIENCE).unref();
			server.close(() => {
				stop().then(
					() => process.exit(0),
					(error: unknown) => {
						log.error({ err: error }, 'The store did not close well.');
						process.exit(1);
					},
				);
			});
		});
}
