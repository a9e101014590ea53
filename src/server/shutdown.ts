import type { Server } from 'node:http';
import type { Logger } from 'pino';

/** In milliseconds: how long a request may go on after the signal. */
const GRACE = 15_000;

/** On SIGTERM or SIGINT: takes no more connections, lets requests in flight end, exits 0; a second signal ends at once. */
export function shutDownOnSignal(server: Server, log: Logger): void {
	for (const signal of ['SIGTERM', 'SIGINT'] as const)
		process.once(signal, () => {
			log.info({ signal }, 'Stopping: requests in flight are finished first.');
			server.close(() => process.exit(0));
			server.closeIdleConnections();
			setTimeout(() => process.exit(1), GRACE).unref();
			for (const again of ['SIGTERM', 'SIGINT'] as const) process.once(again, () => process.exit(1));
		});
}
