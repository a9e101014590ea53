import type { Server } from 'node:http';
import type { Deployment } from './deployment.ts';

/** In milliseconds: how long requests and deliveries in flight may go on after the signal. */
const GRACE = 15_000;

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
