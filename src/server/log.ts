import { type Logger, pino } from 'pino';
import { isoNow } from '../lead/values.ts';
import { StoreError } from '../store/store.ts';

/** Opens the log: one line of JSON for each event. @param print takes the lines; by default they go to the standard output */
export const openLog = (level: string, print?: (line: string) => void): Logger =>
	pino(
		{
			base: null,
			level,
			timestamp: () => `,"time":"${isoNow()}"`,
			formatters: { level: (level) => ({ level }) },
			serializers: { err: describeError },
		},
		print ? { write: print } : standardOutput(),
	);

/** In bytes: how much of the log waits while it cannot be written. Later lines are dropped. */
const LOG_BUFFER = 2 ** 23;

/** Returns the standard output for a log. One that cannot be written, as on a full disk, or that nobody reads must not stop the server. */
function standardOutput() {
	let tries = Infinity;
	const output = pino.destination({ dest: 1, sync: false, maxLength: LOG_BUFFER, retryEAGAIN: () => tries-- > 0 });
	const { flushSync } = output;
	// At the end of the process it would try again for ever, ten times a second.
	const flush = () => {
		tries = 10;
		try {
			flushSync.call(output);
		} catch {}
	};
	output.on('error', () => (output.flushSync = () => {}));
	output.on('drain', () => (output.flushSync = flush));
	output.flushSync = flush;
	return output;
}

/**
 * Describes an exception without its message, which may quote a lead, an address or a URL. Kind, code and place are enough to find the fault.
 * Only a `StoreError` keeps it, with the reason of its cause: that may name the host and the user of a database, and never a lead.
 */
export function describeError(error: unknown): object {
	if (!(error instanceof Error)) return { type: typeof error };
	const { name, message, stack = '', cause } = error;
	return {
		type: name,
		message: error instanceof StoreError ? message : undefined,
		code: 'code' in error ? String(error.code) : undefined,
		// Without the message above it, which may have several lines.
		stack: stack.replace(message, () => '').match(/(?<=^ *)at .*/gm) ?? [],
		cause: cause === undefined ? undefined : describeError(cause),
	};
}

/** Logs the rejection of a promise that nothing handles. The process continues. */
export const logRejections = (log: Logger): void =>
	void process.on('unhandledRejection', (reason) =>
		log.error({ err: reason }, 'A promise was rejected, and nothing handled it.'),
	);

/**
 * Logs events that belong to no request: rejections, warnings, and uncaught exceptions. Such an exception may leave work half
 * done, so the process ends, and its supervisor starts it again. Leads that were accepted are in the store.
 */
export function logExceptions(log: Logger): void {
	logRejections(log);
	// Node's own listener prints a warning, whose words may be those of a lead.
	process.removeAllListeners('warning');
	process.on('warning', (warning) => log.warn({ err: warning }, 'Node.js warns.'));
	process.on('uncaughtException', (error) => {
		log.fatal({ err: error }, 'The server ends: an exception outside any request may leave work half done. Start it again.');
		process.exit(1);
	});
}
