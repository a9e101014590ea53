import { describe, expect, test } from 'vitest';
import { slack } from '../../../src/lead/channels/slack.ts';
import { webhook } from '../../../src/lead/channels/webhook.ts';
import { messageWith } from '../../support/lead.ts';
import { targetAt } from '../../support/target.ts';
import { startWebhookReceiver, type WebhookReply } from '../../support/webhook-receiver.ts';

/** What becomes of a lead, and what Slack gets to see, when Slack answers so. */
async function sendWith(message = messageWith(), reply: WebhookReply = {}) {
	await using receiver = await startWebhookReceiver(reply);
	const delivery = await webhook('slack:test', slack, targetAt(receiver.url)).send(message, new AbortController().signal);
	return { delivery, sent: JSON.parse(receiver.requests[0]?.body ?? '') as SlackMessage };
}

interface SlackMessage {
	text: string;
	blocks: { type: string; text: { type: string; text: string; emoji: boolean } }[];
	unfurl_links: boolean;
}

const sectionsOf = ({ blocks }: SlackMessage) => blocks.slice(1).map(({ text }) => text.text);

describe('Slack', () => {
	test('shows who asks, and every row as plain text', async () => {
		const message = messageWith();
		const { sent } = await sendWith(message);
		expect(sent).toEqual({
			text: 'Anteroom lead: Ana Ruiz, Clínica Sol, Spain',
			blocks: [
				{ type: 'header', text: { type: 'plain_text', text: message.subject, emoji: false } },
				{ type: 'section', text: { type: 'plain_text', text: message.text, emoji: false } },
			],
			unfurl_links: false,
			unfurl_media: false,
		});
	});

	test('sees no mention and no link in the notification', async () => {
		const { sent } = await sendWith(messageWith({ name: '<!channel> & <https://attacker.example|our bank>' }));
		expect(sent.text).toContain('&lt;!channel&gt; &amp; &lt;https://attacker.example|our bank&gt;');
		expect(sent.blocks.map(({ text }) => text.type)).toEqual(['plain_text', 'plain_text']);
	});

	test.each([
		['the longest lead', { message: 'x'.repeat(5000), name: 'n'.repeat(120) }],
		['the longest lead in emoji', { message: '🦷'.repeat(5000), name: '🦷'.repeat(120) }],
		['a section that ends with its line', { message: `${'🦷'.repeat(2998)}\nx` }],
		['many lines', { message: 'a\n'.repeat(2500) }],
		['many empty lines', { message: `a${'\n'.repeat(4990)}b` }],
	])('gets %s within its limits', async (_, fields) => {
		const { sent } = await sendWith(messageWith(fields));
		const texts = sent.blocks.map(({ text }) => text.text);
		expect(sent.blocks.length).toBeLessThanOrEqual(50);
		expect(texts[0]!.length).toBeLessThanOrEqual(150);
		for (const text of texts) expect(text.trim().length > 0 && text.length <= 3000 && text.isWellFormed()).toBe(true);
		expect(sent.text.length + texts.join('').length).toBeLessThanOrEqual(13_000);
	});

	test('gets all of a long lead', async () => {
		const message = messageWith({ message: 'word '.repeat(1000) });
		const { sent } = await sendWith(message);
		expect(sectionsOf(sent).join('')).toBe(message.text);
	});

	test('is told where a lead was shortened', async () => {
		const message = messageWith();
		const { sent } = await sendWith({ ...message, text: '🦷'.repeat(10_000) });
		expect(sectionsOf(sent).join('')).toMatch(/^(🦷)+\n… \(shortened: too long for Slack\)$/u);
	});

	test.each<[WebhookReply, boolean, string]>([
		[{ status: 400, body: 'invalid_payload' }, true, 'HTTP 400 invalid_payload'],
		[{ status: 403, body: 'action_prohibited' }, true, 'HTTP 403 action_prohibited'],
		[{ status: 404, body: 'no_service' }, true, 'HTTP 404 no_service'],
		[{ status: 410, body: 'channel_is_archived' }, true, 'HTTP 410 channel_is_archived'],
		[{ status: 200, body: 'no_text' }, true, 'HTTP 200 no_text'],
		[{ status: 200, body: '<html>Sign in to the network' }, false, 'HTTP 200 without ok'],
		[{ status: 200, body: '' }, false, 'HTTP 200 without ok'],
		[{ status: 500, body: 'Ana Ruiz' }, false, 'HTTP 500 without ok'],
	])('means with %j, permanent: %j, %j', async (reply, permanent, reason) => {
		const { delivery } = await sendWith(messageWith(), reply);
		expect(delivery).toEqual({ ok: false, permanent, reason });
	});

	test('may ask to wait', async () => {
		const { delivery } = await sendWith(messageWith(), { status: 429, headers: { 'retry-after': '30' }, body: 'rate_limited' });
		expect(delivery).toEqual({ ok: false, permanent: false, reason: 'HTTP 429 rate_limited', retryAfter: 30 });
	});
});
