import { wordsIn } from '../../../facts/load.ts';
import type { Message } from '../../message/message.ts';
import type { SendResult } from '../channel.ts';
import { fitBody, withEntities } from '../chat-message.ts';
import { jsonPost, judgeWith, unproven, type WebhookAnswer, type WebhookFormat } from '../webhook-format.ts';
import { mailto } from '../../email-address.ts';

/**
 * Slack: incoming webhooks (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks).
 * Values stand in `plain_text` objects, which have no mentions and no links.
 */
export const slack = {
	name: 'slack',
	recognises: ({ hostname }) => ['hooks.slack.com', 'hooks.slack-gov.com'].includes(hostname),
	request: (message, { url, fullText }) => jsonPost(url, fitBody(message, fullText, bodyOf, fits)),
	judge,
} as const satisfies WebhookFormat;

/** The limit of all texts of a message together, in characters: Slack refuses about 13,200 (slackapi/bolt-js#2509). */
const TEXT_LENGTH = 13_000;
/** Matches a section's text, up to a line end if any: 1,500 code points, so at most 3,000 UTF-16 code units, the limit. */
const section = /[^]{1,1499}(?:\n|$)|[^]{1,1500}/gu;

function bodyOf({ language, subject, text, replyTo }: Message) {
	const { answer } = wordsIn(language).team;
	const sections = [...text.matchAll(section)].map(([part]) => part).filter((part) => part.trim());
	return {
		// Notifications show this text; the message itself shows the blocks.
		text: withEntities(subject),
		mrkdwn: false,
		blocks: [
			{ type: 'header', text: plainText(subject) },
			...sections.map((part) => ({ type: 'section', text: plainText(part) })),
			...(replyTo
				? [{ type: 'section', text: { type: 'mrkdwn', text: `<${mailto(replyTo.address)}|${withEntities(answer)}>` } }]
				: []),
		],
		unfurl_links: false,
		unfurl_media: false,
	};
}

/**
 * The subject, of at most 120 characters, is within the 150 of a header. Sections are cut to their limit, and a text of this
 * length makes fewer than the 50 that Slack allows.
 */
const fits = ({ text, blocks }: ReturnType<typeof bodyOf>): boolean =>
	text.length + blocks.map((block) => block.text.text).join('').length <= TEXT_LENGTH;

const plainText = (text: string) => ({ type: 'plain_text', text, emoji: false });

/** The plain text in which Slack names a fault, e.g. `invalid_payload`. */
const errorWord = /^[a-z]+(_[a-z]+)+$/;

function judge(answer: WebhookAnswer): SendResult {
	const body = answer.body.trim();
	const word = errorWord.test(body) ? body : undefined;
	const result = judgeWith(word, answer);
	if (!result.ok || body === 'ok') return result;
	return word ? { ok: false, permanent: true, reason: `HTTP ${answer.status} ${word}` } : unproven(answer.status, 'ok');
}
