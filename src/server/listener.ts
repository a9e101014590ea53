import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Answer } from '../http/answer.ts';
import { readBody } from '../http/body.ts';
import { methodNotAllowed } from '../http/problem.ts';
import type { ClientRequest } from '../http/request.ts';
import { paths } from '../service/links.ts';
import { links } from '../service/load.ts';
import { isBroken, refuseBroken } from './broken-request.ts';
import { clientAddress } from './client-address.ts';
import type { Deployment } from './deployment.ts';
import { internalError } from './error-log.ts';
import { loadFiles, type PrebuiltFile } from './files.ts';
import { answerTo, operations } from './operations.ts';
import { logAnswer, type RequestNotes } from './request-log.ts';
import { send } from './send.ts';
import { sendFile } from './send-file.ts';
import { whole } from './whole-answer.ts';

/** Answers every request: prebuilt files from memory, and the operations. */
export function requestListener(deployment: Deployment): RequestListener {
	const { settings, log } = deployment;
	// The build puts this module into `dist/server/chunks`, and the files beside that folder.
	const { fileAt, notFoundPageFor } = loadFiles(new URL('..', import.meta.url));
	const logsReads = log.isLevelEnabled('debug');

	return async (request, response) => {
		if (isBroken(request)) return refuseBroken(request, response);
		const path = pathOf(request);
		const file = fileAt(path);
		const operation = operations.get(path);
		const known = file !== undefined || operation !== undefined;
		const notes: RequestNotes = { route: known ? path : undefined };
		const routine = isRead(request) && (file !== undefined || operation?.methods.includes('GET'));
		const id = routine && !logsReads ? undefined : logAnswer(log, request, response, notes);
		try {
			const answering = answer(request, response, path, file, notes);
			// What is answered by now waits for nothing: a twentieth of the health check's processor time.
			if (answering) await answering;
		} catch (error) {
			fail(request, response, error, id);
		}
	};

	function answer(
		request: IncomingMessage,
		response: ServerResponse,
		path: string,
		file: PrebuiltFile | undefined,
		notes: RequestNotes,
	): void | Promise<void> {
		if (file && isRead(request)) return sendFile(request, response, file);
		if (file) return send(request, response, methodNotAllowed('GET, HEAD', methodAdvice[path]));
		if (path.startsWith('/api/')) return operate(request, response, path, notes);
		if (path.endsWith('/') && fileAt(path.slice(0, -1))) return send(request, response, withoutSlash(path, request));
		return sendFile(request, response, notFoundPageFor(path), 404);
	}

	function operate(request: IncomingMessage, response: ServerResponse, path: string, notes: RequestNotes): void | Promise<void> {
		const answer = answerTo(path, clientRequestOf(request, response, notes), deployment);
		if (!(answer instanceof Promise)) return send(request, response, answer);
		return answer.then(whole).then((made) => send(request, response, made));
	}

	function clientRequestOf(request: IncomingMessage, response: ServerResponse, notes: RequestNotes): ClientRequest {
		return {
			method: request.method ?? 'GET',
			url: request.url ?? '/',
			headers: { get: (name) => headerOf(request, name) },
			read: (limit) => readBodyOf(request, response, limit),
			address: clientAddress(request.socket.remoteAddress, headerOf(request, 'x-forwarded-for'), settings.trustProxy),
			notes,
		};
	}

	function fail(request: IncomingMessage, response: ServerResponse, error: unknown, id: string = crypto.randomUUID()): void {
		// The client went away before it had sent all of its request. The log has a line for that already: `aborted`.
		if (request.errored && !request.complete) return;
		const answer = internalError(log, id, error);
		if (response.headersSent) response.destroy();
		else send(request, response, answer);
	}
}

const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD';

/** What to tell whoever sends another method than GET to a page. */
const methodAdvice: Record<string, string> = {
	[paths.contact]: `This is a form for people. Programs send leads to ${links.submitLead}; how to get access is in ${links.authMd}.`,
};

/** The path of the target, which may be in origin-form or in absolute-form (RFC 9112 section 3.2). */
export function pathOf({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
	const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
	return target.split('?', 1)[0] || '/';
}

/** Redirects to the path without the slash. A file is there, so the location never leads to another host, as `//host` would. */
function withoutSlash(path: string, { url = '' }: IncomingMessage): Answer {
	const [, query] = url.split(/(?=\?)/, 2);
	return { status: 308, headers: { location: path.slice(0, -1) + (query ?? '') }, body: '' };
}

/** Asks for the body where the client waits for that, which none of HTTP/1.0 does (RFC 9110 section 10.1.1). */
function readBodyOf(request: IncomingMessage, response: ServerResponse, limit: number): Promise<Buffer> {
	if (request.headers.expect !== undefined && request.httpVersion !== '1.0') response.writeContinue();
	return readBody(request, limit);
}

function headerOf(request: IncomingMessage, name: string): string | null {
	const { [name]: first } = request.headers;
	// Of several credentials it is the first only.
	const value = name === 'authorization' && first !== undefined ? request.headersDistinct[name] : first;
	return Array.isArray(value) ? value.join(', ') : (value ?? null);
}
