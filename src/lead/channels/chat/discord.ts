import * as z from 'zod';
import type { Message } from '../../message/message.ts';
import { fitBody } from '../chat-message.ts';
import type { SendResult } from '../channel.ts';
import { jsonPost, judgeWith, readAnswer, unproven, type WebhookAnswer, type WebhookFormat } from '../webhook-format.ts';

/**
 * Discord: webhooks (https://docs.discord.com/developers/resources/webhook#execute-webhook).
 * Sends one embed, which mentions nobody, with its Markdown escaped.
 */
export const discord = {
	name: 'discord',
	recognises: ({ hostname }) => /(^|\.)discord(app)?\.com$/.test(hostname),
	request: (message, { url, fullText }) => jsonPost(waiting(url), fitBody(message, fullText, bodyOf, fits)),
	judge,
} as const satisfies WebhookFormat;

/** Asks Discord to answer after storing the message. Otherwise it answers 204 at once, even to a message that it then drops. */
function waiting(url: URL): URL {
	const waiting = new URL(url);
	waiting.searchParams.set('wait', 'true');
	return waiting;
}

function bodyOf({ subject, rows, receivedAt }: Message) {
	// The visitor's message is the description, which may be longer than a field of an embed.
	const message = rows.find(({ freeText }) => freeText);
	const embed = {
		title: escapeMarkdown(subject),
		description: message && escapeMarkdown(message.value),
		fields: rows
			.filter((row) => row !== message)
			.map(({ label, value }) => ({ name: label, value: escapeMarkdown(value), inline: true })),
		timestamp: receivedAt,
	};
	return { embeds: [embed] as const, allowed_mentions: { parse: [] } };
}

/** https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
function fits({ embeds: [{ title, description = '', fields }] }: ReturnType<typeof bodyOf>): boolean {
	const total = [title, description, ...fields.flatMap(({ name, value }) => [name, value])].join('').length;
	return total <= 6000 && title.length <= 256 && description.length <= 4096 && fields.every(({ value }) => value.length <= 1024);
}

/** Escapes punctuation that is markup: some anywhere; `-`, `+` and `1.` at the start of a line, where they make lists. */
const escapeMarkdown = (text: string) =>
	text.replace(/[\\*_~`|<>[\]()#@:]/g, '\\$&').replace(/^([^\S\n]*)([-+])|^([^\S\n]*\d+)(\.)/gm, '$1$3\\$2$4');

const created = z.object({ id: z.string() });
const refusal = z.object({ code: z.number().optional(), retry_after: z.number().nonnegative().optional() });

function judge(answer: WebhookAnswer): SendResult {
	const refused = readAnswer(refusal, answer.body);
	const retryAfter = refused?.retry_after === undefined ? answer.retryAfter : Math.ceil(refused.retry_after);
	const result = judgeWith(refused?.code && `code ${refused.code}`, { ...answer, retryAfter });
	return result.ok && !readAnswer(created, answer.body) ? unproven(answer.status, 'a message') : result;
}
