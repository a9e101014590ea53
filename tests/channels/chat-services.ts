import { lexer, type Token, walkTokens } from 'marked';
import type { Failure } from '../../src/channels/channel.ts';
import type { FormatName } from '../../src/channels/webhook.ts';
import { unescaped } from '../support/html.ts';

/** The facts about a chat service, apart from the code that uses it. */
export interface ChatService {
	url: string;
	success: Answer;
	/** Its refusals, each with the reason that we log, and its outlook, or after how many seconds it may pass. */
	refusals: [...Answer, reason: string, until: Failure['outlook'] | number][];
	/** Returns the text of a body as people see it, without syntax. */
	visible(body: string): string;
	/** Returns the active parts of a body (mentions, links, markup) except our own. The test expects none. */
	active(body: string): string[];
	/** Returns the sizes that the service limits: the body's, and the limit. */
	sizes(body: string): [name: string, actual: number, limit: number][];
}

type Answer = [status: number, body: string];
export type ChatName = Exclude<FormatName, 'hubspot' | 'json'>;

const discord: ChatService = {
	url: 'https://discord.com/api/webhooks/1/secret',
	success: [200, '{"id":"1234","type":0,"content":"","channel_id":"99","embeds":[]}'],
	refusals: [
		[204, '', 'HTTP 204 without a message', 'passing'],
		[404, '{"message": "Unknown Webhook", "code": 10015}', 'HTTP 404 code 10015', 'lasting'],
		[429, '{"message": "You are being rate limited.", "retry_after": 64.57, "global": false}', 'HTTP 429', 'passing'],
	],
	visible: (body) => textsIn(body).replace(/\\([!-/:-@[-`{-~])/g, '$1'),
	active: (body) => {
		const { embeds, allowed_mentions } = read<DiscordBody>(body);
		const texts = embeds.flatMap(({ title, description, fields }) => [title, description, ...fields.map(({ value }) => value)]);
		const unescaped = texts.map((text = '') => text.replace(/\\[!-/:-@[-`{-~]/g, 'x'));
		const markup = unescaped.flatMap((text) => text.match(/[\\*_~`|<>[\]()#@:]|^\s*([-+]|\d+\.)/gm) ?? []);
		return JSON.stringify(allowed_mentions) === '{"parse":[]}' ? markup : [...markup, 'mentions'];
	},
	sizes: (body) => {
		const { embeds } = read<DiscordBody>(body);
		const { title, description = '' } = embeds[0]!;
		const fields = embeds.flatMap((embed) => embed.fields);
		const all = [title, description, ...fields.flatMap(({ name, value }) => [name, value])].join('');
		return [
			['embeds', embeds.length, 10],
			['title', title.length, 256],
			['description', description.length, 4096],
			...embeds.map((embed): [string, number, number] => ['fields', embed.fields.length, 25]),
			...fields.map(({ value }): [string, number, number] => ['value', value.length, 1024]),
			['all embeds', all.length, 6000],
		];
	},
};

/** Only the first embed has a title and a description. */
interface DiscordBody {
	embeds: { title: string; description?: string; fields: { name: string; value: string }[] }[];
	allowed_mentions: unknown;
}

const googleChat: ChatService = {
	url: 'https://chat.googleapis.com/v1/spaces/AAA/messages?key=k&token=secret',
	success: [200, '{"name":"spaces/AAA/messages/BBB.BBB","cardsV2":[],"createTime":"2026-11-21T09:30:00Z"}'],
	refusals: [
		[404, '{"error":{"code":404,"message":"Ana Ruiz","status":"NOT_FOUND"}}', 'HTTP 404 NOT_FOUND', 'lasting'],
		[429, '{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}', 'HTTP 429 RESOURCE_EXHAUSTED', 'passing'],
		[200, '<html>Sign in', 'HTTP 200 without a message', 'passing'],
	],
	visible: (body) => unescaped(textsIn(body).replace(/<\/?b>/g, '')),
	active: (body) => {
		const { cardsV2, thread: _, ...rest } = read<{ cardsV2: [{ card: unknown }]; thread: object }>(body);
		const [title = '', ...texts] = strings(cardsV2[0].card);
		return [...activeHtml(title.replace(/^<b>(.*)<\/b>$/s, '$1')), ...texts.flatMap(activeHtml), ...Object.keys(rest)];
	},
	sizes: (body) => [['body', Buffer.byteLength(body), 32_000]],
};

const mattermost: ChatService = {
	url: 'https://chat.example.com/hooks/secret',
	success: [200, 'ok'],
	refusals: [
		[400, '{"id":"web.incoming_webhook.invalid.app_error"}', 'HTTP 400 web.incoming_webhook.invalid.app_error', 'lasting'],
		[403, 'Ana Ruiz', 'HTTP 403', 'lasting'],
		[501, '', 'HTTP 501', 'passing'],
		[200, '<html>Sign in', 'HTTP 200 without ok', 'passing'],
	],
	visible: (body) => visibleMarkdown(textIn(body)).replaceAll('\u2060', ''),
	active(body) {
		const text = textIn(body);
		return [...markupIn(text), ...mattermostMentions(visibleMarkdown(text)), ...(text.match(/<!?[^>]*>/g) ?? [])];
	},
	sizes: (body) => [['text', textIn(body).length, 16_383]],
};

/** Splits a post as the server does to find mentions: server/channels/app/mention_parser_standard.go of Mattermost. */
function mattermostMentions(text: string): string[] {
	const words = text.split(/[^:.\-_@\p{L}\p{N}]+/u).map((word) => word.replace(/^[:.\-_]+/, ''));
	return [...words, ...words.flatMap((word) => word.split(/[.:-]/))].filter((word) => /^@./.test(word));
}

/** Returns all active Markdown except title, labels and quotation. A link that shows its target hides nothing. */
function markupIn(text: string): string[] {
	const found: string[] = [];
	walkTokens(lexer(text, { gfm: true, breaks: true }), (token) => {
		if (!harmless(token)) found.push(token.type);
	});
	return found;
}

function harmless({ type, raw }: Token): boolean {
	const patterns: Record<string, RegExp> = { heading: /^#{4} /, strong: /^\*\*[A-Z][A-Za-z ]*:\*\*$/, link: /^[^[<]/ };
	return patterns[type]?.test(raw) ?? ['paragraph', 'text', 'escape', 'br', 'blockquote', 'space'].includes(type);
}

function visibleMarkdown(text: string): string {
	const parts: string[] = [];
	const collect = (tokens: Token[]) => {
		for (const token of tokens) {
			if ('tokens' in token && token.tokens) collect(token.tokens);
			else if ('text' in token) parts.push(String(token.text));
			else parts.push('\n');
			if (token.type === 'paragraph' || token.type === 'heading') parts.push('\n');
		}
	};
	collect(lexer(text, { gfm: true, breaks: true }));
	return unescaped(parts.join(''));
}

const slack: ChatService = {
	url: 'https://hooks.slack.com/services/T000/B000/secret',
	success: [200, 'ok'],
	refusals: [
		[410, 'channel_is_archived', 'HTTP 410 channel_is_archived', 'final'],
		[200, 'no_text', 'HTTP 400 no_text', 'lasting'],
		[200, '<html>Sign in', 'HTTP 200 without ok', 'passing'],
		[500, 'Ana Ruiz', 'HTTP 500', 'passing'],
	],
	visible: (body) => {
		const { text, blocks } = read<SlackBody>(body);
		const shown = blocks.filter((block) => block.text.type === 'plain_text').map((block) => block.text.text);
		return [unescaped(text), ...shown].join('\n');
	},
	active: (body) => {
		const { text, blocks } = read<SlackBody>(body);
		const formatted = blocks.filter((block) => block.text.type !== 'plain_text').map((block) => block.text.text);
		return [...activeHtml(text), ...formatted.filter((each) => !/^<mailto:[^<>|\s]+\|Write an answer>$/.test(each))];
	},
	sizes: (body) => {
		const { text, blocks } = read<SlackBody>(body);
		const texts = blocks.map((block) => block.text.text);
		return [
			['blocks', blocks.length, 50],
			['header', texts[0]!.length, 150],
			...texts.map((each): [string, number, number] => ['section', each.length, 3000]),
			['all', [text, ...texts].join('').length, 13_170],
		];
	},
};

export interface SlackBody {
	text: string;
	blocks: { text: { type: string; text: string } }[];
}

const teams: ChatService = {
	url: 'https://a.b.environment.api.powerplatform.com/powerautomate/automations/direct/workflows/1/invoke?sig=secret',
	success: [202, ''],
	refusals: [
		[404, '{"error":{"code":"WorkflowNotFound","message":"…"}}', 'HTTP 404 WorkflowNotFound', 'lasting'],
		[200, 'Webhook message delivery failed with error: endpoint returned HTTP error 413 with ContextId 0', 'HTTP 413', 'lasting'],
		[200, 'Webhook message delivery failed with error: endpoint returned HTTP error 429 with ContextId 0', 'HTTP 429', 'passing'],
		[200, 'Bad payload received by generic incoming webhook: an error.', 'HTTP 200 without success', 'passing'],
		[200, '<html>Sign in', 'HTTP 200 without success', 'passing'],
		[502, '', 'HTTP 502', 'passing'],
	],
	visible: (body) => textsIn(body).replaceAll('\u2060', ''),
	active: (body) => {
		const types = [...body.matchAll(/"type":"(\w+)"/g)].map(([, type]) => type!);
		return [
			...(body.match(/"(actions|selectAction|msteams|url|backgroundImage)":/g) ?? []),
			...types.filter((type) => !['message', 'AdaptiveCard', 'ColumnSet', 'Column', 'RichTextBlock', 'TextRun'].includes(type)),
			...strings(JSON.parse(body)).flatMap((text) => text.match(/\{\{(DATE|TIME)\(/gi) ?? []),
		];
	},
	sizes: (body) => [['body', Buffer.byteLength(body), 21_000]],
};

const telegram: ChatService = {
	url: 'https://api.telegram.org/bot123456:secret/sendMessage?chat_id=-1001234567890',
	success: [200, '{"ok":true,"result":{"message_id":1,"chat":{"id":-1001234567890},"text":"…"}}'],
	refusals: [
		[400, telegramRefusal(400, 'Bad Request: chat not found'), 'HTTP 400 chat not found', 'lasting'],
		[400, telegramRefusal(400, `Bad Request: can't parse "Ana Ruiz"`), 'HTTP 400', 'lasting'],
		[429, telegramRefusal(429, 'Too Many Requests: retry', { retry_after: 35 }), 'HTTP 429 Too Many Requests', 35],
		[200, telegramRefusal(401, 'Unauthorized'), 'HTTP 401 Unauthorized', 'lasting'],
		[200, '<html>Sign in', 'HTTP 200 without ok', 'passing'],
	],
	visible: (body) => textIn(body),
	active: (body) => {
		const { text, entities, ...rest } = read<TelegramBody>(body);
		const units = text.split('');
		for (const { type, offset, length } of entities) if (type === 'code') units.fill(' ', offset, offset + length);
		const lines = units.join('').split('\n');
		const row = /^\s*$|^[A-Z\d][\w -]*:\s*(\+[\d ().-]+|[A-Za-z0-9][\w.+-]*@[\w.-]+\.[A-Za-z]+)?$/;
		const others = Object.keys(rest).filter((key) => !['chat_id', 'link_preview_options'].includes(key));
		return [...lines.filter((line) => !row.test(line.trim())), ...others];
	},
	sizes: (body) => [['text', textIn(body).length, 4096]],
};

export interface TelegramBody {
	text: string;
	entities: { type: string; offset: number; length: number }[];
}

function telegramRefusal(error_code: number, description: string, parameters?: object): string {
	return JSON.stringify({ ok: false, error_code, description, parameters });
}

const read = <Body>(body: string) => JSON.parse(body) as Body;

const textIn = (body: string) => read<{ text: string }>(body).text;

const textsIn = (body: string) => strings(read(body)).join('\n');

const activeHtml = (text: string) => text.match(/[<>]|&(?!(amp|lt|gt);)/g) ?? [];

function strings(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

/** All services: a missing one is a type error. */
export const services: Record<ChatName, ChatService> = { discord, 'google-chat': googleChat, mattermost, slack, teams, telegram };
