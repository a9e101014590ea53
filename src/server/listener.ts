import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { readBody } from '../http/body.ts';
import { problem, type ProblemName, problems } from '../http/problem.ts';
import { type ClientRequest, isRead, pathOf, refusedTarget } from '../http/request.ts';
import { answerTo, operationAt } from '../operations/operations.ts';
import { clientAddress, NO_FORWARDED_ADDRESS } from './http/client-address.ts';
import { internalError, warnOnce } from './log.ts';
import type { Backend } from './backend.ts';
import { loadFiles } from './files/files.ts';
import { completeAnswer, completeHeaders, send } from './http/send.ts';

/** Answers every request: with prebuilt files from memory, or by an operation. */
export function requestListener(backend: Backend): RequestListener {
	const { settings, log } = backend;
	// The build puts this module into `dist/server/chunks`, and the files beside that folder.
	const files = loadFiles(new URL('..', import.meta.url));
	const logsReads = log.isLevelEnabled('debug');

	return async (request, response) => {
		const { method = 'GET', url = '/' } = request;
		const path = pathOf(url);
		if (path === undefined) return send(response, refusedTarget({ method, url }));
		const isFile = files.has(path);
		const operation = operationAt(path);
		const notes: RequestNotes = { route: isFile || operation ? path : undefined };
		const routine = isRead(request) && (isFile || operation?.methods[0] === 'GET');
		const id = routine && !logsReads ? undefined : logAnswer(log, request, response, notes);
		try {
			// Does not wait for a finished answer: that saves a twentieth of the health check's processor time.
			const answering = path.startsWith('/api/')
				? operate(request, response, path, notes)
				: send(response, files.answer(request, path));
			if (answering) await answering;
		} catch (error) {
			fail(request, response, error, id);
		}
	};

	function operate(request: IncomingMessage, response: ServerResponse, path: string, notes: RequestNotes): void | Promise<void> {
		const answer = answerTo(path, clientRequestOf(request, notes), backend);
		if (!(answer instanceof Promise)) return send(response, answer);
		return answer.then(completeAnswer).then((made) => send(response, made));
	}

	function clientRequestOf(request: IncomingMessage, notes: RequestNotes): ClientRequest {
		return {
			method: request.method ?? 'GET',
			url: request.url ?? '/',
			headers: { get: (name) => headerOf(request, name), keys: () => Object.keys(request.headers) },
			read: (limit) => readBody(request, limit),
			address: clientAddress(request.socket.remoteAddress, headerOf(request, 'x-forwarded-for'), settings.trustProxy, () =>
				warnOnce(log, NO_FORWARDED_ADDRESS),
			),
			notes,
		};
	}

	function fail(request: IncomingMessage, response: ServerResponse, error: unknown, id: string = crypto.randomUUID()): void {
		// The client went away before it had sent its whole request. The log already has a line for that: `aborted`.
		if (request.errored && !request.complete) return;
		const answer = internalError(log, id, error);
		if (response.headersSent) response.destroy();
		else send(response, answer);
	}
}

function headerOf(request: IncomingMessage, name: string): string | null {
	const { [name]: first } = request.headers;
	// `headers` keeps only the first of several credentials.
	const value = name.endsWith('authorization') && first !== undefined ? request.headersDistinct[name] : first;
	return Array.isArray(value) ? value.join(', ') : (value ?? null);
}

/** The problems of requests that Node.js cannot read, by the code of its error. All others are malformed. */
const unreadable: Record<string, ProblemName> = {
	ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
	HPE_HEADER_OVERFLOW: 'headers-too-large',
};

/** Answers a request that Node.js cannot read: as Node.js would, but with problem details. */
export function refuseUnreadable({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
	// A client that has a part of another answer would take this for the rest of it.
	const begun = Reflect.get(socket, '_httpMessage') as ServerResponse | undefined;
	if (!socket.writable || begun?.headersSent) return void socket.destroy();
	const name = unreadable[code] ?? 'malformed-request';
	const answer = problem(name);
	const headers = Object.entries({ ...completeHeaders(answer), date: new Date().toUTCString(), connection: 'close' }).map(
		(header) => header.join(': '),
	);
	const head = [`HTTP/1.1 ${answer.status} ${problems[name].title}`, ...headers].join('\r\n');
	socket.end(`${head}\r\n\r\n${answer.body}`, () => socket.destroy());
}

/** Further members of the request's line in the log. */
interface RequestNotes extends Record<string, string | undefined> {
	/** The path, if there is something at it. Other paths are not logged, because visitors may write anything into them. */
	route: string | undefined;
}

/**
 * Logs one line when an answer is complete.
 *
 * @param about the members of that line: the route, and others that are added before the answer is complete
 * @returns the id of the line
 */
function logAnswer(log: Logger, request: IncomingMessage, response: ServerResponse, about: RequestNotes): string {
	const id = crypto.randomUUID();
	const start = performance.now();
	response.on('close', () => {
		const duration = Math.round(performance.now() - start);
		const status = response.writableFinished ? response.statusCode : 'aborted';
		log.info({ request: id, method: request.method, ...about, status, duration }, 'Answered.');
	});
	return id;
}
