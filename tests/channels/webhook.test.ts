import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { sendWithin, TRY_TIMEOUT_MS } from '../../src/channels/channel.ts';
import { json } from '../../src/channels/programs.ts';
import { webhook } from '../../src/channels/webhook.ts';
import { referenceOf } from '../../src/channels/message.ts';
import { leadWith, messageWith, targetAt } from '../support/lead.ts';
import { serve } from '../support/listening.ts';
import { startWebhookReceiver, type WebhookReply } from '../support/webhook-receiver.ts';

const send = (url: string) => sendWithin(TRY_TIMEOUT_MS, webhook('json:test', json, targetAt(url)), messageWith());

async function deliveryAfter(reply: WebhookReply) {
	await using receiver = await startWebhookReceiver(reply);
	return await send(receiver.url);
}

describe('A webhook', () => {
	test('is a POST to the URL as configured: a Standard Webhooks event, without the honeypot, and unsigned without a secret', async () => {
		await using receiver = await startWebhookReceiver();
		await send(`${receiver.url}?key=1`);
		const { method, path, body, headers } = receiver.requests[0]!;
		expect([method, path]).toEqual(['POST', `${new URL(receiver.url).pathname}?key=1`]);
		const id = '5f0c4f0e-6f6c-4d8e-9a55-0d3c7a1b2c3d';
		const received = { id, reference: referenceOf(id), receivedAt: '2026-11-21T09:30:00.000Z', noticeVersion: '2026-11-01' };
		const data = { ...received, ...leadWith() };
		expect(JSON.parse(body)).toEqual({ type: 'lead.received', timestamp: received.receivedAt, data });
		expect(headers).toMatchObject({
			'content-type': 'application/json',
			'content-length': String(Buffer.byteLength(body)),
			'webhook-id': id,
			'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
		});
		expect(headers).not.toHaveProperty('webhook-signature');
	});

	test('sends a user name and a password of the URL by HTTP Basic, in UTF-8, and not in the path', async () => {
		await using receiver = await startWebhookReceiver();
		await send(receiver.url.replace('//', '//säles:p%40ss%3Aword-%E2%82%AC@'));
		const [{ path, headers } = {}] = receiver.requests;
		const basic = Buffer.from('säles:p@ss:word-€').toString('base64');
		expect([path, headers!.authorization]).toEqual([new URL(receiver.url).pathname, `Basic ${basic}`]);
	});

	const lasting = { ok: false, outlook: 'lasting' };
	test.each<[string, number[], { ok: boolean; outlook?: string }]>([
		['has delivered', [200, 299], { ok: true }],
		['is tried again', [408, 425, 429, 500, 599], { ok: false, outlook: 'passing' }],
		['waits for a mended setting', [300, 301, 302, 303, 307, 308, 400, 401, 404, 409, 411, 424, 426, 499], lasting],
		['is given up', [410], { ok: false, outlook: 'final' }],
	])('%s after %j, and follows no redirect', async (_, statuses, expected) => {
		await using elsewhere = await startWebhookReceiver();
		const headers = { location: elsewhere.url };
		const reasons = statuses.map((status) => (expected.ok ? expected : { ...expected, reason: `HTTP ${status}` }));
		expect(await Promise.all(statuses.map((status) => deliveryAfter({ status, headers })))).toEqual(reasons);
		expect(elsewhere.requests).toEqual([]);
	});

	test.each<[string, unknown]>([
		['120', 120],
		['64.57', 65],
		['9'.repeat(400), Infinity],
		[new Date(Date.now() - 60_000).toUTCString(), 0],
		[new Date(Date.now() + 3_600_000).toUTCString(), expect.closeTo(3600, -2)],
		['soon', undefined],
		['120 s', undefined],
	])('is asked to wait by Retry-After: %s', async (value, retryAfter) => {
		await expect(deliveryAfter({ status: 429, headers: { 'retry-after': value } })).resolves.toMatchObject({ retryAfter });
	});

	test.each<[string, WebhookReply]>([
		['sends interim answers without end', { interim: 10_000 }],
		['goes over to another protocol', { status: 101, headers: { connection: 'upgrade', upgrade: 'websocket' }, body: '' }],
		['breaks off its answer', { headers: { 'content-length': '100' }, body: brokenOff() }],
	])('that %s has not taken the lead, and is asked again', async (_, reply) => {
		expect(await deliveryAfter(reply)).toEqual({ ok: false, outlook: 'passing', reason: 'ECONNRESET' });
	});

	test('that has closed a connection kept for the next lead gets that lead by another', async () => {
		const connections = new Set<Socket>();
		await using receiver = await serve((request, response) => {
			connections.add(request.socket);
			request.resume().on('end', () => response.end('ok'));
		});
		expect(await send(receiver.url)).toEqual({ ok: true });
		// In the same turn, so that we cannot know of it when the next request is sent.
		for (const connection of connections) connection.resetAndDestroy();
		expect(await send(receiver.url)).toEqual({ ok: true });
		expect(connections.size).toBe(2);
	});

	test('reads the beginning of an answer and no more', async () => {
		const { promise: hungUp, resolve } = Promise.withResolvers<void>();
		await using receiver = await startWebhookReceiver({ body: endless(resolve) });
		expect(await send(receiver.url)).toEqual({ ok: true });
		await hungUp;
	});
});

function* endless(ended: () => void) {
	try {
		for (;;) yield 'x'.repeat(65_536);
	} finally {
		ended();
	}
}

function* brokenOff() {
	yield 'ok';
	throw new Error('The receiver has hung up.');
}
