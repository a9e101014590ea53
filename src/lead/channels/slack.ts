import type { Message } from '../message.ts';
import { truncate } from '../truncate.ts';
import type { Delivery } from './channel.ts';
import { type Format, judgeStatus, postJson, type WebhookAnswer } from './format.ts';

/**
 * Slack: incoming webhooks (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks).
 * Values stand in `plain_text` objects, where neither mentions nor links mean anything.
 */
export const slack = {
	name: 'slack',
	hosts: ['hooks.slack.com', 'hooks.slack-gov.com'],
	request: (message, { url }) => postJson(url, JSON.stringify(slackMessage(message))),
	judge,
} as const satisfies Format;

/** Of a header block, in characters. */
const HEADER_LENGTH = 150;
/** Of the sections together: Slack refuses some 13,200 characters in all (slackapi/bolt-js#2509). */
const TEXT_LENGTH = 12_000;
/** Of one section: 1,500 code points are at most the 3,000 characters that it may have, however Slack counts. */
const section = /[^]{1,1499}(?:\n|$)|[^]{1,1500}/gu;

function slackMessage({ subject, text }: Message) {
	const sections = truncate(text, TEXT_LENGTH, '\n… (shortened: too long for Slack)').match(section) ?? [];
	const visible = sections.filter((part) => part.trim());
	return {
		// For notifications; the blocks are what is shown.
		text: escapeText(subject),
		blocks: [
			{ type: 'header', text: plainText(truncate(subject, HEADER_LENGTH)) },
			...visible.map((part) => ({ type: 'section', text: plainText(part) })),
		],
		unfurl_links: false,
		unfurl_media: false,
	};
}

const plainText = (text: string) => ({ type: 'plain_text', text, emoji: false });

/** https://docs.slack.dev/messaging/formatting-message-text#escaping */
const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** How Slack names what was wrong, as plain text, e.g. `invalid_payload`. */
const errorWord = /^[a-z]+(_[a-z]+)+$/;

function judge(answer: WebhookAnswer): Delivery {
	const delivery = judgeStatus(answer);
	const body = answer.body.trim();
	if (delivery.ok && body === 'ok') return delivery;
	const refused = errorWord.test(body);
	const reason = `HTTP ${answer.status} ${refused ? body : 'without ok'}`;
	return delivery.ok ? { ok: false, permanent: refused, reason } : { ...delivery, reason };
}
