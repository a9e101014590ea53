import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import fc from '../support/fast-check.ts';
import { postLead } from '../support/post-lead.ts';
import { exchange, openConnection, posted, statusesOf } from '../support/raw-connection.ts';
import { startServer, type TestServer } from '../support/server.ts';
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

test('whatever comes as bytes is answered or refused, and the connection ends', async () => {
	await using server = await startServer({ LEAD_RATE_LIMIT: 'off', LEAD_STORE: 'none' });
	const property = fc.asyncProperty(fc.array(pieces, { maxLength: 30 }), async (parts) => {
		expect(await lastWords(server, Buffer.concat(parts))).not.toMatch(/HTTP\/1\.1 5/);
	});
	await fc.assert(property, { numRuns: 2000 });
	expect(server.process.log.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
	expect((await fetch(`${server.url}/api/status`)).status).toBe(200);
});

/** Sends bytes, hangs up on our side, and returns what came by the end. */
async function lastWords({ url }: TestServer, bytes: Uint8Array): Promise<string> {
	let answers = '';
	const socket = (await openConnection(url)).setEncoding('latin1').on('data', (text: string) => (answers += text));
	socket.end(bytes);
	await new Promise((resolve) => socket.once('close', resolve).once('end', resolve));
	socket.destroy();
	return answers;
}

const targets = ['/', '/api/contact', '/api/status', '/contact', '*', 'http://x', ' HTTP/1.1', ' HTTP/1.0', '{}', '{"name":'];
const fields = ['Host: localhost', 'Content-Length: 5', 'Transfer-Encoding: chunked', 'Expect: 100-continue', 'Upgrade: h2c'];
const others = ['Content-Type: application/json', 'Connection: close', 'Connection: upgrade'];
const pieces = fc
	.oneof(
		fc.constantFrom('GET ', 'POST ', 'HEAD ', 'OPTIONS ', 'CONNECT '),
		fc.constantFrom(...targets),
		fc.constantFrom('\r\n', '\r\n\r\n', '\n', '\r', '\0', ' ', '\t', ':', ';', ',', '0\r\n\r\n', '5\r\nhello\r\n'),
		fc.constantFrom(...[...fields, ...others].map((field) => `\r\n${field}`)),
		fc.constantFrom('GET /api/status HTTP/1.1\r\nHost: localhost\r\n\r\n', posted('{}')),
		fc.uint8Array({ maxLength: 40 }),
	)
	.map((piece) => Buffer.from(piece));
