import { lexer, type Token, walkTokens } from 'marked';
import type { Format } from '../../src/lead/channels/format.ts';
import { formatFor, type FormatName } from '../../src/lead/channels/formats.ts';
import { targetAt } from './target.ts';
import type { WebhookReply } from './webhook-receiver.ts';

/** What a chat service is known for, written down apart from the code that speaks to it. */
export interface ChatService {
	format: Format;
	/** What stands behind the host of its URLs. */
	path: string;
	/** How it answers a message that it took. */
	success: WebhookReply;
	/** How it refuses one, and what that means. */
	refusals: [WebhookReply, { permanent: boolean; reason: string; retryAfter?: number }][];
	/** What people see of a body: its syntax undone. */
	visible(body: string): string;
	/** What in a body would be more than read, but for what we put there ourselves. */
	active(body: string): string[];
	/** What the service limits: how much there is, how much may be. */
	sizes(body: string): [name: string, actual: number, limit: number][];
}

const service = (name: FormatName, rest: Omit<ChatService, 'format'>): ChatService => ({
	format: formatFor(new URL('https://chat.example'), name),
	...rest,
});

/** The body that a service is sent, by its own format. */
export async function bodyFor({ format, path }: ChatService, ...[message, options]: BodyArguments): Promise<string> {
	return format.request(message, targetAt(`https://chat.example${path}`, options)).body;
}

type BodyArguments = [message: Parameters<Format['request']>[0], options?: Parameters<typeof targetAt>[1]];

export const discord = service('discord', {
	path: '/api/webhooks/1/secret',
	success: { body: '{"id":"1234","type":0,"content":"","channel_id":"99","embeds":[]}' },
	refusals: [
		[
			{ status: 204, body: '' },
			{ permanent: false, reason: 'HTTP 204 without a message' },
		],
		[
			{ status: 404, body: '{"message": "Unknown Webhook", "code": 10015}' },
			{ permanent: true, reason: 'HTTP 404 code 10015' },
		],
		[
			{ status: 400, body: '{"message": "Invalid Form Body", "code": 50035, "errors": {}}' },
			{ permanent: true, reason: 'HTTP 400 code 50035' },
		],
		[
			{
				status: 429,
				headers: { 'retry-after': '1' },
				body: '{"message": "You are being rate limited.", "retry_after": 64.57, "global": false}',
			},
			{ permanent: false, reason: 'HTTP 429', retryAfter: 65 },
		],
	],
	visible: (body) =>
		strings(discordEmbed(body))
			.join('\n')
			.replace(/\\([!-/:-@[-`{-~])/g, '$1'),
	active: (body) => {
		const { title, description = '', fields } = discordEmbed(body);
		const texts = [title, description, ...fields.map(({ value }) => value)];
		return [
			...texts.flatMap((text) => text.replace(/\\[!-/:-@[-`{-~]/g, 'x').match(/[\\*_~`|<>[\]()#@:]|^\s*([-+]|\d+\.)/gm) ?? []),
			...(JSON.stringify((JSON.parse(body) as DiscordBody).allowed_mentions) === '{"parse":[]}' ? [] : ['mentions']),
		];
	},
	sizes: (body) => {
		const { title, description = '', fields } = discordEmbed(body);
		const parts = fields.flatMap(({ name, value }) => [name, value]);
		return [
			['title', title.length, 256],
			['description', description.length, 4096],
			['fields', fields.length, 25],
			...fields.map(({ value }): [string, number, number] => ['value', value.length, 1024]),
			['embed', [title, description, ...parts].join('').length, 6000],
		];
	},
});

interface DiscordBody {
	embeds: [{ title: string; description?: string; fields: { name: string; value: string }[] }];
	allowed_mentions: unknown;
}

const discordEmbed = (body: string) => (JSON.parse(body) as DiscordBody).embeds[0];

export const googleChat = service('google-chat', {
	path: '/v1/spaces/AAA/messages?key=k&token=secret',
	success: { body: '{"name":"spaces/AAA/messages/BBB.BBB","cardsV2":[],"createTime":"2026-11-21T09:30:00Z"}' },
	refusals: [
		[
			{ status: 400, body: '{"error":{"code":400,"message":"Message cannot be empty.","status":"INVALID_ARGUMENT"}}' },
			{ permanent: true, reason: 'HTTP 400 INVALID_ARGUMENT' },
		],
		[
			{ status: 404, body: '{"error":{"code":404,"message":"Ana Ruiz","status":"NOT_FOUND"}}' },
			{ permanent: true, reason: 'HTTP 404 NOT_FOUND' },
		],
		[
			{ status: 429, headers: { 'retry-after': '60' }, body: '{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}' },
			{ permanent: false, reason: 'HTTP 429 RESOURCE_EXHAUSTED', retryAfter: 60 },
		],
		[{ body: '<html>Sign in' }, { permanent: false, reason: 'HTTP 200 without a message' }],
	],
	visible: (body) =>
		strings(JSON.parse(body))
			.join('\n')
			.replace(/<\/?b>/g, '')
			.replaceAll('&lt;', '<')
			.replaceAll('&gt;', '>')
			.replaceAll('&amp;', '&'),
	active: (body) => {
		const [title = '', ...rest] = strings((JSON.parse(body) as { cardsV2: [{ card: unknown }] }).cardsV2[0].card);
		const texts = [title.replace(/^<b>(.*)<\/b>$/s, '$1'), ...rest];
		return [
			...texts.flatMap((text) => text.match(/[<>]|&(?!(amp|lt|gt);)/g) ?? []),
			...Object.keys(JSON.parse(body) as object).filter((key) => key !== 'cardsV2'),
		];
	},
	sizes: (body) => [['body', Buffer.byteLength(body), 32_000]],
});

export const mattermost = service('mattermost', {
	path: '/hooks/secret',
	success: { body: 'ok' },
	refusals: [
		[
			{ status: 400, body: '{"id":"web.incoming_webhook.invalid.app_error","message":"Invalid webhook.","status_code":400}' },
			{ permanent: true, reason: 'HTTP 400 web.incoming_webhook.invalid.app_error' },
		],
		[
			{ status: 403, body: 'Ana Ruiz' },
			{ permanent: true, reason: 'HTTP 403' },
		],
		[
			{ status: 501, body: '' },
			{ permanent: false, reason: 'HTTP 501' },
		],
		[{ body: '<html>Sign in' }, { permanent: false, reason: 'HTTP 200 without ok' }],
	],
	visible: (body) => visibleMarkdown(textIn(body)).replaceAll('\u2060', ''),
	active: (body) => [
		...markupIn(textIn(body)),
		...mattermostMentions(visibleMarkdown(textIn(body))),
		...slackTokens(textIn(body)),
	],
	sizes: (body) => [['text', textIn(body).length, 16_383]],
});

/** As the server splits a post in search of those to notify: server/channels/app/mention_parser_standard.go of Mattermost. */
function mattermostMentions(text: string): string[] {
	const words = text.split(/[^:.\-_@\p{L}\p{N}]+/u).map((word) => word.replace(/^[:.\-_]+/, ''));
	return [...words, ...words.flatMap((word) => word.split(/[.:-]/))].filter((word) => /^@./.test(word));
}

const slackTokens = (text: string) => text.match(/<!?[^>]*>/g) ?? [];

/** Everything in Markdown that does something, beside title, labels and quotation. A link that shows its target hides nothing. */
function markupIn(text: string): string[] {
	const found: string[] = [];
	walkTokens(lexer(text, { gfm: true, breaks: true }), (token) => {
		if (!harmless(token)) found.push(token.type);
	});
	return found;
}

function harmless(token: Token): boolean {
	switch (token.type) {
		case 'heading':
			return (token as { depth: number }).depth === 4;
		case 'strong':
			return /^\*\*[A-Z][A-Za-z ]*:\*\*$/.test(token.raw);
		case 'link':
			return !token.raw.startsWith('[') && !token.raw.startsWith('<');
		default:
			return ['paragraph', 'text', 'escape', 'br', 'blockquote', 'space'].includes(token.type);
	}
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
	return parts
		.join('')
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&quot;', '"')
		.replaceAll('&#39;', "'")
		.replaceAll('&amp;', '&');
}

export const slack = service('slack', {
	path: '/services/T000/B000/secret',
	success: { body: 'ok' },
	refusals: [
		[
			{ status: 400, body: 'invalid_payload' },
			{ permanent: true, reason: 'HTTP 400 invalid_payload' },
		],
		[
			{ status: 403, body: 'action_prohibited' },
			{ permanent: true, reason: 'HTTP 403 action_prohibited' },
		],
		[
			{ status: 404, body: 'no_service' },
			{ permanent: true, reason: 'HTTP 404 no_service' },
		],
		[
			{ status: 410, body: 'channel_is_archived' },
			{ permanent: true, reason: 'HTTP 410 channel_is_archived' },
		],
		[{ body: 'no_text' }, { permanent: true, reason: 'HTTP 200 no_text' }],
		[{ body: '<html>Sign in' }, { permanent: false, reason: 'HTTP 200 without ok' }],
		[
			{ status: 500, body: 'Ana Ruiz' },
			{ permanent: false, reason: 'HTTP 500' },
		],
		[
			{ status: 429, headers: { 'retry-after': '30' }, body: 'rate_limited' },
			{ permanent: false, reason: 'HTTP 429 rate_limited', retryAfter: 30 },
		],
	],
	visible: (body) => {
		const { text, blocks } = JSON.parse(body) as SlackBody;
		const shown = blocks.filter((block) => block.text.type === 'plain_text').map((block) => block.text.text);
		return [text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'), ...shown].join('\n');
	},
	active: (body) => {
		const { text, blocks } = JSON.parse(body) as SlackBody;
		const formatted = blocks.filter((block) => block.text.type !== 'plain_text').map((block) => block.text.text);
		return [
			...(text.match(/[<>]|&(?!(amp|lt|gt);)/g) ?? []),
			...formatted.filter((each) => !/^<mailto:[^<>|\s]+\|Write an answer>$/.test(each)),
		];
	},
	sizes: (body) => {
		const { text, blocks } = JSON.parse(body) as SlackBody;
		const texts = blocks.map((block) => block.text.text);
		return [
			['blocks', blocks.length, 50],
			['header', texts[0]!.length, 150],
			...texts.map((each): [string, number, number] => ['section', each.length, 3000]),
			['all', [text, ...texts].join('').length, 13_170],
		];
	},
});

interface SlackBody {
	text: string;
	blocks: { type: string; text: { type: string; text: string } }[];
}

export const teams = service('teams', {
	path: '/powerautomate/automations/direct/workflows/1/triggers/manual/paths/invoke?sig=secret',
	success: { status: 202, body: '' },
	refusals: [
		[
			{ status: 404, body: '{"error":{"code":"WorkflowNotFound","message":"The workflow could not be found."}}' },
			{ permanent: true, reason: 'HTTP 404 WorkflowNotFound' },
		],
		[
			{ status: 401, body: '{"error":{"code":"DirectApiAuthorizationRequired","message":"…"}}' },
			{ permanent: true, reason: 'HTTP 401 DirectApiAuthorizationRequired' },
		],
		[
			{
				body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 413 with ContextId tcid=0',
			},
			{ permanent: true, reason: 'HTTP 413' },
		],
		[
			{
				body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId tcid=0',
			},
			{ permanent: false, reason: 'HTTP 429' },
		],
		[
			{ body: 'Bad payload received by generic incoming webhook: an error.' },
			{ permanent: false, reason: 'HTTP 200 without success' },
		],
		[
			{ status: 502, body: '' },
			{ permanent: false, reason: 'HTTP 502' },
		],
	],
	visible: (body) => strings(JSON.parse(body)).join('\n').replaceAll('\u2060', ''),
	active: (body) => {
		const types = [...body.matchAll(/"type":"(\w+)"/g)].map(([, type]) => type!);
		return [
			...objects(JSON.parse(body)).flatMap((object) =>
				Object.keys(object).filter((key) => /^(actions|selectAction|msteams|url|backgroundImage)$/.test(key)),
			),
			...types.filter((type) => !['message', 'AdaptiveCard', 'RichTextBlock', 'TextRun'].includes(type)),
			...strings(JSON.parse(body)).flatMap((text) => text.match(/\{\{(DATE|TIME)\(/gi) ?? []),
		];
	},
	sizes: (body) => [['body', Buffer.byteLength(body), 21_000]],
});

export const telegram = service('telegram', {
	path: '/bot123456:secret/sendMessage?chat_id=-1001234567890',
	success: { body: '{"ok":true,"result":{"message_id":1,"chat":{"id":-1001234567890},"text":"…"}}' },
	refusals: [
		[
			{ status: 400, body: '{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}' },
			{ permanent: true, reason: 'HTTP 400 chat not found' },
		],
		[
			{ status: 400, body: '{"ok":false,"error_code":400,"description":"Bad Request: can\'t parse \\"Ana Ruiz\\""}' },
			{ permanent: true, reason: 'HTTP 400' },
		],
		[
			{ status: 403, body: '{"ok":false,"error_code":403,"description":"Forbidden: bot was kicked from the supergroup chat"}' },
			{ permanent: true, reason: 'HTTP 403 bot was kicked' },
		],
		[
			{
				status: 429,
				body: '{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 35","parameters":{"retry_after":35}}',
			},
			{ permanent: false, reason: 'HTTP 429 Too Many Requests', retryAfter: 35 },
		],
		[
			{ body: '{"ok":false,"error_code":401,"description":"Unauthorized"}' },
			{ permanent: true, reason: 'HTTP 401 Unauthorized' },
		],
		[{ body: '<html>Sign in' }, { permanent: false, reason: 'HTTP 200 without ok' }],
	],
	visible: textIn,
	active: (body) => {
		const { text, entities, ...rest } = JSON.parse(body) as TelegramBody;
		const found = [...text];
		const units = text.split('');
		for (const { type, offset, length } of entities) if (type === 'code') units.fill(' ', offset, offset + length);
		return [
			...(found.length > 0 ? [] : ['nothing']),
			...units
				.join('')
				.split('\n')
				.filter((line) => !/^\s*$|^[A-Z][a-zA-Z ]*:\s*(\+[\d ().-]+|[A-Za-z0-9][\w.+-]*@[\w.-]+\.[A-Za-z]+)?$/.test(line.trim())),
			...Object.keys(rest).filter((key) => !['chat_id', 'link_preview_options'].includes(key)),
		];
	},
	sizes: (body) => [['text', textIn(body).length, 4096]],
});

interface TelegramBody {
	text: string;
	entities: { type: string; offset: number; length: number }[];
}

function textIn(body: string): string {
	return (JSON.parse(body) as { text: string }).text;
}

/** Every chat service, for tests that all of them pass. */
export const chatServices = [discord, googleChat, mattermost, slack, teams, telegram];

function strings(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

function objects(value: unknown): object[] {
	if (typeof value !== 'object' || value === null) return [];
	return [value, ...Object.values(value).flatMap(objects)];
}
