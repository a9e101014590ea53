import { handler as astro } from '@astrojs/node/server.js';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Answer } from '../http/answer.ts';
import { methodNotAllowed, problem } from '../http/problem.ts';
import { contact } from '../lead/contact.ts';
import { paths } from '../service/links.ts';
import { links, origin } from '../service/load.ts';
import { status } from '../status/status.ts';
import { clientAddress } from './client-address.ts';
import type { Deployment } from './deployment.ts';
import { loadFiles, sendFile } from './files.ts';
import { securityHeaders } from './security-headers.ts';

/** Answers every request: prebuilt files from memory, the two operations directly, and the form's page through Astro. */
export function requestListener({ contact: deps, settings, log }: Deployment): RequestListener {
	const files = loadFiles(new URL('.', import.meta.url));
	const notFoundPage = files.get('/404')!;
	files.delete('/404');
	const secured = securityHeaders(origin);

	return (request, response) => {
		respond(request, response).catch((error: unknown) => {
			log.error({ err: error }, 'A request failed.');
			if (response.headersSent) response.destroy();
			else send(response, problem('internal-error'));
		});
	};

	async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const path = pathOf(request);
		const reading = request.method === 'GET' || request.method === 'HEAD';

		if (path === paths.submitLead) return answerContact(request, response);
		if (path === paths.getStatus) return send(response, reading ? status() : methodNotAllowed('GET, HEAD'), request);
		if (path.startsWith('/api/')) return send(response, problem('not-found'), request);

		const file = files.get(path);
		if (file && reading) return sendFile(request, response, file);
		if (file) return send(response, methodNotAllowed('GET, HEAD', methodAdvice[path]), request);
		const withoutSlash = path.replace(/\/+$/, '');
		if (files.has(withoutSlash)) return send(response, { status: 308, headers: { location: withoutSlash }, body: '' }, request);
		return sendFile(request, response, notFoundPage, 404);
	}

	async function answerContact(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const answer = await contact(
			{
				method: request.method ?? 'GET',
				headers: { get: (name) => headerOf(request, name) },
				body: request,
				address: clientAddress(request.socket.remoteAddress ?? '', headerOf(request, 'x-forwarded-for'), settings.trustProxy),
			},
			deps,
		);
		if (!('page' in answer)) return send(response, answer, request);
		for (const [name, value] of Object.entries(secured)) response.setHeader(name, value);
		await astro(request, response, undefined, { answer });
	}

	function send(response: ServerResponse, { status, headers, body }: Answer, request?: IncomingMessage): void {
		response.writeHead(status, { ...secured, ...headers, 'content-length': Buffer.byteLength(body) });
		response.end(request?.method === 'HEAD' ? undefined : body);
	}
}

/** What to tell whoever sends another method than GET to a page. */
const methodAdvice: Record<string, string> = {
	[paths.contact]: `This is a form for people. Programs send leads to ${links.submitLead}; how to get access is in ${links.authMd}.`,
};

function pathOf({ url = '/' }: IncomingMessage): string {
	return url.split('?', 1)[0]!;
}

function headerOf(request: IncomingMessage, name: string): string | null {
	const value = request.headers[name];
	return Array.isArray(value) ? value.join(', ') : (value ?? null);
}
