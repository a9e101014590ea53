import * as z from 'zod';
import type { Message } from '../../message/message.ts';
import type { SendResult } from '../channel.ts';
import { fitBody, withEntities } from '../chat-message.ts';
import { jsonPost, judgeWith, readAnswer, unproven, type WebhookAnswer, type WebhookFormat } from '../webhook-format.ts';

/**
 * Google Chat: incoming webhooks (https://developers.google.com/workspace/chat/quickstart/webhooks).
 * Sends a card alone: Google Chat looks for mentions in a text, and nothing escapes them. A card is a kind of HTML.
 */
export const googleChat = {
	name: 'google-chat',
	recognises: ({ hostname }) => hostname === 'chat.googleapis.com',
	request: (message, { url, fullText }) => jsonPost(url, fitBody(message, fullText, bodyOf, fits)),
	judge,
} as const satisfies WebhookFormat;

/** The limit of a message, in bytes: https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages */
const BODY_LENGTH = 32_000;
const fits = (body: ReturnType<typeof bodyOf>) => Buffer.byteLength(JSON.stringify(body)) <= BODY_LENGTH;

function bodyOf({ id, subject, rows }: Message) {
	const title = { textParagraph: { text: `<b>${withEntities(subject)}</b>` } };
	const widgets = rows.map(({ label, value }) => ({
		decoratedText: { topLabel: label, text: withEntities(value), wrapText: true },
	}));
	return { cardsV2: [{ cardId: id, card: { sections: [{ widgets: [title, ...widgets] }] } }] };
}

const created = z.object({ name: z.string() });
const refusal = z.object({ error: z.object({ status: z.string().regex(/^[A-Z_]{1,60}$/) }) });

function judge(answer: WebhookAnswer): SendResult {
	const result = judgeWith(readAnswer(refusal, answer.body)?.error.status, answer);
	return result.ok && !readAnswer(created, answer.body) ? unproven(answer.status, 'a message') : result;
}
