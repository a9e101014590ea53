import * as z from 'zod';
import type { Message } from '../../message/message.ts';
import type { Row } from '../../message/row.ts';
import type { Delivery } from '../channel.ts';
import { fitted } from '../chat-message.ts';
import { jsonPost, judgeWith, readAnswer, unproven, type WebhookAnswer, type WebhookFormat } from '../webhook-format.ts';

/**
 * Mattermost: incoming webhooks (https://developers.mattermost.com/integrate/webhooks/incoming/), on a host of the
 * operator's own, so that no URL tells it.
 * Markdown, in which what a visitor writes is escaped.
 */
export const mattermost = {
	name: 'mattermost',
	request: (message, { url, fullText }) => jsonPost(url, fitted(message, fullText, bodyOf, fits)),
	judge,
} as const satisfies WebhookFormat;

/** The limit of a post, in characters (https://docs.mattermost.com). The server splits a longer one, even within an escape. */
const TEXT_LENGTH = 16_383;
const fits = ({ text }: ReturnType<typeof bodyOf>) => text.length <= TEXT_LENGTH;

const bodyOf = ({ subject, rows }: Message) => ({
	text: [`#### ${escapeMarkdown(subject)}`, ...rows.map(markdownOf)].join('\n'),
});

/** Several lines are set as a quotation, so that none of them can pose as a row of its own. */
function markdownOf({ label, value }: Row): string {
	const text = escapeMarkdown(value);
	return text.includes('\n') ? `**${label}:**\n${text.replace(/^/gm, '> ')}\n` : `**${label}:** ${text}`;
}

/** An invisible character: a mark followed by it no longer begins a mention, an emoji or the like. */
const WORD_JOINER = '\u2060';

function escapeMarkdown(text: string): string {
	return (
		text
			// As entities, since the server itself makes mentions and links of Slack's <!channel> and <url|text>.
			.replaceAll('&', '&amp;')
			.replaceAll('<', '&lt;')
			.replace(/[\\`*{}[\]()+\-.!_>|~]/g, '\\$&')
			// Mentions, hashtags, channels, emoji, web addresses: a backslash does not stop them. The @ within a mail address and the
			// colon of a time of day begin none.
			.replace(/(?<![A-Za-z0-9])[@#~]|:(?=\S)(?!(?<=\d:)\d)/g, `$&${WORD_JOINER}`)
			// A line that begins with = turns the line before it into a title; one that begins with four spaces is code.
			.replace(/^ *(?==)/gm, `$&${WORD_JOINER}`)
			.replace(/^ +/gm, (spaces) => '\u00A0'.repeat(spaces.length))
	);
}

/** The server's name for what was wrong, such as `web.incoming_webhook.invalid.app_error`. */
const refusal = z.object({ id: z.string().regex(/^[a-z_.]{1,100}$/) });

function judge(answer: WebhookAnswer): Delivery {
	const delivery = judgeWith(readAnswer(refusal, answer.body)?.id, answer);
	return delivery.ok && answer.body.trim() !== 'ok' ? unproven(answer.status, 'ok') : delivery;
}
