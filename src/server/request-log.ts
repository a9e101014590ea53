import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';

/** What the log says of a request, by member. */
export interface RequestNotes extends Record<string, string | undefined> {
	/** The path, if we have something there; any other is not logged, since visitors may write anything into it. */
	route: string | undefined;
}

/**
 * Logs one line when an answer is out.
 *
 * @param about what it says of the request: the route, and what comes to be known before the answer is out
 * @returns the id of the line
 */
export function logAnswer(log: Logger, request: IncomingMessage, response: ServerResponse, about: RequestNotes): string {
	const id = crypto.randomUUID();
	const start = performance.now();
	response.on('close', () => {
		const duration = Math.round(performance.now() - start);
		const status = response.writableFinished ? response.statusCode : 'aborted';
		log.info({ request: id, method: request.method, ...about, status, duration }, 'Answered.');
	});
	return id;
}
