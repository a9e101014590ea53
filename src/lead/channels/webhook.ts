import type { Message } from '../message/message.ts';
import { type Channel, type Delivery, failureOf } from './channel.ts';
import { chatMessage, withoutFreeText } from './chat-message.ts';
import type { WebhookAnswer, WebhookFormat, WebhookRequest, WebhookTarget } from './webhook-format.ts';
import type { ClientRequest, IncomingMessage } from 'node:http';

/** Posts the lead to a URL that is itself the credential, and so is never named. */
export function webhook(name: string, format: WebhookFormat, target: WebhookTarget): Channel {
	return { name, send };

	async function send(message: Message, signal: AbortSignal): Promise<Delivery> {
		try {
			const chat = chatMessage(message);
			const shown = format.forPrograms || target.freeText ? chat : withoutFreeText(chat, target.fullText);
			return format.judge(await post(format.request(shown, target), signal));
		} catch (error) {
			return failureOf(error, signal);
		}
	}
}

/** In bytes. Services answer a word, a line of JSON, or the message that they made of it. */
const ANSWER_LIMIT = 131_072;

/**
 * Posts, and reads the beginning of the answer. Follows no redirect. By Node's own client, which takes half the time of its `fetch`.
 *
 * @throws {Error} there was no answer: with the system's code, or the reason of the signal
 */
function post(request: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer> {
	return new Promise((resolve, reject) => {
		const posting = begin(request, signal);
		posting.on('response', (response) => resolve(read(response)));
		// Nobody asked for another protocol (RFC 9110 section 15.2.2). Without a listener neither answer nor error would follow.
		posting.on('upgrade', ({ statusCode }, socket) => {
			socket.destroy();
			resolve({ status: statusCode!, retryAfter: undefined, body: '' });
		});
		let readBefore = 0;
		posting.on('socket', ({ bytesRead }) => (readBefore = bytesRead));
		posting.on('error', (error) => {
			// The receiver has closed a connection that was kept for the next lead, and answered nothing: that is no news of the receiver.
			const unheard = posting.reusedSocket && posting.socket!.bytesRead === readBefore;
			if (unheard && !signal.aborted) resolve(post(request, signal));
			else reject(error);
		});
		posting.end(request.body);
	});
}

function begin({ url, headers, body }: WebhookRequest, signal: AbortSignal): ClientRequest {
	// Not by `import`, which src/server/node-http.ts tells the price of.
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

/** `Retry-After` is seconds or a date (RFC 9110 section 10.2.3); some write parts of seconds. */
function secondsOf(retryAfter = ''): number | undefined {
	if (/^\d+(\.\d+)?$/.test(retryAfter)) return Math.ceil(Number(retryAfter));
	const wait = Math.ceil((Date.parse(retryAfter) - Date.now()) / 1000);
	return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
