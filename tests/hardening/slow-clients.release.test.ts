import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { postLead } from '../support/post-lead.ts';
import { exchange, openConnection, posted, statusesOf } from '../support/raw-connection.ts';
import { startServer } from '../support/server.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const halfHeaders = 'GET /api/status HTTP/1.1\r\nHost: local';
const halfBody = posted('{"a":', 'Content-Length: 9');
const whole = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n';
const ranges = Array.from({ length: 1000 }, (_, index) => `${index}-`).join();

test.each([
	['send half of their headers', halfHeaders],
	['send half of a body', halfBody],
	['ask for a thousand ranges', `${whole}Range: bytes=${ranges}\r\n\r\n`],
	['read nothing of many answers', `${whole}\r\n`.repeat(50)],
])('others are served while 200 clients at once %s', async (_, bytes) => {
	await using receiver = await startWebhookReceiver();
	await using server = await startServer({ LEAD_RATE_LIMIT: 'off', LEAD_WEBHOOK_URL: receiver.url });
	const slow = await Promise.all(Array.from({ length: 200 }, () => openConnection(server.url)));
	for (const socket of slow) socket.pause().write(bytes);
	for (let round = 0; round < 20; round += 1) {
		const requests = [fetch(`${server.url}/contact`), postLead(server.url, { message: randomUUID() })];
		for (const response of await Promise.all(requests))
			expect([response.status, (await response.bytes()).length > 0]).toEqual([200, true]);
	}
	await receiver.received(20);
	for (const socket of slow) socket.destroy();
});

test.concurrent.each([halfHeaders, halfBody])('a connection is ended that sent %j and no more', async (bytes) => {
	await using server = await startServer();
	const answer = await exchange(server.url, bytes);
	expect([statusesOf(answer), answer]).toEqual([[408], expect.stringContaining('/request-timeout"')]);
});
