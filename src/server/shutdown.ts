import type { Server } from 'node:http';
import type { Deployment } from './deployment.ts';

/** In milliseconds: npm passes on a signal that a terminal or a supervisor has sent to all processes, so that it comes twice. */
const ECHO = 1000;
/** In milliseconds: how long a request may go on after the signal. A lead that is delivered within it takes up to ten seconds. */
const PATIENCE = 11_000;
/** In milliseconds: how long all of it may take, the deliveries in flight included. */
const GRACE = 20_000;

/**
 * On SIGTERM or SIGINT: takes no more connections, lets requests and then deliveries in flight end, exits with 0.
 * Another signal, later than an echo of the first, ends at once.
 */
export function shutDownOnSignal(server: Server, { log, stop }: Pick<Deployment, 'log' | 'stop'>): void {
	let begun: number | undefined;
	for (const signal of ['SIGTERM', 'SIGINT'] as const)
		process.on(signal, () => {
			if (begun !== undefined && performance.now() - begun > ECHO) process.exit(1);
			if (begun !== undefined) return;
			begun = performance.now();
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
