import { slack as format } from '../../../../src/lead/channels/chat/slack.ts';
import type { ChatService } from '../../../support/chat-service.ts';

export const slack: ChatService = {
	format,
	host: 'hooks.slack.com',
	path: '/services/T000/B000/secret',
	success: { body: 'ok' },
	refusals: {
		'HTTP 400 invalid_payload': { status: 400, body: 'invalid_payload', permanent: true },
		'HTTP 403 action_prohibited': { status: 403, body: 'action_prohibited', permanent: true },
		'HTTP 404 no_service': { status: 404, body: 'no_service', permanent: true },
		'HTTP 410 channel_is_archived': { status: 410, body: 'channel_is_archived', permanent: true },
		'HTTP 200 no_text': { body: 'no_text', permanent: true },
		'HTTP 200 without ok': { body: '<html>Sign in', permanent: false },
		'HTTP 500': { status: 500, body: 'Ana Ruiz', permanent: false },
		'HTTP 429 rate_limited': {
			status: 429,
			headers: { 'retry-after': '30' },
			body: 'rate_limited',
			permanent: false,
			retryAfter: 30,
		},
	},
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
};

interface SlackBody {
	text: string;
	blocks: { type: string; text: { type: string; text: string } }[];
}
