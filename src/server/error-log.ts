import type { Logger } from 'pino';
import type { Answer } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import { StoreError } from '../lead/store/store.ts';

/** What the log keeps of an exception. */
interface ErrorRecord {
	type: string;
	/** Only where the words are ours. */
	message?: string;
	/** Of the system, the database or Node.js. */
	code?: string;
	/** Where it was thrown, as in a stack trace. */
	stack?: string[];
	cause?: ErrorRecord;
}

/**
 * Describes an exception without its words, but for our own: those of Node.js and of a database may quote a lead, an address or a URL.
 * Kind, code and place say as much to whoever looks for the fault.
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

/** The answer where an exception ended a request, which is our fault: it names the line in the log, and nothing else. */
export function internalError(log: Logger | undefined, id: string, error: unknown): Answer {
	log?.error({ request: id, err: error }, 'A request failed unexpectedly.');
	return problem('internal-error', { instance: `urn:uuid:${id}` });
}

/** A promise that nobody waits for leaves a line, and the process goes on. */
export function logRejections(log: Logger): void {
	process.on('unhandledRejection', (reason) => log.error({ err: reason }, 'A promise was rejected that nobody waits for.'));
}

/**
 * What belongs to no request: rejections, warnings, and an exception that nobody caught. That may have left anything half done, so
 * the process ends, and whoever supervises it starts it anew; leads that were taken are in the store.
 */
export function logExceptions(log: Logger): void {
	logRejections(log);
	// The listener that is there prints a warning, and its words may be those of a lead.
	process.removeAllListeners('warning');
	process.on('warning', (warning) => log.warn({ err: warning }, 'Node.js warns.'));
	process.on('uncaughtException', (error) => {
		log.fatal({ err: error }, 'The server ends: an exception belongs to no request.');
		process.exit(1);
	});
}

/** Without the message, which stands above them on as many lines as it has. */
function framesOf({ stack = '', message }: Error): string[] {
	return stack
		.replace(message, () => '')
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line.startsWith('at '));
}
