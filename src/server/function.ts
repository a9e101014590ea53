import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { type Answer, toResponse } from '../api/answer.ts';
import { operationAt } from '../api/operations.ts';
import { type ClientRequest, pathOf, webRequest } from '../api/request.ts';
import { ACTIONS } from '../lead/action.ts';
import { StoreError } from '../store/store.ts';
import { type Backend, openBackend } from './backend.ts';
import type { Files } from './files.ts';
import { handle, isForCode, logAnswer, warnOfLimit } from './handler.ts';
import { clientRequest, send } from './listener.ts';
import { describeError, logRejections, openLog } from './log.ts';
import { SettingsError } from './settings/environment.ts';
import { readSettings, type Settings } from './settings/settings.ts';

/** Facts that a host knows and the request does not say. */
export interface Host {
	/** Keeps the process awake for work after the answer. Without it the answer waits for that work. */
	waitUntil?: (work: Promise<unknown>) => void;
	/** The URL of the host's database for us. `LEAD_STORE` wins if it is set. */
	database?: string;
	/** Prints the lines of the log, if the process has no standard output of its own. */
	print?: (line: string) => void;
	/** Whether anybody can call the function at its own address, past the proxies in front of it. */
	hasOwnAddress?: boolean;
	/** Answers requests for files, which on other hosts than AWS Lambda and Cloudflare do not come here. */
	files?: Files;
	/** Whether only the request that opened a connection may use it. */
	tiesConnections?: boolean;
}

/**
 * Answers `/api/*` and `/lead/*` on a host that calls functions by web standards. The host answers all other paths.
 * @param beside the host's second argument: that of Bun is a server to ask for the client's address, that of Deno holds it; those
 * of others are ignored
 */
export function fetch(request: Request, beside?: unknown): Promise<Response> {
	const { requestIP, remoteAddr } = (beside ?? {}) as Beside;
	if (typeof requestIP === 'function') return fetchFrom(request, { caller: requestIP.call(beside, request)?.address });
	return fetchFrom(request, { caller: typeof remoteAddr?.hostname === 'string' ? remoteAddr.hostname : undefined });
}

type Beside = { requestIP?: (request: Request) => { address: string } | null; remoteAddr?: { hostname?: unknown } };

/** Answers a web request for a host that can say more about it. @param caller the client's address, if the host tells it */
export const fetchFrom = async (request: Request, { caller, ...host }: Host & { caller?: string | null }) =>
	toResponse(await answerFrom(webRequest(request, caller ?? undefined), host));

/** Answers these paths on a host that calls functions as Node.js does. */
export const handler = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> =>
	send(outgoing, await answerFrom(clientRequest(incoming), {}));

export default { fetch };

/**
 * Answers a request to a function, on any host. A host may freeze the process as soon as it has the answer. So due deliveries are tried before
 * the answer, or after it if the host waits. A lead that was answered 200 is in the store by then, or delivered if there is no
 * store.
 */
export async function answerFrom(request: ClientRequest, host: Host): Promise<Answer> {
	const path = pathOf(request.url);
	// Files need no settings, and have no line in the log.
	if (host.files && !isForCode(path)) return handle(request, { log, files: host.files }, (answer) => answer);
	const start = performance.now();
	const opens = path?.startsWith(ACTIONS) || (request.method === 'POST' && operationAt(path)?.methods[0] === 'POST');
	const { settings, backend, finish } = await openFor(host, opens);
	const parts = { deps: backend, settings, log, files: host.files, functionSecret: settings?.FUNCTION_SECRET };
	const answer = await handle(request, parts, (made) => made);
	if (request.address === undefined) warnOfLimit(parts, NO_ADDRESS);
	if (finish) await finishLater(finish(), host);
	if (log) logAnswer(log, request, start, answer.status);
	return answer;
}

/**
 * Tries what is due, for eight seconds at most: for a host where nothing runs between requests, and that has a schedule. Where only this
 * request may use its connections, tries in flight get eight more. Rejects if the store cannot be opened, as the log says, or closed.
 */
export async function tryDue(host: Host = {}): Promise<void> {
	const { finish } = await openFor(host, true);
	if (!finish) throw new Error('Nothing that is due was tried. The line before says why.');
	await finish();
}

/** Explains why nobody is limited. If all clients without an address counted as one, each of them could lock out all others. */
const NO_ADDRESS = 'The host does not say where requests come from, so nobody is limited. See TRUST_PROXY and fetchFrom.';

let log: Logger | undefined;
let knownSettings: Settings | undefined;
let sharedBackend: Promise<Backend> | undefined;

/**
 * Returns the parts that answer one request. A part is missing if it is not needed, is wrong, or could not be opened: the log says
 * why. `finish` tries due deliveries, and closes what belongs to this request alone.
 * @param opens whether the answer needs a backend. A health check opens nothing
 */
async function openFor(host: Host, opens: boolean) {
	let settings: Settings | undefined;
	try {
		settings = knownSettings ?? settingsOn(host);
		if (!log) logRejections((log = openLog(settings.LOG_LEVEL, host.print)));
		if (!opens) return { settings };
		const isOwn = host.tiesConnections && settings.LEAD_STORE.kind === 'postgres';
		const backend = await (isOwn ? openBackend(settings, log, true) : (sharedBackend ??= openBackend(settings, log, true)));
		const finish = async () => {
			await backend.kept?.outbox.tryDue();
			if (isOwn) await backend.stop();
		};
		return { settings, backend, finish };
	} catch (error) {
		// The next request tries again.
		sharedBackend = undefined;
		// The words of an exception that is not ours may be those of a lead.
		const isOurs = error instanceof SettingsError || error instanceof StoreError;
		console.error(`The function cannot accept leads. ${isOurs ? error.message : JSON.stringify(describeError(error))}`);
		return { settings };
	}
}

function settingsOn({ database = 'none', hasOwnAddress, tiesConnections }: Host): Settings {
	const settings = readSettings(process.env, { LEAD_STORE: database });
	const { LEAD_STORE, LEAD_MAILBOX, TRUST_PROXY, FUNCTION_SECRET } = settings;
	// AWS appends the caller's address. The cache in front wrote the entry before it, or a caller who imitates it: only the secret tells.
	const isOpen = hasOwnAddress && TRUST_PROXY >= 2 && FUNCTION_SECRET === undefined;
	const faults = [
		LEAD_STORE.kind === 'sqlite' &&
			'A function has no disk that stays: LEAD_STORE must be none, or a database, for example postgres://user:password@host/leads.',
		LEAD_MAILBOX && 'A function has no disk that stays: LEAD_MAILBOX must not be set. Set SMTP_URL or LEAD_WEBHOOK_URL.',
		isOpen &&
			`Anybody who calls the function's own address could choose the address that is counted.\nFUNCTION_SECRET must be set with TRUST_PROXY=${TRUST_PROXY}, and the proxy must send it in X-Function-Secret.`,
	].filter(Boolean);
	if (faults.length > 0) throw new SettingsError(faults.join('\n'));
	// Where only this request may use its connections, the address of the database is one of the request's bindings.
	if (!tiesConnections) knownSettings = settings;
	return settings;
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
