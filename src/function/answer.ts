import { createHash, timingSafeEqual } from 'node:crypto';
import { type Answer, type FileAnswer, json, toResponse } from '../http/answer.ts';
import { methodNotAllowed } from '../http/problem.ts';
import { type ClientRequest, clientRequest, isRead, pathOf, refusedTarget, type WebRequest } from '../http/request.ts';
import { answerTo, operationAt } from '../operations/operations.ts';
import { clientAddress, NO_FORWARDED_ADDRESS } from '../server/http/client-address.ts';
import type { OperationDeps } from '../operations/operations.ts';
import type { Settings } from '../server/settings/settings.ts';
import { internalError, warnOnce } from '../server/log.ts';
import { completeAnswer, completeHeaders } from '../server/http/send.ts';
import { origin } from '../facts/load.ts';
import { backendFor } from './backend.ts';
import type { Host } from './host.ts';

/**
 * Answers a request on any host: for `/api/*`, and for files if the host gives those to the program. A host may freeze the process
 * as soon as it has the answer. So due deliveries are tried before the answer, or after it if the host waits. A lead that was
 * answered 200 is in the store by then, or delivered if there is no store.
 */
export async function answerFrom(request: WebRequest, host: Host): Promise<Response> {
	const path = pathOf(request.url);
	if (host.files && path !== undefined && !path.startsWith('/api/')) {
		const { method, url, headers } = request;
		return webResponseOf(await host.files({ method, url, headers: Object.fromEntries(headers) }, path));
	}
	const start = performance.now();
	const id = crypto.randomUUID();
	const operation = operationAt(path);
	const opens = operation?.methods[0] === 'POST' && request.method === 'POST';
	const { settings, log, deps, finish } = await backendFor(host, opens);
	const hops = settings?.trustProxy ?? 0;
	/** Warns that the configured limit limits nobody, or counts many clients as one. */
	const warn = (message: string) => void (log && settings?.rateLimit && warnOnce(log, message));
	const address = clientAddress(host.caller ?? undefined, request.headers.get('x-forwarded-for'), hops, () =>
		warn(NO_FORWARDED_ADDRESS),
	);
	if (address === undefined) warn(NO_ADDRESS);

	const seen = clientRequest(request, address);
	const answer = await answerAt(path, seen, settings, deps).catch((error: unknown) => internalError(log, id, error));
	await finishLater(finish(), host);
	const about = { request: id, method: request.method, route: operation?.path, ...seen.notes };
	const duration = Math.round(performance.now() - start);
	log?.[isRead(request) ? 'debug' : 'info']({ ...about, status: answer.status, duration }, 'Answered.');
	return webResponseOf(answer);
}

/** Lets work continue after the answer if the host allows that. Otherwise waits for it. */
async function finishLater(work: Promise<void>, host: Host): Promise<void> {
	try {
		if (host.waitUntil) return host.waitUntil(work);
	} catch {
		// The host refused. So the answer waits for the work.
	}
	await work;
}

async function answerAt(
	path: string | undefined,
	request: ClientRequest,
	settings: Settings | undefined,
	deps: OperationDeps,
): Promise<Answer> {
	if (path === undefined) return refusedTarget(request);
	// Hosts that cannot refuse a method send it here.
	if (!path.startsWith('/api/') && !isRead(request)) return methodNotAllowed('GET, HEAD');
	if (!hasSecret(request, settings?.functionSecret)) return notThroughProxy;
	return completeAnswer(await answerTo(path, request, deps));
}

/** Compares hashes, in constant time: they have the same length even if the secrets do not. */
function hasSecret({ headers }: ClientRequest, secret: string | undefined): boolean {
	if (secret === undefined) return true;
	const [given, wanted] = [headers.get('x-function-secret') ?? '', secret].map((text) =>
		createHash('sha256').update(text).digest(),
	);
	return timingSafeEqual(given!, wanted!);
}

const notThroughProxy: Answer = json(
	403,
	{
		type: 'about:blank',
		title: 'Forbidden',
		status: 403,
		detail: `This address is not for clients. Send the request to ${origin}.`,
	},
	{ 'content-type': 'application/problem+json' },
);

/** Explains why nobody is limited. If all clients without an address counted as one, each of them could lock out all others. */
const NO_ADDRESS = 'The host does not say where requests come from, so nobody is limited. See TRUST_PROXY and fetchFrom.';

const webResponseOf = (answer: Answer | FileAnswer) => toResponse({ ...answer, headers: completeHeaders(answer) });
