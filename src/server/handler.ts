import type { APIContext } from 'astro';
import { isIP } from 'node:net';
import type { Logger } from 'pino';
import { origin } from '../facts/load.ts';
import { type Answer, json, methodNotAllowed, problem } from '../api/answer.ts';
import { BodyCutOff, type ClientRequest, isGetOrHead, pathOf, webRequest } from '../api/request.ts';
import type { SubmitDeps } from '../api/submit.ts';
import { answerAction } from '../api/lead-action.ts';
import { answerTo, operationAt } from '../api/operations.ts';
import { ACTIONS } from '../lead/action.ts';
import { isSame } from '../lead/email-address.ts';
import { type Backend, openBackend, withMailbox } from './backend.ts';
import type { Files } from './files.ts';
import { securityHeaders } from './security-headers.ts';
import { isPublic } from './settings/rules.ts';
import { readSettings, type Settings } from './settings/settings.ts';

/** The parts of a process that answer: operations, settings, files. */
export interface Parts {
	/** Undefined: the process cannot accept leads, and has logged why. On functions also for all but a lead and the pages below `/lead/`. */
	deps?: SubmitDeps;
	/** Undefined if they are wrong. */
	settings?: Pick<Settings, 'TRUST_PROXY' | 'LEAD_RATE_LIMIT'>;
	log: Logger | undefined;
	/** Whether the process ends, and each answer its connection. */
	stopping?: boolean;
	/** Undefined if the host itself sends files: then their requests do not come here. */
	files?: Files;
	/** Every request that code answers must carry it in `X-Function-Secret`. */
	functionSecret?: string;
}

/** A server, also while its store is away: then it has no backend. */
export type Running = Parts & { settings: Settings; log: Logger; deps?: Backend };

/** Answers every request that reaches us: with a file, by an operation, or with a link's page. @param send gets the answer, and leaves out the body for HEAD */
export function handle<Sent>(request: ClientRequest, parts: Parts, send: (answer: Answer) => Sent): Sent | Promise<Sent> {
	const fail = (error: unknown) => send(internalError(request, parts.log, error));
	try {
		const answer = answerAt(pathOf(request.url), request, parts);
		// Does not wait for a finished answer: that saves a twentieth of the health check's processor time.
		if (!(answer instanceof Promise)) return send(addHeaders(answer));
		return answer.then((made) => ('page' in made ? render(made).then(send) : send(addHeaders(made)))).catch(fail);
	} catch (error) {
		return fail(error);
	}
}

/** Answers a request, except that a page still has to be rendered. */
function answerAt(path: string | undefined, request: ClientRequest, parts: Parts): Answer | Promise<Answer | PageToRender> {
	if (path === undefined) return refusedTarget(request);
	const { deps, settings, files, functionSecret } = parts;
	const isOff = path.startsWith(ACTIONS) && deps && !deps.team.linkSecret;
	if (!isForCode(path) || isOff) {
		if (files) return files(request, path);
		// Hosts that cannot refuse a method send it here.
		return isGetOrHead(request) ? problem('not-found') : methodNotAllowed('GET, HEAD');
	}
	if (!hasSecret(request, functionSecret)) return notThroughProxy;
	// Other paths are not logged, because visitors may write anything into them.
	if (operationAt(path)) request.notes['route'] = path;
	const hops = settings?.TRUST_PROXY ?? 0;
	if (request.method === 'POST' && isProxyAtFault(request, hops)) warnOfLimit(parts, hops > 0 ? NOT_FORWARDED : NOT_TRUSTED);
	if (hops > 0) request.address = clientAddress(request, hops, () => warnOfLimit(parts, NOT_FORWARDED));
	return path.startsWith(ACTIONS) ? answerAction(request, deps) : answerTo(path, request, deps);
}

/** Returns whether a path is answered by code. All others are files. */
export const isForCode = (path = '') => path.startsWith('/api/') || path.startsWith(ACTIONS);

type PageToRender = NonNullable<App.Locals['answer']>;

let developmentBackend: Promise<Backend> | undefined;

/** Answers in `astro dev`, where Astro itself takes the request and renders the page. */
export async function developmentAnswer(context: Pick<APIContext, 'request' | 'url' | 'clientAddress'>) {
	developmentBackend ??= openBackend(withMailbox(readSettings(), true));
	// A mistake in the settings may be mended while the server runs.
	developmentBackend.catch(() => (developmentBackend = undefined));
	const backend = await developmentBackend;
	const request = webRequest(context.request, context.clientAddress);
	return answerAt(context.url.pathname, request, { ...backend, deps: backend });
}

/** Answers a target without a path. `OPTIONS *` asks about the server as a whole (RFC 9110 section 9.3.7). */
function refusedTarget({ method, url }: ClientRequest): Answer {
	if (method === 'OPTIONS' && url === '*') return methodNotAllowed('GET, HEAD');
	return problem('malformed-request', {
		detail:
			'The host and the target of the request do not form an http URL. Request a path, such as /, on a host without a user name.',
	});
}

/**
 * Returns the client's address behind `hops` proxies of ours, each of which appends its caller's address to `X-Forwarded-For`.
 * The client wrote the addresses further left, so they prove nothing. If there are fewer than `hops`, the leftmost counts. Without the header
 * returns the caller's address. If a proxy wrote none, but for example `unknown` or `_hidden` (RFC 7239 section 6), returns that too, or the
 * word `unknown`: all such clients count as one.
 */
export function clientAddress(request: Pick<ClientRequest, 'address' | 'headers'>, hops: number, onNoAddress: () => void) {
	const { address: caller, headers } = request;
	const forwardedFor = headers.get('x-forwarded-for');
	if (!forwardedFor) return caller;
	const path = forwardedFor.split(',');
	// Some proxies write the port too, as in `203.0.113.9:4711` and `[2001:db8::1]:4711`.
	const address = (path.at(-hops) ?? path[0]!).trim().replace(/^(\d+(?:\.\d+){3}):\d+$|^\[([\da-f:.]+)\](?::\d+)?$/i, '$1$2');
	if (isIP(address) > 0) return address;
	onNoAddress();
	return caller ?? 'unknown';
}

const NOT_FORWARDED = 'X-Forwarded-For has no address where TRUST_PROXY looks for one: clients share the limit of their proxy.';
const NOT_TRUSTED = 'A proxy sends requests, and TRUST_PROXY is 0: all clients share its limit. Set TRUST_PROXY=1.';

/** Returns whether a proxy sends a request, as its private address shows, and TRUST_PROXY says otherwise, or expects a header that it does not send. */
const isProxyAtFault = ({ address, headers }: ClientRequest, hops: number) =>
	Boolean(headers.get('x-forwarded-for')) !== hops > 0 && address !== undefined && !isPublic(address);

const warned = new Set<string>();

/** Warns, once in a process, that the limit cannot tell clients apart, if there is one. */
export function warnOfLimit({ log, settings }: Parts, message: string): void {
	if (!log || !settings?.LEAD_RATE_LIMIT || warned.has(message)) return;
	warned.add(message);
	log.warn(message);
}

const hasSecret = ({ headers }: ClientRequest, secret: string | undefined) =>
	secret === undefined || isSame(headers.get('x-function-secret') ?? '', secret);

const detail = `This address is not for clients. Send the request to ${origin}.`;
const notThroughProxy = json(
	403,
	{ type: 'about:blank', title: 'Forbidden', status: 403, detail },
	{ 'content-type': 'application/problem+json' },
);

const forPages = Object.entries(securityHeaders(origin, 'text/html'));
const forOthers = Object.entries(securityHeaders(origin, ''));

/** Adds the security headers of this deployment, and the length, which a 204 does not have (RFC 9110 section 8.6). */
export function addHeaders(answer: Answer): Answer {
	const { status, headers, body } = answer;
	// A file has all of them.
	if ('etag' in headers) return answer;
	// To spread both takes a twentieth of the health check's processor time.
	const all = { ...headers };
	for (const [name, value] of headers['content-type']?.startsWith('text/html') ? forPages : forOthers) all[name] ??= value;
	if (status !== 204) all['content-length'] = String(Buffer.byteLength(body));
	return { status, headers: all, body };
}

/** Pages that say the same to everybody, by their state. There are a few for each language. */
const renderedPages = new Map<string, Buffer>();

/** Renders the page of an answer, unless it was rendered before. */
async function render(answer: PageToRender): Promise<Answer> {
	const { status, headers, path, page, isShared } = answer;
	const state = JSON.stringify(page);
	let body = isShared ? renderedPages.get(state) : undefined;
	if (body === undefined) {
		app ??= await openAstro();
		// Without the body, which has already been read: the page depends on `answer` alone.
		const response = await app.render(new Request(origin + path), { locals: { answer } });
		// As bytes: to encode them for each answer takes a third of its time.
		body = Buffer.from(await response.arrayBuffer());
		if (isShared) renderedPages.set(state, body);
	}
	return addHeaders({ status, headers, body });
}

let app: Awaited<ReturnType<typeof openAstro>> | undefined;

/** Loads Astro, with the first page, because most deployments rarely need it. */
async function openAstro() {
	const { createApp } = await import('astro/app/entrypoint');
	// Without streaming, so that an exception is known before any part of the page is sent.
	const app = createApp({ streaming: false });
	// Astro would print an exception, which may quote a lead, and answer with its own page. Thrown, it is logged without its words.
	app.logger.setDestination({ write: () => {} });
	app.renderError = (_request, { error }) => Promise.reject(error ?? new Error('Astro has no page for this.'));
	return app;
}

/** Returns 500 with the id of the fault’s line in the log. A client that has gone is no fault of ours, and reads no answer. */
function internalError(request: ClientRequest, log: Logger | undefined, error: unknown): Answer {
	if (error instanceof BodyCutOff) return problem('malformed-request');
	log?.error({ request: idOf(request), err: error }, 'A request failed unexpectedly.');
	return addHeaders(problem('internal-error', { instance: `urn:uuid:${idOf(request)}` }));
}

/**
 * Logs one line, of level `info`, of an answer that is complete: of GET and HEAD below 400 at `LOG_LEVEL=debug` only. None of what Node.js cannot read.
 * @param start when the request came, by `performance.now()`
 * @param aborted whether the client has gone, or its body came too late
 */
export function logAnswer(log: Logger, request: ClientRequest, start: number, status: number, aborted = false): void {
	if (isGetOrHead(request) && status < 400 && !log.isLevelEnabled('debug')) return;
	const outcome = { status: aborted ? 'aborted' : status, duration: Math.round(performance.now() - start) };
	log.info({ request: idOf(request), method: request.method, ...request.notes, ...outcome }, 'Answered.');
}

/** The name of a request in the log. */
const idOf = ({ notes }: ClientRequest) => (notes['request'] ??= crypto.randomUUID());
