import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';

/**
 * Logs one line when an answer is out.
 *
 * @param route the path, if we have something there; any other is not logged, since visitors may write anything into it
 * @returns the id of the line
 */
export function logAnswer(log: Logger, request: IncomingMessage, response: ServerResponse, route: string | undefined): string {
	const id = crypto.randomUUID();
	const start = performance.now();
	response.on('close', () => {
		const duration = Math.round(performance.now() - start);
		const status = response.writableFinished ? response.statusCode : 'aborted';
		log.info({ request: id, method: request.method, route, status, duration }, 'Answered.');
	});
	return id;
}
