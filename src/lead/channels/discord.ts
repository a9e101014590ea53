import * as z from 'zod';
import type { Message, Row } from '../delivery/message.ts';
import { fitted } from './chat-message.ts';
import type { Delivery } from './channel.ts';
import { type Format, judgeWith, postJson, readAnswer, unlike, type WebhookAnswer } from './format.ts';

/**
 * Discord: webhooks (https://docs.discord.com/developers/resources/webhook#execute-webhook).
 * One embed, in which nobody can be mentioned; its Markdown is escaped.
 */
export const discord = {
	name: 'discord',
	hosts: ['discord.com', 'discordapp.com', '.discord.com', '.discordapp.com'],
	request: (message, { url, fullText }) => postJson(waiting(url), JSON.stringify(fitted(message, fullText, bodyOf, fits))),
	judge,
} as const satisfies Format;

/** Without `wait`, a message that is dropped gives no error. */
function waiting(url: URL): URL {
	const waiting = new URL(url);
	waiting.searchParams.set('wait', 'true');
	return waiting;
}

function bodyOf({ subject, rows, receivedAt }: Message) {
	const message = rows.find(isFreeText);
	const embed = {
		title: escapeMarkdown(subject),
		description: message && escapeMarkdown(message.value),
		fields: rows
			.filter((row) => !isFreeText(row))
			.map(({ label, value }) => ({ name: label, value: escapeMarkdown(value), inline: true })),
		timestamp: receivedAt,
	};
	return { embeds: [embed] as const, allowed_mentions: { parse: [] } };
}

/** It may be longer than a field of an embed. */
const isFreeText = ({ name }: Row) => name === 'message';

/** https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
function fits({ embeds: [{ title, description = '', fields }] }: ReturnType<typeof bodyOf>): boolean {
	const total = [title, description, ...fields.flatMap(({ name, value }) => [name, value])].join('').length;
	return total <= 6000 && title.length <= 256 && description.length <= 4096 && fields.every(({ value }) => value.length <= 1024);
}

/** A backslash takes the meaning of punctuation: everywhere, and of what makes a list at the start of a line. */
const escapeMarkdown = (text: string) =>
	text.replace(/[\\*_~`|<>[\]()#@:]/g, '\\$&').replace(/^([^\S\n]*)([-+])|^([^\S\n]*\d+)(\.)/gm, '$1$3\\$2$4');

const created = z.object({ id: z.string() });
const refusal = z.object({ code: z.number().optional(), retry_after: z.number().nonnegative().optional() });

function judge(answer: WebhookAnswer): Delivery {
	const refused = readAnswer(refusal, answer.body);
	const retryAfter = refused?.retry_after === undefined ? answer.retryAfter : Math.ceil(refused.retry_after);
	const delivery = judgeWith(refused?.code && `code ${refused.code}`, { ...answer, retryAfter });
	return delivery.ok && !readAnswer(created, answer.body) ? unlike(answer.status, 'a message') : delivery;
}
