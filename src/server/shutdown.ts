import type { Server } from 'node:http';
import type { Logger } from 'pino';

/** In milliseconds: how long requests in flight may go on after the signal. */
const GRACE = 15_000;

/** On SIGTERM or SIGINT: takes no more connections, lets requests in flight end, exits with 0. A second signal ends at once. */
export function shutDownOnSignal(server: Server, log: Logger): void {
	let stopping = false;
	for (const signal of ['SIGTERM', 'SIGINT'] as const)
		process.on(signal, () => {
			if (stopping) process.exit(1);
			stopping = true;
			log.info({ signal }, 'Stopping: requests in flight are finished first.');
			server.close(() => process.exit(0));
			setTimeout(() => process.exit(1), GRACE).unref();
		});
}
