import type { Message } from '../message.ts';
import { type Channel, type Delivery, failureOf } from './channel.ts';
import { chatMessage, withoutFreeText } from './chat-message.ts';
import type { Format, Target } from './format.ts';

/** In bytes. Services answer a word, a line of JSON, or the message that they made of it. */
const ANSWER_LIMIT = 131_072;

/** Posts the lead to a URL that is itself the credential, and so is never named. */
export function webhook(name: string, format: Format, target: Target): Channel {
	return { name, send };

	async function send(message: Message, signal: AbortSignal): Promise<Delivery> {
		try {
			const chat = chatMessage(message);
			const shown = format.forPrograms || target.freeText ? chat : withoutFreeText(chat, target.fullText);
			const { url, ...request } = format.request(shown, target);
			const response = await fetch(url, { method: 'POST', redirect: 'manual', signal, ...request });
			return format.judge({
				status: response.status,
				body: isShort(response) ? await response.text() : await beginningOf(response.body),
				retryAfter: secondsOf(response.headers.get('retry-after')),
			});
		} catch (error) {
			return failureOf(error, signal);
		}
	}
}

/** To read all of it at once costs less. What is compressed may be long all the same. */
const isShort = ({ headers }: Response) =>
	!headers.has('content-encoding') && Number(headers.get('content-length') ?? Infinity) <= ANSWER_LIMIT;

/** Reads no further than the limit; leaving the loop ends the download. */
async function beginningOf(body: AsyncIterable<Uint8Array> | null): Promise<string> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of body ?? []) {
		chunks.push(chunk);
		length += chunk.length;
		if (length >= ANSWER_LIMIT) break;
	}
	return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, ANSWER_LIMIT));
}

/** `Retry-After` is seconds or a date (RFC 9110 section 10.2.3); some write parts of seconds. */
function secondsOf(retryAfter: string | null): number | undefined {
	if (retryAfter === null) return undefined;
	if (/^\d+(\.\d+)?$/.test(retryAfter)) return Math.ceil(Number(retryAfter));
	const wait = Math.ceil((Date.parse(retryAfter) - Date.now()) / 1000);
	return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
