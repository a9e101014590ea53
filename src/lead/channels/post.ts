import type { ClientRequest, IncomingMessage } from 'node:http';

/** A POST. */
export interface WebhookRequest {
	url: URL;
	/** With the media type of the body. */
	headers: Record<string, string>;
	body: string;
}

/** The answer to a {@link WebhookRequest}. */
export interface WebhookAnswer {
	status: number;
	/** The beginning of the body, of any media type. */
	body: string;
	/** In seconds, from `Retry-After`. */
	retryAfter: number | undefined;
}

/** In bytes. Services answer with a word, a line of JSON, or the message they made of it. */
const ANSWER_LIMIT = 131_072;

/** How many interim answers (RFC 9110 section 15.2) a receiver may send before its answer. Node.js has no limit, and each costs time. */
const INTERIM_LIMIT = 10;

/**
 * Posts, and reads the beginning of the answer. Follows no redirect. Uses Node's own client, twice as fast as its `fetch`.
 *
 * @throws {Error} there was no answer: with the system's code, or the signal's reason
 */
export function post(request: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer> {
	return new Promise((resolve, reject) => {
		const posting = begin(request, signal);
		posting.on('response', (response) => resolve(read(response)));
		// We asked for no other protocol (RFC 9110 section 15.2.2). Without a listener neither answer nor error would follow.
		posting.on('upgrade', ({ statusCode }, socket) => {
			socket.destroy();
			resolve({ status: statusCode!, retryAfter: undefined, body: '' });
		});
		let interim = 0;
		posting.on('information', () => {
			if (++interim > INTERIM_LIMIT) posting.destroy(Object.assign(new Error(), { code: 'HTTP 1xx without end' }));
		});
		let readBefore = 0;
		posting.on('socket', ({ bytesRead }) => (readBefore = bytesRead));
		posting.on('error', (error) => {
			// The receiver closed a connection kept for the next lead, without an answer: that says nothing about the receiver.
			const unheard = posting.reusedSocket && posting.socket!.bytesRead === readBefore;
			if (unheard && !signal.aborted) resolve(post(request, signal));
			else reject(error);
		});
		posting.end(request.body);
	});
}

function begin({ url, headers, body }: WebhookRequest, signal: AbortSignal): ClientRequest {
	// An import would read every exported name, and one of them loads a whole client of WebSocket.
	const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
	const length = Buffer.byteLength(body);
	return request(url, {
		method: 'POST',
		headers: { accept: '*/*', 'user-agent': 'node', 'content-length': length, ...headers },
		signal,
	});
}

async function read(response: IncomingMessage): Promise<WebhookAnswer> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of response as AsyncIterable<Buffer>) {
		chunks.push(chunk);
		length += chunk.length;
		if (length >= ANSWER_LIMIT) break;
	}
	const body = Buffer.concat(chunks).toString('utf8', 0, ANSWER_LIMIT);
	return { status: response.statusCode!, retryAfter: secondsOf(response.headers['retry-after']), body };
}

/** Reads `Retry-After`: seconds or a date (RFC 9110 section 10.2.3). Some services write fractions of seconds. */
function secondsOf(retryAfter = ''): number | undefined {
	if (/^\d+(\.\d+)?$/.test(retryAfter)) return Math.ceil(Number(retryAfter));
	const wait = Math.ceil((Date.parse(retryAfter) - Date.now()) / 1000);
	return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
