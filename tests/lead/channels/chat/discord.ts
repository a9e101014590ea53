import { discord as format } from '../../../../src/lead/channels/chat/discord.ts';
import { type ChatService, strings } from '../../../support/chat-service.ts';

export const discord: ChatService = {
	format,
	host: 'discord.com',
	path: '/api/webhooks/1/secret',
	success: { body: '{"id":"1234","type":0,"content":"","channel_id":"99","embeds":[]}' },
	refusals: {
		'HTTP 204 without a message': { status: 204, body: '', permanent: false },
		'HTTP 404 code 10015': { status: 404, body: '{"message": "Unknown Webhook", "code": 10015}', permanent: true },
		'HTTP 400 code 50035': {
			status: 400,
			body: '{"message": "Invalid Form Body", "code": 50035, "errors": {}}',
			permanent: true,
		},
		'HTTP 429': {
			status: 429,
			headers: { 'retry-after': '1' },
			body: '{"message": "You are being rate limited.", "retry_after": 64.57, "global": false}',
			permanent: false,
			retryAfter: 65,
		},
	},
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
};

interface DiscordBody {
	embeds: [{ title: string; description?: string; fields: { name: string; value: string }[] }];
	allowed_mentions: unknown;
}

const discordEmbed = (body: string) => (JSON.parse(body) as DiscordBody).embeds[0];
