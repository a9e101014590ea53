import { describe, expect, test } from 'vitest';
import { bodyFor } from '../../../support/chat-service.ts';
import { messageWith } from '../../../support/lead.ts';
import { slack } from './slack.ts';

interface SlackMessage {
	text: string;
	blocks: { type: string; text: { type: string; text: string; emoji?: boolean } }[];
}

const sent = (message = messageWith()) => JSON.parse(bodyFor(slack, message)) as SlackMessage;

describe('Slack', () => {
	test('shows who asks, every row as plain text, and a link to answer', () => {
		const message = messageWith();
		expect(sent(message)).toEqual({
			text: expect.stringContaining(' lead: Ana Ruiz, Clínica Sol, Spain'),
			mrkdwn: false,
			blocks: [
				{ type: 'header', text: { type: 'plain_text', text: message.subject, emoji: false } },
				{ type: 'section', text: { type: 'plain_text', text: message.text, emoji: false } },
				{ type: 'section', text: { type: 'mrkdwn', text: '<mailto:ana@clinicasol.example|Write an answer>' } },
			],
			unfurl_links: false,
			unfurl_media: false,
		});
	});

	test('sees no mention and no link in the notification', () => {
		const { text } = sent(messageWith({ name: '<!channel> & <https://attacker.example|our bank>' }));
		expect(text).toContain('&lt;!channel&gt; &amp; &lt;https://attacker.example|our bank&gt;');
	});

	test('gets an address that could end its link percent-encoded', () => {
		const { blocks } = sent(messageWith({ email: 'a|b&c@clínica.example' }));
		expect(blocks.at(-1)?.text.text).toBe('<mailto:a%7Cb%26c@xn--clnica-4va.example|Write an answer>');
	});

	test.each([
		['a section that ends with its line', { message: `${'🦷'.repeat(2998)}\nx` }],
		['many lines', { message: 'a\n'.repeat(2500) }],
		['many empty lines', { message: `a${'\n'.repeat(4990)}b` }],
	])('gets no empty section of %s', (_, fields) => {
		for (const { text } of sent(messageWith(fields)).blocks) expect(text.text.trim()).not.toBe('');
	});

	test('gets all of a long lead', () => {
		const message = messageWith({ message: 'word '.repeat(1000) });
		const { blocks } = sent(message);
		const sections = blocks.slice(1, -1).map(({ text }) => text.text);
		expect(sections.join('')).toBe(message.text);
	});
});
