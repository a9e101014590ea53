import type { Message } from '../delivery/message.ts';
import { type Channel, type Delivery, failureOf } from './channel.ts';
import { chatMessage, withoutFreeText } from './chat-message.ts';
import type { Format, Target } from './format.ts';
import { post } from './post.ts';

/** Posts the lead to a URL that is itself the credential, and so is never named. */
export function webhook(name: string, format: Format, target: Target): Channel {
	return { name, send };

	async function send(message: Message, signal: AbortSignal): Promise<Delivery> {
		try {
			const chat = chatMessage(message);
			const shown = format.forPrograms || target.freeText ? chat : withoutFreeText(chat, target.fullText);
			const { retryAfter, ...answer } = await post(format.request(shown, target), signal);
			return format.judge({ ...answer, retryAfter: secondsOf(retryAfter) });
		} catch (error) {
			return failureOf(error, signal);
		}
	}
}

/** `Retry-After` is seconds or a date (RFC 9110 section 10.2.3); some write parts of seconds. */
function secondsOf(retryAfter: string | undefined): number | undefined {
	if (retryAfter === undefined) return undefined;
	if (/^\d+(\.\d+)?$/.test(retryAfter)) return Math.ceil(Number(retryAfter));
	const wait = Math.ceil((Date.parse(retryAfter) - Date.now()) / 1000);
	return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
