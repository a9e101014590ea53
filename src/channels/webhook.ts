import type { IncomingMessage } from 'node:http';
import type { Channel, SendResult } from './channel.ts';
import { chatServices } from './chat.ts';
import { hubspot, json } from './programs.ts';
import { type Reading, requestOf, type WebhookFormat, type WebhookTarget } from './webhook-format.ts';

const formats = [...chatServices, hubspot, json];

export type FormatName = (typeof formats)[number]['name'];

/** The allowed values of `LEAD_WEBHOOK_FORMAT`, beside `auto`. */
export const formatNames: FormatName[] = formats.map(({ name }) => name);

/** Returns the format of that name. `auto` finds the service by its URL, and is JSON for all other URLs. */
export const formatFor = (url: URL, name: FormatName | 'auto'): WebhookFormat<FormatName> =>
	formats.find((format) => (name === 'auto' ? format.recognises?.(url) : format.name === name)) ?? json;

/** Returns the fault of a webhook's URL, and the remedy. Checks the URL of a known service even if another format is set. */
export function urlFault(url: URL, format: WebhookFormat): string | undefined {
	if (format !== json && (url.username || url.password))
		return `must have no user name and password for ${format.name}: only json webhooks send them. Leave them out, or set LEAD_WEBHOOK_FORMAT=json`;
	return formatFor(url, 'auto').faultOf?.(url) ?? format.faultOf?.(url);
}

/** Returns the channel that posts messages to a URL. The URL itself is the credential, so neither name nor reason has it. */
export const webhook = (name: string, format: WebhookFormat, target: WebhookTarget): Channel => ({
	name,
	leadsOnly: format.leadsOnly,
	isChat: !format.forPrograms,
	send: async (message, signal) => judge(format, await post(requestOf(format, message, target), signal)),
});

/** Statuses below 500 that may pass: timeout, too early, too many (RFC 9110, 8470, 6585). */
const passing = new Set([408, 425, 429]);

const isSuccess = (status: number) => status >= 200 && status < 300;

/** Judges an answer: 2xx with its proof is success, and 410 is final. 1xx, 5xx and a few others may pass. For the rest the operator has to mend a setting. */
function judge({ read, proof }: WebhookFormat, answer: Answer): SendResult {
	const { accepted, fault, ...said }: Reading = read?.(answer.body) ?? { accepted: true };
	const status = (isSuccess(answer.status) && said.status) || answer.status;
	if (isSuccess(status))
		return accepted ? { ok: true } : { ok: false, outlook: 'passing', reason: `HTTP ${status} without ${proof}` };
	const reason = fault === undefined ? `HTTP ${status}` : `HTTP ${status} ${fault}`;
	const outlook = status === 410 ? 'final' : status < 200 || status >= 500 || passing.has(status) ? 'passing' : 'lasting';
	return { ok: false, outlook, reason, retryAfter: said.retryAfter ?? answer.retryAfter };
}

/** An answer: `body` is the beginning of it, `retryAfter` is in seconds. */
type Answer = { status: number; body: string; retryAfter: number | undefined };

/** In UTF-16 code units. Services answer with a word, a line of JSON, or the message they made of it. */
const ANSWER_LIMIT = 131_072;

/**
 * Posts, and reads the beginning of the answer. Follows no redirect. Uses Node's own client, twice as fast as its `fetch`. Without an
 * answer it rejects, with the system's code or the signal's reason.
 */
export function post({ url, headers, body }: ReturnType<typeof requestOf>, signal: AbortSignal): Promise<Answer> {
	// An import would read every exported name, and one of them loads a whole client of WebSocket.
	const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
	const posting = request(url, {
		method: 'POST',
		headers: { accept: '*/*', 'user-agent': 'node', 'content-length': Buffer.byteLength(body), ...headers },
		signal,
	});
	let interim = 0;
	return new Promise((resolve, reject) => {
		// Nobody sends a hundred interim answers. Node.js would read megabytes of them without a pause.
		posting.on('information', () => (interim += 1) > 100 && posting.destroy());
		posting.on('response', (response) => resolve(read(response)));
		posting.on('error', (error: NodeJS.ErrnoException) => {
			// The receiver closed a connection kept for the next lead: that says nothing about the receiver.
			const isClosed = posting.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code!);
			if (isClosed) resolve(post({ url, headers, body }, signal));
			else reject(error);
		});
		// Node.js emits no error if the receiver changes to another protocol.
		posting.on('close', () => reject(Object.assign(new Error(), { code: 'ECONNRESET' })));
		posting.end(body);
	});
}

async function read(response: IncomingMessage): Promise<Answer> {
	let body = '';
	for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
		body += chunk;
		if (body.length >= ANSWER_LIMIT) break;
	}
	return { status: response.statusCode!, retryAfter: retryAfterOf(response.headers['retry-after']), body };
}

/** Reads `Retry-After`: seconds or a date (RFC 9110 section 10.2.3). Some services write fractions of seconds. */
function retryAfterOf(retryAfter = ''): number | undefined {
	if (/^\d+(\.\d+)?$/.test(retryAfter)) return Math.ceil(Number(retryAfter));
	const wait = Math.ceil((Date.parse(retryAfter) - Date.now()) / 1000);
	return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
