import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, type FileAnswer, toResponse } from '../api/answer.ts';
import { type ClientRequest, isRead, pathOf, webRequest } from '../api/request.ts';
import { operationAt } from '../api/operations.ts';
import { complete, handle, logAnswer } from './handler.ts';
import { clientRequest, send } from './listener.ts';
import { warnOnce } from './log.ts';
import { backendFor } from './function-backend.ts';
import type { Host } from './host.ts';

/**
 * Answers `/api/*` on a host that calls functions by web standards. All other paths are files of `dist/client`.
 *
 * @param beside the host's second argument: that of Bun is a server to ask for the client's address, that of Deno holds it; those
 * of others are ignored
 */
export function fetch(request: Request, beside?: unknown): Promise<Response> {
	const { requestIP, remoteAddr } = (beside ?? {}) as Beside;
	if (typeof requestIP === 'function') return fetchFrom(request, { caller: requestIP.call(beside, request)?.address });
	return fetchFrom(request, { caller: typeof remoteAddr?.hostname === 'string' ? remoteAddr.hostname : undefined });
}

interface Beside {
	requestIP?: (request: Request) => { address: string } | null;
	remoteAddr?: { hostname?: unknown };
}

/** Answers a web request for a host that can say more about it. @param caller the client's address, if the host tells it */
export const fetchFrom = async (request: Request, { caller, ...host }: Host & { caller?: string | null | undefined }) =>
	toResponse(await answerFrom(webRequest(request, caller ?? undefined), host));

/** Answers `/api/*` on a host that calls functions as Node.js does. */
export const handler = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> =>
	send(outgoing, await answerFrom(clientRequest(incoming), {}));

export default { fetch };

/**
 * Answers a request on any host. A host may freeze the process as soon as it has the answer. So due deliveries are tried before
 * the answer, or after it if the host waits. A lead that was answered 200 is in the store by then, or delivered if there is no
 * store.
 */
export async function answerFrom(request: ClientRequest, host: Host): Promise<Answer | FileAnswer> {
	const path = pathOf(request.url);
	// Files need no settings.
	if (host.files && path !== undefined && !path.startsWith('/api/')) return complete(await host.files(request, path));
	const start = performance.now();
	const opens = request.method === 'POST' && operationAt(path)?.methods[0] === 'POST';
	const { settings, log, deps, finish } = await backendFor(host, opens);
	const answer = await handle(request, { deps, settings, log, functionSecret: settings?.FUNCTION_SECRET }, (made) => made);
	if (log && settings?.LEAD_RATE_LIMIT && request.address === undefined) warnOnce(log, NO_ADDRESS);
	await finishLater(finish(), host);
	if (log && (!isRead(request) || answer.status >= 400 || log.isLevelEnabled('debug')))
		logAnswer(log, request, start, answer.status);
	return answer;
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

/** Explains why nobody is limited. If all clients without an address counted as one, each of them could lock out all others. */
const NO_ADDRESS = 'The host does not say where requests come from, so nobody is limited. See TRUST_PROXY and fetchFrom.';
