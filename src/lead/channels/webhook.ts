import type { Message } from '../delivery/message.ts';
import { type Channel, type Delivery, failureOf } from './channel.ts';
import { chatMessage, withoutFreeText } from './chat-message.ts';
import { post } from './post.ts';
import type { WebhookFormat, WebhookTarget } from './webhook-format.ts';

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
