import { googleChat as format } from '../../../../src/lead/channels/chat/google-chat.ts';
import { type ChatService, strings } from '../../../support/chat-service.ts';

export const googleChat: ChatService = {
	format,
	host: 'chat.googleapis.com',
	path: '/v1/spaces/AAA/messages?key=k&token=secret',
	success: { body: '{"name":"spaces/AAA/messages/BBB.BBB","cardsV2":[],"createTime":"2026-11-21T09:30:00Z"}' },
	refusals: {
		'HTTP 400 INVALID_ARGUMENT': {
			status: 400,
			body: '{"error":{"code":400,"message":"Message cannot be empty.","status":"INVALID_ARGUMENT"}}',
			permanent: true,
		},
		'HTTP 404 NOT_FOUND': {
			status: 404,
			body: '{"error":{"code":404,"message":"Ana Ruiz","status":"NOT_FOUND"}}',
			permanent: true,
		},
		'HTTP 429 RESOURCE_EXHAUSTED': {
			status: 429,
			headers: { 'retry-after': '60' },
			body: '{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}',
			permanent: false,
			retryAfter: 60,
		},
		'HTTP 200 without a message': { body: '<html>Sign in', permanent: false },
	},
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
};
