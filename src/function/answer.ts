import { type Answer, toResponse } from '../http/answer.ts';
import { methodNotAllowed } from '../http/problem.ts';
import { type ClientRequest, clientRequest } from '../http/request.ts';
import { clientAddress } from '../server/client-address.ts';
import type { Deployment } from '../server/deployment.ts';
import { internalError } from '../server/error-log.ts';
import { answerTo, operations } from '../server/operations.ts';
import { secured } from '../server/send.ts';
import { whole } from '../server/whole-answer.ts';
import { deploymentFor, refusing } from './deployment.ts';
import type { Host } from './host.ts';

/**
 * Answers a request for `/api/*`, whatever host it came to.
 * A host may freeze the process as soon as it has the answer. So what is due for delivery is tried before that, or behind it where
 * the host waits: a lead that was answered 200 is in the store by then, or delivered where there is none.
 */
export async function answerFrom(request: Request, host: Host): Promise<Response> {
	const start = performance.now();
	const id = crypto.randomUUID();
	const { deployment, finish } = await deploymentFor(host);
	const hops = deployment?.settings.trustProxy ?? 0;
	const address = clientAddress(host.caller ?? undefined, request.headers.get('x-forwarded-for'), hops);
	if (address === undefined) warnOfNoLimit(deployment);

	const seen = clientRequest(request, address, deployment?.settings.limits.request);
	const { pathname } = new URL(request.url);
	const answer = await answerAt(pathname, seen, deployment).catch((error: unknown) => internalError(deployment?.log, id, error));
	await leaveBehind(finish(), host);
	const about = { request: id, method: request.method, route: operations.has(pathname) ? pathname : undefined, ...seen.notes };
	const duration = Math.round(performance.now() - start);
	deployment?.log[isRead(request) ? 'debug' : 'info']({ ...about, status: answer.status, duration }, 'Answered.');
	return answered(answer);
}

/** Leaves work to go on behind the answer, where the host takes it; else waits for it. */
async function leaveBehind(work: Promise<void>, host: Host): Promise<void> {
	try {
		if (host.waitUntil) return host.waitUntil(work);
	} catch {
		// The lead is safe, and the answer says so.
	}
	await work;
}

async function answerAt(path: string, request: ClientRequest, deployment: Deployment | undefined): Promise<Answer> {
	// Hosts that cannot refuse a method by themselves send it here.
	if (!path.startsWith('/api/') && !isRead(request)) return methodNotAllowed('GET, HEAD');
	return whole(await answerTo(path, request, deployment ?? refusing));
}

let warned = false;

/** Says once why a limit that is set limits nobody. To count all whose address is unknown as one would let one of them lock out all others. */
function warnOfNoLimit(deployment: Deployment | undefined): void {
	if (warned || deployment?.settings.rateLimit === undefined) return;
	warned = true;
	deployment.log.warn('The host does not say where requests come from, so nobody is limited. See TRUST_PROXY and fetchFrom.');
}

const isRead = ({ method }: Pick<ClientRequest, 'method'>) => method === 'GET' || method === 'HEAD';

function answered({ status, headers, body }: Answer): Response {
	const length: Record<string, string> = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
	return toResponse({ status, headers: { ...secured, ...headers, ...length }, body });
}
