import * as z from 'zod';
import { answerLinks, type Message } from './message.ts';
import { fullNumber, indented, isolated } from './rows.ts';
import { format, readAnswer } from './webhook-format.ts';

/** Discord (https://docs.discord.com/developers/resources/webhook#execute-webhook): embeds without mentions, their Markdown escaped. */
const discord = format({
	name: 'discord',
	recognises: ({ hostname }) => /(^|\.)discord(app)?\.com$/.test(hostname),
	// Without `wait` Discord answers 204 at once, even to a message that it then drops. Without `with_components` it shows no buttons.
	addressOf: (url) => withQuery(url, { wait: 'true', with_components: 'true' }),
	// Signs that are markup: most of them anywhere; `-`, `+` and `1.` at the start of a line, where they make lists.
	escape: (text) => text.replace(/[\\*_~`|<>[\]()#@:]/g, '\\$&').replace(/^([^\S\n]*)([-+])|^([^\S\n]*\d+)(\.)/gm, '$1$3\\$2$4'),
	bodyOf({ subject, rows, receivedAt, actions }) {
		// A lead's message is the description, which may be longer than a field of an embed.
		const message = rows.find(({ name }) => name === 'message');
		const others = rows.filter((row) => row !== message);
		const fields = others.map(({ label: name, value }) => ({ name, value, inline: !value.includes('\n') }));
		// A notice of many leads has more than the 25 fields of an embed.
		const more = fields.length > 25 ? [{ fields: fields.splice(25) }] : [];
		const embed = { title: subject, description: message?.value, fields, timestamp: receivedAt };
		const components = actions && [{ type: 1, components: actions.map(({ label, url }) => ({ type: 2, style: 5, label, url })) }];
		return { embeds: [embed, ...more] as const, components, allowed_mentions: { parse: [] } };
	},
	// An escaped subject is within the 256 of a title (https://docs.discord.com/developers/resources/message#embed-object-embed-limits).
	sizes({ embeds }) {
		const { title, description = '' } = embeds[0];
		const fields = embeds.flatMap((embed) => embed.fields);
		const all = [title, description, ...fields.flatMap(({ name, value }) => [name, value])].join('');
		return [[all.length, 6000], [description.length, 4096], ...fields.map(({ value }): [number, number] => [value.length, 1024])];
	},
	proof: 'a message',
	read(body) {
		const { id, code } = readAnswer(z.object({ id: z.string(), code: z.number() }).partial(), body) ?? {};
		return { accepted: id !== undefined, fault: code === undefined ? undefined : `code ${code}` };
	},
});

const withQuery = (url: URL, more: Record<string, string>) =>
	new URL(`?${new URLSearchParams({ ...Object.fromEntries(url.searchParams), ...more }).toString()}`, url);

const withEntities = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Google Chat: incoming webhooks (https://developers.google.com/workspace/chat/quickstart/webhooks).
 * Sends a card alone: Google Chat looks for mentions in a text, where they cannot be escaped. A card is a kind of HTML.
 */
const googleChat = format({
	name: 'google-chat',
	recognises: ({ hostname }) => hostname === 'chat.googleapis.com',
	// Each lead has a thread. Without this, a message in the thread of another is refused.
	addressOf: (url) => withQuery(url, { messageReplyOption: 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD' }),
	escape: withEntities,
	bodyOf({ id, thread = id, subject, rows, actions }) {
		const title = { textParagraph: { text: `<b>${subject}</b>` } };
		const widgets = rows.map(({ label, value }) => ({ decoratedText: { topLabel: label, text: value, wrapText: true } }));
		const buttons = actions?.map(({ label, url }) => ({ text: label, onClick: { openLink: { url } } }));
		const list = buttons ? [{ buttonList: { buttons } }] : [];
		const card = { sections: [{ widgets: [title, ...widgets, ...list] }] };
		return { cardsV2: [{ cardId: id, card }], thread: { threadKey: thread } };
	},
	// https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages
	sizes: (_, sent) => [[Buffer.byteLength(sent), 32_000]],
	proof: 'a message',
	read: (body) => ({
		accepted: readAnswer(z.object({ name: z.string() }), body) !== undefined,
		fault: readAnswer(z.object({ error: z.object({ status: z.string().regex(/^[A-Z_]{1,60}$/) }) }), body)?.error.status,
	}),
});

/** Mattermost (https://developers.mattermost.com/integrate/webhooks/incoming/): Markdown. Any host may run it, so no URL is recognised. */
const mattermost = format({
	name: 'mattermost',
	escape: (text) =>
		text
			// As entities, because the server itself makes mentions and links of Slack's <!channel> and <url|text>.
			.replaceAll('&', '&amp;')
			.replaceAll('<', '&lt;')
			.replace(/[\\`*{}[\]()+\-.!_>|~]/g, '\\$&')
			// Mentions, hashtags, channels, emoji, web addresses: a backslash does not stop them. The @ in a mail address and the
			// colon in a time of day begin none of these.
			.replace(/(?<![A-Za-z0-9])[@#~]|:(?=\S)(?!(?<=\d:)\d)/g, `$&${WORD_JOINER}`)
			// A line that begins with = turns the line before it into a title; one that begins with four spaces is code.
			.replace(/^ *(?==)/gm, `$&${WORD_JOINER}`)
			.replace(/^ +/gm, (spaces) => '\u00A0'.repeat(spaces.length)),
	// Several lines are a quotation, so that none of them can pose as a row.
	bodyOf: ({ subject, rows, actions = [] }) => ({
		text: [
			rows.length > 0 ? `#### ${subject}` : subject,
			...rows.map(({ label, value }) =>
				value.includes('\n') ? `**${label}:**\n${value.replace(/^/gm, '> ')}\n` : `**${label}:** ${isolated(value, label)}`,
			),
			actions.map(({ label, url }) => `[${label}](${url})`).join(' · '),
		].join('\n'),
	}),
	// In characters (https://docs.mattermost.com). The server splits a longer post, even within an escape.
	sizes: ({ text }) => [[text.length, 16_383]],
	proof: 'ok',
	// Mattermost's name for a fault, such as `web.incoming_webhook.invalid.app_error`.
	read: (body) => ({
		accepted: body.trim() === 'ok',
		fault: readAnswer(z.object({ id: z.string().regex(/^[a-z_.]{1,100}$/) }), body)?.id,
	}),
});

/** An invisible character: a sign that it follows no longer begins a mention, an emoji or the like. */
const WORD_JOINER = '\u2060';

/**
 * Slack: incoming webhooks (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks).
 * Values are in `plain_text` objects, which have no mentions and no links.
 */
const slack = format({
	name: 'slack',
	recognises: ({ hostname }) => ['hooks.slack.com', 'hooks.slack-gov.com'].includes(hostname),
	bodyOf(message) {
		const { subject, text, actions = [] } = message;
		const parts = Array.from(text.matchAll(SLACK_SECTION), ([part]) => part);
		// The rest of a line is indented: at the beginning of a section it could pose as a row.
		const safe = parts.map((part, index) => (index === 0 || parts[index - 1]!.endsWith('\n') ? part : `  ${part}`));
		const sections = safe.filter((part) => part.trim());
		// Slack wants an answer to each press of a button, which a webhook cannot give, and shows a warning without it.
		const links = [...answerLinks(message), ...actions].map(({ label, url }) => `<${withEntities(url)}|${withEntities(label)}>`);
		return {
			// Notifications show this text; the message itself shows the blocks.
			text: withEntities(subject),
			mrkdwn: false,
			blocks: [
				{ type: 'header', text: plainText(subject) },
				...sections.map((part) => ({ type: 'section', text: plainText(part) })),
				...(links.length > 0 ? [{ type: 'section', text: { type: 'mrkdwn', text: links.join(' · ') } }] : []),
			],
			unfurl_links: false,
			unfurl_media: false,
		};
	},
	// All texts together, in characters: Slack refuses about 13,200 (slackapi/bolt-js#2509). The subject, of at most 120, is within
	// the 150 of a header, and a text of this length makes fewer than the 50 sections that Slack allows.
	sizes: ({ text, blocks }) => [[[text, ...blocks.map((block) => block.text.text)].join('').length, 13_000]],
	proof: 'ok',
	read(body) {
		// Slack's name for a fault is plain text, such as `invalid_payload`, and may come with 200.
		const [fault] = /^[a-z]+(_[a-z]+)+$/.exec(body.trim()) ?? [];
		return { accepted: body.trim() === 'ok', fault, status: fault === undefined ? undefined : 400 };
	},
});

/**
 * Matches the text of a section: up to the end of a line or, if the line is too long, between two signs if it can. Slack's limit is
 * 3,000 UTF-16 code units, so 1,498 code points and two spaces always fit.
 */
const SLACK_SECTION =
	/[^]{1,1497}(?:\n|$)|[^]{1,1498}(?<!\p{Default_Ignorable_Code_Point})(?![\p{M}\p{Default_Ignorable_Code_Point}])|[^]{1,1498}/gu;

const plainText = (text: string) => ({ type: 'plain_text', text, emoji: false });

/**
 * Microsoft Teams: a flow of Workflows that a webhook triggers, and that posts the Adaptive Card it receives
 * (https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook). Rows are columns of
 * text runs, which have no Markdown. Facts of a FactSet have, and phones ignore its backslashes (microsoft/AdaptiveCards#5590).
 * A card's links open https only (MicrosoftDocs/msteams-docs#3677), so it has no other.
 */
const teams = format({
	name: 'teams',
	recognises: ({ hostname }) => /\.(environment\.api\.powerplatform|logic\.azure)\.com$/.test(hostname),
	// Cards replace `{{DATE(…)}}` with a date, even in plain text.
	escape: (text) => text.replace(/\{(?=\{(DATE|TIME)\()/gi, `{${WORD_JOINER}`),
	bodyOf({ subject, rows, actions }) {
		const content = {
			$schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
			type: 'AdaptiveCard',
			version: '1.4',
			body: [
				richText(subject, { size: 'Large', weight: 'Bolder' }),
				...rows.map(({ label, value }) => ({
					type: 'ColumnSet',
					spacing: 'Small',
					columns: [column(1, richText(label, { weight: 'Bolder' })), column(3, richText(value))],
				})),
			],
			actions: actions?.map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url })),
		};
		const contentType = 'application/vnd.microsoft.card.adaptive';
		return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] };
	},
	// A flow takes about 28 KB, including its own additions; cards above 21 KB have been refused.
	sizes: (_, sent) => [[Buffer.byteLength(sent), 20_000]],
	proof: 'success',
	read(body) {
		const fault = readAnswer(z.object({ error: z.object({ code: z.string().regex(/^[A-Za-z]{1,60}$/) }) }), body)?.error.code;
		// A flow that posts through a connector hides the failure in an answer of 200. A proxy answers with a page.
		const [, status = ''] = /HTTP error (\d{3})/.exec(body) ?? [];
		return { accepted: fault === undefined && !/\b(error|failed)\b|^\s*</i.test(body), fault, status: Number(status) };
	},
});

const column = (width: number, item: object) => ({ type: 'Column', width, items: [item] });

const richText = (text: string, style: Record<string, string> = {}) => ({
	type: 'RichTextBlock',
	inlines: [{ type: 'TextRun', text, ...style }],
});

/**
 * Telegram: `sendMessage` of the Bot API (https://core.telegram.org/bots/api#sendmessage). The URL holds the chat as `?chat_id=`,
 * and one of its topics as `&message_thread_id=`.
 *
 * Without a parse mode a text has no markup, but Telegram still looks for mentions, commands, hashtags and links. It does not
 * look inside code, so values are code. A plain mail address and a full phone number stay plain, and become links.
 */
const telegram = format({
	name: 'telegram',
	recognises: ({ hostname }) => hostname === 'api.telegram.org',
	faultOf: ({ pathname, searchParams }) =>
		/^\/bot[^/]+\/sendMessage$/i.test(pathname) && searchParams.get('chat_id')
			? undefined
			: 'must be the method sendMessage of a bot with the chat in the query, for example ' +
				'https://api.telegram.org/bot123456:ABC/sendMessage?chat_id=-1001234567890',
	addressOf: ({ pathname, origin }) => new URL(pathname, origin),
	bodyOf(message, { searchParams }) {
		const thread = searchParams.get('message_thread_id');
		const place = { chat_id: searchParams.get('chat_id'), message_thread_id: thread ? Number(thread) : undefined };
		// One button a line, because labels may be long.
		const reply_markup = message.actions && { inline_keyboard: message.actions.map(({ label, url }) => [{ text: label, url }]) };
		return { ...place, ...telegramText(message), link_preview_options: { is_disabled: true }, reply_markup };
	},
	sizes: ({ text }) => [[text.length, 4096]],
	proof: 'ok',
	read(body) {
		const wait = z.object({ retry_after: z.number() }).partial();
		const answer = z.object({ ok: z.boolean(), error_code: z.number(), description: z.string(), parameters: wait }).partial();
		const { ok, error_code, description = '', parameters } = readAnswer(answer, body) ?? {};
		const [fault] = telegramFault.exec(description) ?? [];
		return { accepted: ok === true, fault, status: ok ? undefined : error_code, retryAfter: parameters?.retry_after };
	},
});

/** Returns the text and its marks: `offset` and `length` count UTF-16 code units. */
function telegramText({ subject, rows }: Message) {
	const entities: { type: 'bold' | 'code'; offset: number; length: number }[] = [];
	let text = '';
	const write = (part: string, type?: 'bold' | 'code') => {
		if (type) entities.push({ type, offset: text.length, length: part.length });
		text += part;
	};
	write(subject, 'code');
	write('\n');
	for (const { name, label, value } of rows) {
		write('\n');
		write(`${label}:`, 'bold');
		const severalLines = value.includes('\n');
		write(severalLines ? '\n' : ' ');
		write(severalLines ? indented(value) : isolated(value, label), linkable[name ?? '']?.test(value) ? undefined : 'code');
	}
	return { text, entities };
}

/** Values that Telegram can only read as an address or a number. */
const linkable: Record<string, RegExp> = {
	email: /^[A-Za-z0-9](?:[\w.+-]*[A-Za-z0-9])?@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}$/,
	phone: fullNumber,
};

/** Matches the part of a description that may be logged. The rest may repeat parts of the lead. */
const telegramFault =
	/chat not found|bot was kicked|bot was blocked|not a member|not enough rights|upgraded to a supergroup|message is too long|thread not found|Unauthorized|Too Many Requests/;

/** The chat services. To add one, add its row: `WebhookFormat` explains the members. */
export const chatServices = [discord, googleChat, mattermost, slack, teams, telegram];
