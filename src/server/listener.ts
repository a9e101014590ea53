import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Answer } from '../http/answer.ts';
import { readStream } from '../http/body.ts';
import { methodNotAllowed, problem } from '../http/problem.ts';
import { contact } from '../lead/intake/contact.ts';
import { paths } from '../service/links.ts';
import { links } from '../service/load.ts';
import { status } from '../status/status.ts';
import { isBroken, refuseBroken } from './broken-request.ts';
import { clientAddress } from './client-address.ts';
import type { Deployment } from './deployment.ts';
import { loadFiles, type PrebuiltFile, sendFile } from './files.ts';
import { logAnswer } from './request-log.ts';
import { secured, send } from './send.ts';
import { isBodyPending } from './unread-body.ts';

/** Answers every request: prebuilt files from memory, the two operations directly, and the form's page through Astro. */
export function requestListener({ contact: deps, settings, log }: Deployment): RequestListener {
	// This is bundled into `dist/server/chunks`.
	const { files, notFoundPage } = loadFiles(new URL('..', import.meta.url));
	const logsReads = log.isLevelEnabled('debug');

	return (request, response) => {
		if (isBroken(request)) return refuseBroken(request, response);
		const path = pathOf(request);
		const reads = request.method === 'GET' || request.method === 'HEAD';
		// Nobody reads what comes with a GET.
		if (reads && isBodyPending(request)) response.shouldKeepAlive = false;
		const file = files.get(path);
		const known = file !== undefined || path === paths.submitLead || path === paths.getStatus;
		const routine = reads && known && path !== paths.submitLead;
		const id = routine && !logsReads ? undefined : logAnswer(log, request, response, known ? path : undefined);
		if (path === paths.submitLead) {
			answerContact(request, response).catch((error: unknown) => fail(request, response, error, id));
			return;
		}
		try {
			answer(request, response, path, file, reads);
		} catch (error) {
			fail(request, response, error, id);
		}
	};

	function answer(
		request: IncomingMessage,
		response: ServerResponse,
		path: string,
		file: PrebuiltFile | undefined,
		reads: boolean,
	): void {
		if (file && reads) return sendFile(request, response, file);
		if (file) return send(request, response, methodNotAllowed('GET, HEAD', methodAdvice[path]));
		if (path === paths.getStatus && reads) return sendStatus(request, response);
		if (path === paths.getStatus) return send(request, response, methodNotAllowed('GET, HEAD'));
		if (path.startsWith('/api/')) return send(request, response, problem('not-found'));
		if (path.endsWith('/') && files.has(path.slice(0, -1))) return send(request, response, withoutSlash(path, request));
		return sendFile(request, response, notFoundPage, 404);
	}

	async function answerContact(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const forwarded = headerOf(request, 'x-forwarded-for');
		const answer = await contact(
			{
				method: request.method ?? 'GET',
				headers: { get: (name) => headerOf(request, name) },
				read: (limit) => readBodyOf(request, response, limit),
				address: clientAddress(request.socket.remoteAddress, forwarded, settings.trustProxy),
			},
			deps,
		);
		if (!('page' in answer)) return send(request, response, answer);
		// Loaded with the first page, since most deployments of most days never need it.
		const { renderPage } = await import('./page.ts');
		send(request, response, await renderPage(answer));
	}

	/** An exception is our fault: a line in the log, and a problem that names the line and nothing else. */
	function fail(request: IncomingMessage, response: ServerResponse, error: unknown, id: string = crypto.randomUUID()): void {
		// The client went away with its request half sent. Its line in the log is `aborted`.
		if (request.errored && !request.complete) return;
		log.error({ request: id, err: error }, 'A request failed unexpectedly.');
		if (response.headersSent) response.destroy();
		else send(request, response, problem('internal-error', { instance: `urn:uuid:${id}` }));
	}
}

/** The head of every answer of the health check: its time is always written with as many characters. */
const statusHead = { ...secured, ...status().headers, 'content-length': Buffer.byteLength(status().body) };

function sendStatus({ method }: IncomingMessage, response: ServerResponse): void {
	response.writeHead(200, statusHead).end(method === 'HEAD' ? undefined : status().body);
}

/** What to tell whoever sends another method than GET to a page. */
const methodAdvice: Record<string, string> = {
	[paths.contact]: `This is a form for people. Programs send leads to ${links.submitLead}; how to get access is in ${links.authMd}.`,
};

/** The path of the target, which may be in origin-form or in absolute-form (RFC 9112 section 3.2). */
function pathOf({ url = '/' }: IncomingMessage): string {
	const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
	return target.split('?', 1)[0] || '/';
}

/** The location is the path of a file we have, and so never leads elsewhere. */
function withoutSlash(path: string, { url = '' }: IncomingMessage): Answer {
	const [, query] = url.split(/(?=\?)/, 2);
	return { status: 308, headers: { location: path.slice(0, -1) + (query ?? '') }, body: '' };
}

/** A client may wait to be asked for the body, but none of HTTP/1.0 (RFC 9110 section 10.1.1). */
function readBodyOf(request: IncomingMessage, response: ServerResponse, limit: number): Promise<Buffer> {
	if (request.headers.expect !== undefined && request.httpVersion !== '1.0') response.writeContinue();
	return readStream(request, limit);
}

function headerOf(request: IncomingMessage, name: string): string | null {
	const value = request.headers[name];
	return Array.isArray(value) ? value.join(', ') : (value ?? null);
}
