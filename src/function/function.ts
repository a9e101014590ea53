import { createRequestFromNodeRequest, writeResponse } from 'astro/app/node';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, toResponse } from '../http/answer.ts';
import { readBody } from '../http/body.ts';
import { methodNotAllowed, problem } from '../http/problem.ts';
import { contact, type ContactDeps } from '../lead/intake/contact.ts';
import { paths } from '../service/links.ts';
import { status } from '../status/status.ts';
import { clientAddress } from '../server/client-address.ts';
import { functionDeployment, refusingContact } from './deployment.ts';
import { secured } from '../server/send.ts';

/**
 * Answers `/api/*` where a host calls functions with web standards. All other paths are files of `dist/client`.
 * Only `TRUST_PROXY` can tell it whose request it is: what a host passes beside it differs from one to the next.
 */
export const fetch = (request: Request): Promise<Response> => fetchFrom(request, undefined);

/** The same where a host calls functions as Node.js does. */
export async function handler(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
	const response = await fetchFrom(createRequestFromNodeRequest(incoming), incoming.socket.remoteAddress);
	await writeResponse(response, outgoing);
}

export default { fetch };

/**
 * The same as `fetch`, for a client whose address the host knows.
 * The process may be frozen as soon as it has answered, so what is to be delivered is tried before.
 */
export async function fetchFrom(request: Request, caller: string | null | undefined): Promise<Response> {
	const start = performance.now();
	const id = crypto.randomUUID();
	const { pathname } = new URL(request.url);
	const deployment = await functionDeployment();
	const hops = deployment?.settings.trustProxy ?? 0;
	const address = clientAddress(caller ?? undefined, request.headers.get('x-forwarded-for'), hops);

	const response = await respond(request, pathname, address, deployment?.contact ?? refusingContact).catch((error: unknown) => {
		deployment?.log.error({ request: id, err: error }, 'A request failed unexpectedly.');
		return answered(problem('internal-error', { instance: `urn:uuid:${id}` }));
	});
	await deployment?.tryDue();
	const about = { request: id, method: request.method, route: Object.hasOwn(operations, pathname) ? pathname : undefined };
	const read = request.method === 'GET' || request.method === 'HEAD';
	deployment?.log[read ? 'debug' : 'info'](
		{ ...about, status: response.status, duration: Math.round(performance.now() - start) },
		'Answered.',
	);
	return response;
}

type Operation = (request: Request, address: string | undefined, deps: ContactDeps) => Promise<Response> | Response;

const operations: Record<string, Operation> = {
	[paths.submitLead]: submitLead,
	[paths.getStatus]: ({ method }) => answered(method === 'GET' || method === 'HEAD' ? status() : methodNotAllowed('GET, HEAD')),
};

async function respond(request: Request, path: string, address: string | undefined, deps: ContactDeps): Promise<Response> {
	const operation = Object.hasOwn(operations, path) ? operations[path] : undefined;
	return operation ? operation(request, address, deps) : answered(problem('not-found'));
}

async function submitLead({ method, headers, body }: Request, address: string | undefined, deps: ContactDeps): Promise<Response> {
	const answer = await contact({ method, headers, read: (limit) => readBody(body, limit), address }, deps);
	if (!('page' in answer)) return answered(answer);
	// Loaded with the first page, as few forms need one.
	const { renderPage } = await import('../server/page.ts');
	return answered(await renderPage(answer));
}

function answered({ status, headers, body }: Answer): Response {
	const length: Record<string, string> = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
	return toResponse({ status, headers: { ...secured, ...headers, ...length }, body });
}
