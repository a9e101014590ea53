import { expect, test } from 'vitest';
import { json } from '../../../src/lead/channels/json.ts';
import { webhook } from '../../../src/lead/channels/webhook.ts';
import { leadWith, messageWith } from '../../support/lead.ts';
import { targetAt } from '../../support/target.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';

test('A program gets the lead as a Standard Webhooks event, without the honeypot, and unsigned without a secret', async () => {
	await using receiver = await startWebhookReceiver();
	await webhook('json:test', json, targetAt(receiver.url)).send(messageWith(), new AbortController().signal);
	const { body, headers } = receiver.requests[0]!;
	const id = '5f0c4f0e-6f6c-4d8e-9a55-0d3c7a1b2c3d';
	const received = { id, receivedAt: '2026-11-21T09:30:00.000Z', noticeVersion: '2026-11-01' };
	expect(JSON.parse(body)).toEqual({
		type: 'lead.received',
		timestamp: received.receivedAt,
		data: { ...received, ...leadWith() },
	});
	expect(headers).toMatchObject({ 'webhook-id': id, 'webhook-timestamp': expect.stringMatching(/^\d{10}$/) });
	expect(headers).not.toHaveProperty('webhook-signature');
});
