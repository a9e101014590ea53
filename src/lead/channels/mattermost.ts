import * as z from 'zod';
import type { Message, Row } from '../delivery/message.ts';
import type { Delivery } from './channel.ts';
import { fitted } from './chat-message.ts';
import { type Format, judgeWith, postJson, readAnswer, unlike, type WebhookAnswer } from './format.ts';

/**
 * Mattermost: incoming webhooks (https://developers.mattermost.com/integrate/webhooks/incoming/), wherever the server stands.
 * Markdown, in which what a visitor writes is escaped.
 */
export const mattermost = {
	name: 'mattermost',
	hosts: [],
	request: (message, { url, fullText }) => postJson(url, JSON.stringify(fitted(message, fullText, bodyOf, fits))),
	judge,
} as const satisfies Format;

/** Of a post, in characters (https://docs.mattermost.com). The server splits what is longer, between any two of them. */
const TEXT_LENGTH = 16_383;
const fits = ({ text }: ReturnType<typeof bodyOf>) => text.length <= TEXT_LENGTH;

const bodyOf = ({ subject, rows }: Message) => ({
	text: [`#### ${escapeMarkdown(subject)}`, ...rows.map(markdownOf)].join('\n'),
});

/** Several lines are a quotation, each with its own mark. */
function markdownOf({ label, value }: Row): string {
	const text = escapeMarkdown(value);
	return text.includes('\n') ? `**${label}:**\n${text.replace(/^/gm, '> ')}\n` : `**${label}:** ${text}`;
}

/** Nobody sees it: what it stands in is no longer the word that Mattermost looks for. */
const WORD_JOINER = '\u2060';

function escapeMarkdown(text: string): string {
	return (
		text
			// As entities, since the server itself makes mentions and links of Slack's <!channel> and <url|text>.
			.replaceAll('&', '&amp;')
			.replaceAll('<', '&lt;')
			.replace(/[\\`*{}[\]()+\-.!_>|~]/g, '\\$&')
			// People, hashtags, channels, emoji, addresses of the web: a backslash does not stop them. What stands in a mail address, or in
			// a time of day, is none of them.
			.replace(/(?<![A-Za-z0-9])[@#~]|:(?=\S)(?!(?<=\d:)\d)/g, `$&${WORD_JOINER}`)
			// A line of = makes a title of the one before; four spaces make code.
			.replace(/^ *(?==)/gm, `$&${WORD_JOINER}`)
			.replace(/^ +/gm, (spaces) => '\u00A0'.repeat(spaces.length))
	);
}

/** Names of the server's own, such as `web.incoming_webhook.invalid.app_error`. */
const refusal = z.object({ id: z.string().regex(/^[a-z_.]{1,100}$/) });

function judge(answer: WebhookAnswer): Delivery {
	const delivery = judgeWith(readAnswer(refusal, answer.body)?.id, answer);
	return delivery.ok && answer.body.trim() !== 'ok' ? unlike(answer.status, 'ok') : delivery;
}
