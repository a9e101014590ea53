import { announceStop } from './http/connection.ts';
import type { Backend } from './backend.ts';
import type { OrderedServer } from './server.ts';

/** In milliseconds: under npm one signal comes twice, once from the terminal or supervisor and once from npm. */
const ECHO = 1000;
/** In milliseconds: how long a request may continue after the signal. Delivering a lead within it takes up to ten seconds. */
const PATIENCE = 11_000;
/** In milliseconds: how long the whole shutdown may take, with the deliveries in flight. */
const GRACE = 20_000;

type Stoppable = Pick<Backend, 'log' | 'stop'>;

/**
 * On SIGTERM or SIGINT: says with each answer that its connection ends, takes no more connections, lets requests and then
 * deliveries in flight end, and exits with 0. A second signal, later than an echo of the first, ends the process at once.
 */
export function shutDownOnSignal(server: OrderedServer, backend: Stoppable): void {
	let begun: number | undefined;
	for (const signal of ['SIGTERM', 'SIGINT'] as const)
		process.on(signal, () => {
			if (begun !== undefined && performance.now() - begun > ECHO) process.exit(1);
			if (begun !== undefined) return;
			begun = performance.now();
			setTimeout(() => process.exit(1), GRACE).unref();
			announceStop();
			onceRead(() => {
				endConnections(server, () => stop(backend));
				backend.log.info({ signal }, 'Stopping: what is in flight is finished first.');
			});
		});
}

/** Calls back when Node.js has read everything that has arrived, and accepted the connections that wait. */
const onceRead = (callback: () => void) => setImmediate(() => setImmediate(callback));

function endConnections(server: OrderedServer, ended: () => void): void {
	server.close(ended);
	onceRead(() => server.closeIdleConnections());
	// Connections whose answer began before the signal did not say that it was the last. They become idle later.
	setInterval(() => server.closeIdleConnections(), 50).unref();
	// A client that never sends the rest of its request must not keep the process from its orderly end.
	setTimeout(() => server.closeAllConnections(), PATIENCE).unref();
}

function stop({ log, stop }: Stoppable): void {
	stop().then(
		() => process.exit(0),
		(error: unknown) => {
			log.error({ err: error }, 'The store did not close well.');
			process.exit(1);
		},
	);
}
