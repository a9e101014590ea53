import { createRequestFromNodeRequest, writeResponse } from 'astro/app/node';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, toResponse } from '../http/answer.ts';
import { clientRequest } from '../http/request.ts';
import { clientAddress } from '../server/client-address.ts';
import { internalError } from '../server/error-log.ts';
import { answerTo, operations } from '../server/operations.ts';
import { secured } from '../server/send.ts';
import { whole } from '../server/whole-answer.ts';
import { functionDeployment, refusing } from './deployment.ts';

/**
 * Answers `/api/*` where a host calls functions with web standards. All other paths are files of `dist/client`.
 * A client's address is known by `TRUST_PROXY` only: hosts differ in what they pass beside the request, and none of it is looked at.
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
 * The host may freeze the process as soon as it has the answer, so what is due for delivery is tried before.
 */
export async function fetchFrom(request: Request, caller: string | null | undefined): Promise<Response> {
	const start = performance.now();
	const id = crypto.randomUUID();
	const { pathname } = new URL(request.url);
	const deployment = await functionDeployment();
	const hops = deployment?.settings.trustProxy ?? 0;
	const address = clientAddress(caller ?? undefined, request.headers.get('x-forwarded-for'), hops);

	const seen = clientRequest(request, address);
	const answer = await Promise.resolve(answerTo(pathname, seen, deployment ?? refusing))
		.then(whole)
		.catch((error: unknown) => internalError(deployment?.log, id, error));
	await deployment?.tryDue();
	const about = { request: id, method: request.method, route: operations.has(pathname) ? pathname : undefined, ...seen.notes };
	const read = request.method === 'GET' || request.method === 'HEAD';
	deployment?.log[read ? 'debug' : 'info'](
		{ ...about, status: answer.status, duration: Math.round(performance.now() - start) },
		'Answered.',
	);
	return answered(answer);
}

function answered({ status, headers, body }: Answer): Response {
	const length: Record<string, string> = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
	return toResponse({ status, headers: { ...secured, ...headers, ...length }, body });
}
