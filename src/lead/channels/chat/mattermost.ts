import * as z from 'zod';
import type { Message } from '../../message/message.ts';
import type { SendResult } from '../channel.ts';
import { fitBody } from '../chat-message.ts';
import { jsonPost, judgeWith, readAnswer, unproven, type WebhookAnswer, type WebhookFormat } from '../webhook-format.ts';
import type { Row } from '../../message/field-rows.ts';

/**
 * Mattermost: incoming webhooks (https://developers.mattermost.com/integrate/webhooks/incoming/), on the operator's own
 * host, so that no URL identifies it.
 * Sends Markdown, with the visitor's text escaped.
 */
export const mattermost = {
	name: 'mattermost',
	request: (message, { url, fullText }) => jsonPost(url, fitBody(message, fullText, bodyOf, fits)),
	judge,
} as const satisfies WebhookFormat;

/** The limit of a post, in characters (https://docs.mattermost.com). The server splits a longer one, even within an escape. */
const TEXT_LENGTH = 16_383;
const fits = ({ text }: ReturnType<typeof bodyOf>) => text.length <= TEXT_LENGTH;

const bodyOf = ({ subject, rows }: Message) => ({
	text: [`#### ${escapeMarkdown(subject)}`, ...rows.map(markdownOf)].join('\n'),
});

/** Writes several lines as a quotation, so that none of them can pose as a row. */
function markdownOf({ label, value }: Row): string {
	const text = escapeMarkdown(value);
	return text.includes('\n') ? `**${label}:**\n${text.replace(/^/gm, '> ')}\n` : `**${label}:** ${text}`;
}

/** An invisible character: a sign that it follows no longer begins a mention, an emoji or the like. */
const WORD_JOINER = '\u2060';

function escapeMarkdown(text: string): string {
	return (
		text
			// As entities, because the server itself makes mentions and links of Slack's <!channel> and <url|text>.
			.replaceAll('&', '&amp;')
			.replaceAll('<', '&lt;')
			.replace(/[\\`*{}[\]()+\-.!_>|~]/g, '\\$&')
			// Mentions, hashtags, channels, emoji, web addresses: a backslash does not stop them. The @ in a mail address and the
			// colon in a time of day begin none.
			.replace(/(?<![A-Za-z0-9])[@#~]|:(?=\S)(?!(?<=\d:)\d)/g, `$&${WORD_JOINER}`)
			// A line that begins with = turns the line before it into a title; one that begins with four spaces is code.
			.replace(/^ *(?==)/gm, `$&${WORD_JOINER}`)
			.replace(/^ +/gm, (spaces) => '\u00A0'.repeat(spaces.length))
	);
}

/** The server's name for a fault, such as `web.incoming_webhook.invalid.app_error`. */
const refusal = z.object({ id: z.string().regex(/^[a-z_.]{1,100}$/) });

function judge(answer: WebhookAnswer): SendResult {
	const result = judgeWith(readAnswer(refusal, answer.body)?.id, answer);
	return result.ok && answer.body.trim() !== 'ok' ? unproven(answer.status, 'ok') : result;
}
