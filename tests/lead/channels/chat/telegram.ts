import { telegram as format } from '../../../../src/lead/channels/chat/telegram.ts';
import type { ChatService } from '../../../support/chat-service.ts';

export const telegram: ChatService = {
	format,
	host: 'api.telegram.org',
	path: '/bot123456:secret/sendMessage?chat_id=-1001234567890',
	success: { body: '{"ok":true,"result":{"message_id":1,"chat":{"id":-1001234567890},"text":"…"}}' },
	refusals: {
		'HTTP 400 chat not found': {
			status: 400,
			body: '{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}',
			permanent: true,
		},
		'HTTP 400': {
			status: 400,
			body: '{"ok":false,"error_code":400,"description":"Bad Request: can\'t parse \\"Ana Ruiz\\""}',
			permanent: true,
		},
		'HTTP 403 bot was kicked': {
			status: 403,
			body: '{"ok":false,"error_code":403,"description":"Forbidden: bot was kicked from the supergroup chat"}',
			permanent: true,
		},
		'HTTP 429 Too Many Requests': {
			status: 429,
			body: '{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 35","parameters":{"retry_after":35}}',
			permanent: false,
			retryAfter: 35,
		},
		'HTTP 401 Unauthorized': { body: '{"ok":false,"error_code":401,"description":"Unauthorized"}', permanent: true },
		'HTTP 200 without ok': { body: '<html>Sign in', permanent: false },
	},
	visible: (body) => textIn(body),
	active: (body) => {
		const { text, entities, ...rest } = JSON.parse(body) as TelegramBody;
		const units = text.split('');
		for (const { type, offset, length } of entities) if (type === 'code') units.fill(' ', offset, offset + length);
		return [
			...units
				.join('')
				.split('\n')
				.filter((line) => !/^\s*$|^[A-Z\d][\w -]*:\s*(\+[\d ().-]+|[A-Za-z0-9][\w.+-]*@[\w.-]+\.[A-Za-z]+)?$/.test(line.trim())),
			...Object.keys(rest).filter((key) => !['chat_id', 'link_preview_options'].includes(key)),
		];
	},
	sizes: (body) => [['text', textIn(body).length, 4096]],
};

interface TelegramBody {
	text: string;
	entities: { type: string; offset: number; length: number }[];
}

const textIn = (body: string) => (JSON.parse(body) as { text: string }).text;
