import { teams as format } from '../../../../src/lead/channels/chat/teams.ts';
import { type ChatService, strings } from '../../../support/chat-service.ts';

export const teams: ChatService = {
	format,
	host: 'a.b.environment.api.powerplatform.com',
	path: '/powerautomate/automations/direct/workflows/1/triggers/manual/paths/invoke?sig=secret',
	success: { status: 202, body: '' },
	refusals: {
		'HTTP 404 WorkflowNotFound': {
			status: 404,
			body: '{"error":{"code":"WorkflowNotFound","message":"The workflow could not be found."}}',
			permanent: true,
		},
		'HTTP 401 DirectApiAuthorizationRequired': {
			status: 401,
			body: '{"error":{"code":"DirectApiAuthorizationRequired","message":"…"}}',
			permanent: true,
		},
		'HTTP 413': {
			body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 413 with ContextId tcid=0',
			permanent: true,
		},
		'HTTP 429': {
			body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId tcid=0',
			permanent: false,
		},
		'HTTP 200 without success': { body: 'Bad payload received by generic incoming webhook: an error.', permanent: false },
		'HTTP 502': { status: 502, body: '', permanent: false },
	},
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
};

function objects(value: unknown): object[] {
	if (typeof value !== 'object' || value === null) return [];
	return [value, ...Object.values(value).flatMap(objects)];
}
