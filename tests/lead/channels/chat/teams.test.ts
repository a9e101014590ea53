import { expect, test } from 'vitest';
import { bodyFor } from '../../../support/chat-service.ts';
import { messageWith } from '../../../support/lead.ts';
import { teams } from './teams.ts';

test('Teams gets an Adaptive Card in a message, as Workflows wants it', () => {
	const message = messageWith({ message: '' });
	const body = JSON.parse(bodyFor(teams, message)) as { attachments: [{ content: { body: unknown[] } }] };
	expect(body).toMatchObject({
		type: 'message',
		attachments: [
			{
				contentType: 'application/vnd.microsoft.card.adaptive',
				contentUrl: null,
				content: { type: 'AdaptiveCard', version: '1.4' },
			},
		],
	});
	expect(body.attachments[0].content.body.slice(0, 3)).toEqual([
		{
			type: 'RichTextBlock',
			inlines: [{ type: 'TextRun', text: message.subject, size: 'Large', weight: 'Bolder' }],
		},
		{ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: 'Name', weight: 'Bolder' }] },
		{ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: 'Ana Ruiz' }], spacing: 'None' },
	]);
});

test.each(['DATE', 'TIME', 'date'])('Teams puts no %s in the place of what a visitor wrote', (name) => {
	const body = bodyFor(teams, messageWith({ name: `{{${name}(2017-02-14T06:00:00Z)}}` }));
	expect(body).toContain(`{\u2060{${name}(2017-02-14T06:00:00Z)}}`);
});
