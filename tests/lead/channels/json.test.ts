import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { json } from '../../../src/lead/channels/json.ts';
import { webhook } from '../../../src/lead/channels/webhook.ts';
import { leadWith, messageWith } from '../../support/lead.ts';
import { targetAt } from '../../support/target.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';

const [oldSecret, newSecret, foreignSecret] = ['old', 'new', 'foreign'].map(
	(word) => `whsec_${Buffer.from(word.padEnd(32, '.')).toString('base64')}`,
) as [string, string, string];

/** Returns the request that a receiver gets, with its headers as the library needs them. */
async function received(secrets: string[]) {
	await using receiver = await startWebhookReceiver();
	await webhook('json:test', json, targetAt(receiver.url, { secrets })).send(messageWith(), new AbortController().signal);
	const [request] = receiver.requests;
	if (request === undefined) throw new Error('No request came.');
	return { body: request.body, headers: request.headers as Record<string, string> };
}

test('A program gets the lead as a Standard Webhooks event, without the honeypot', async () => {
	const { body } = await received([]);
	expect(JSON.parse(body)).toEqual({
		type: 'lead.received',
		timestamp: '2026-11-21T09:30:00.000Z',
		data: {
			id: '5f0c4f0e-6f6c-4d8e-9a55-0d3c7a1b2c3d',
			receivedAt: '2026-11-21T09:30:00.000Z',
			noticeVersion: '2026-11-01',
			...leadWith(),
		},
	});
});

test('A program can verify the signature with any of the secrets, and with no other', async () => {
	const { body, headers } = await received([oldSecret, newSecret]);
	for (const secret of [oldSecret, newSecret]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
	expect(() => new Webhook(foreignSecret).verify(body, headers)).toThrow('No matching signature');
	expect(() => new Webhook(oldSecret).verify(`${body} `, headers)).toThrow('No matching signature');
});

test('A program without a secret gets the id and the time, unsigned', async () => {
	const { headers } = await received([]);
	expect(headers['webhook-id']).toBe('5f0c4f0e-6f6c-4d8e-9a55-0d3c7a1b2c3d');
	expect(headers['webhook-timestamp']).toMatch(/^\d{10}$/);
	expect(headers).not.toHaveProperty('webhook-signature');
});
