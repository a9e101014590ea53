import { type Logger, type LoggerOptions, pino, stdTimeFunctions } from 'pino';
import type { Answer } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import { StoreError } from '../lead/store/store.ts';

/** Opens the log: one line of JSON for each event. @param print takes the lines; by default they go to the standard output */
export function openLog(level: string, print?: (line: string) => void): Logger {
	const options: LoggerOptions = {
		base: null,
		level,
		timestamp: stdTimeFunctions.isoTime,
		formatters: { level: (level) => ({ level }) },
		serializers: { err: describeError },
	};
	return print ? pino(options, { write: print }) : pino(options, standardOutput());
}

/** In bytes: how much of the log waits while it cannot be written. Later lines are dropped. */
const LOG_BUFFER = 2 ** 23;

/** Returns the standard output for a log. One that cannot be written, as on a full disk, must not stop the server. */
function standardOutput() {
	const output = pino.destination({ dest: 1, sync: false, maxLength: LOG_BUFFER });
	const { flushSync } = output;
	// At the end of the process it would try again for ever.
	output.on('error', () => (output.flushSync = () => {}));
	output.on('drain', () => (output.flushSync = flushSync));
	return output;
}

/** The log's record of an exception. */
interface ErrorRecord {
	type: string;
	/** Only if the words are ours. */
	message?: string;
	/** From the system, the database or Node.js. */
	code?: string;
	/** Where it was thrown, as in a stack trace. */
	stack?: string[];
	cause?: ErrorRecord;
}

/**
 * Describes an exception without its words, unless they are ours: those of Node.js and of a database may quote a lead, an address
 * or a URL. Kind, code and place are enough to find the fault.
 */
export function describeError(error: unknown): ErrorRecord {
	if (!(error instanceof Error)) return { type: typeof error };
	return {
		type: error.name,
		...(error instanceof StoreError ? { message: error.message } : {}),
		...('code' in error ? { code: String(error.code) } : {}),
		stack: framesOf(error),
		...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
	};
}

/** Answers a request that an exception ended, which is our fault. The answer names the line in the log, and nothing else. */
export function internalError(log: Logger | undefined, id: string, error: unknown): Answer {
	log?.error({ request: id, err: error }, 'A request failed unexpectedly.');
	return problem('internal-error', { instance: `urn:uuid:${id}` });
}

/** Logs the rejection of a promise that nothing handles. The process continues. */
export function logRejections(log: Logger): void {
	process.on('unhandledRejection', (reason) => log.error({ err: reason }, 'A promise was rejected, and nothing handled it.'));
}

/**
 * Logs events that belong to no request: rejections, warnings, and uncaught exceptions. Such an exception may leave work half
 * done, so the process ends, and its supervisor starts it again. Leads that were taken are in the store.
 */
export function logExceptions(log: Logger): void {
	logRejections(log);
	// Node's own listener prints a warning, whose words may be those of a lead.
	process.removeAllListeners('warning');
	process.on('warning', (warning) => log.warn({ err: warning }, 'Node.js warns.'));
	process.on('uncaughtException', (error) => {
		log.fatal({ err: error }, 'The server ends: an exception belongs to no request.');
		process.exit(1);
	});
}

/** Returns the stack without the message above it, which may have several lines. */
function framesOf({ stack = '', message }: Error): string[] {
	return stack
		.replace(message, () => '')
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line.startsWith('at '));
}

const warned = new Set<string>();

/** Warns of something lasting that many requests meet, once in a process. */
export function warnOnce(log: Logger, message: string): void {
	if (warned.has(message)) return;
	warned.add(message);
	log.warn(message);
}
