import * as z from 'zod';
import type { Message } from '../delivery/message.ts';
import type { Delivery } from './channel.ts';
import { fitted } from './chat-message.ts';
import { type Format, judgeWith, postJson, readAnswer, unlike, type WebhookAnswer } from './format.ts';

/**
 * Google Chat: incoming webhooks (https://developers.google.com/workspace/chat/quickstart/webhooks).
 * A card and no text: a text knows mentions and has no way to escape them, a card is HTML.
 */
export const googleChat = {
	name: 'google-chat',
	hosts: ['chat.googleapis.com'],
	request: (message, { url, fullText }) => postJson(url, JSON.stringify(fitted(message, fullText, bodyOf, fits))),
	judge,
} as const satisfies Format;

/** In bytes, text and cards together: https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages */
const BODY_LENGTH = 32_000;
const fits = (body: ReturnType<typeof bodyOf>) => Buffer.byteLength(JSON.stringify(body)) <= BODY_LENGTH;

function bodyOf({ id, subject, rows }: Message) {
	const title = { textParagraph: { text: `<b>${escapeHtml(subject)}</b>` } };
	const widgets = rows.map(({ label, value }) => ({
		decoratedText: { topLabel: label, text: escapeHtml(value), wrapText: true },
	}));
	return { cardsV2: [{ cardId: id, card: { sections: [{ widgets: [title, ...widgets] }] } }] };
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const created = z.object({ name: z.string() });
const refusal = z.object({ error: z.object({ status: z.string().regex(/^[A-Z_]{1,60}$/) }) });

function judge(answer: WebhookAnswer): Delivery {
	const delivery = judgeWith(readAnswer(refusal, answer.body)?.error.status, answer);
	return delivery.ok && !readAnswer(created, answer.body) ? unlike(answer.status, 'a message') : delivery;
}
