import type { Message } from '../delivery/message.ts';
import type { Delivery } from './channel.ts';
import { fitted } from './chat-message.ts';
import { type Format, judgeWith, postJson, unlike, type WebhookAnswer } from './format.ts';
import { mailto } from './mailto.ts';

/**
 * Slack: incoming webhooks (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks).
 * Values stand in `plain_text` objects, where neither mentions nor links mean anything.
 */
export const slack = {
	name: 'slack',
	hosts: ['hooks.slack.com', 'hooks.slack-gov.com'],
	request: (message, { url, fullText }) => postJson(url, JSON.stringify(fitted(message, fullText, bodyOf, fits))),
	judge,
} as const satisfies Format;

/** Of the blocks together, in characters: Slack refuses some 13,200 (slackapi/bolt-js#2509). */
const TEXT_LENGTH = 13_000;
/** Of one section: 1,500 code points are at most the 3,000 characters that it may have, however Slack counts. */
const section = /[^]{1,1499}(?:\n|$)|[^]{1,1500}/gu;

function bodyOf({ subject, text, replyTo }: Message) {
	const sections = text.match(section)?.filter((part) => part.trim()) ?? [];
	return {
		// For notifications; the blocks are what is shown.
		text: escapeText(subject),
		mrkdwn: false,
		blocks: [
			{ type: 'header', text: plainText(subject) },
			...sections.map((part) => ({ type: 'section', text: plainText(part) })),
			...(replyTo ? [{ type: 'section', text: { type: 'mrkdwn', text: `<${mailto(replyTo.address)}|Write an answer>` } }] : []),
		],
		unfurl_links: false,
		unfurl_media: false,
	};
}

/** Of text objects https://docs.slack.dev/reference/block-kit/composition-objects/text-object, header 150 and 50 blocks beside. */
function fits({ text, blocks }: ReturnType<typeof bodyOf>): boolean {
	return blocks.length <= 50 && text.length + blocks.map((block) => block.text.text).join('').length <= TEXT_LENGTH;
}

const plainText = (text: string) => ({ type: 'plain_text', text, emoji: false });

/** https://docs.slack.dev/messaging/formatting-message-text#escaping */
const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** How Slack names what was wrong, as plain text, e.g. `invalid_payload`. */
const errorWord = /^[a-z]+(_[a-z]+)+$/;

function judge(answer: WebhookAnswer): Delivery {
	const body = answer.body.trim();
	const word = errorWord.test(body) ? body : undefined;
	const delivery = judgeWith(word, answer);
	if (!delivery.ok || body === 'ok') return delivery;
	return word ? { ok: false, permanent: true, reason: `HTTP ${answer.status} ${word}` } : unlike(answer.status, 'ok');
}
