import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { leadOf } from '../support/post-lead.ts';
import { exchange, openConnection, statusesOf } from '../support/raw-connection.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

/** Another lead each time. */
const post = (headers = '') => {
	const message = randomUUID();
	const body = JSON.stringify(leadOf({ clinic: 'Sol', message }));
	return `POST /api/contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
};
const get = (headers = '') => `GET /api/status HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
const chunked = (body: string) =>
	`POST /api/contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${body}`;
const long = `GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ${'a'.repeat(1_000_000)}\r\n\r\n`;

const impatient = { LEAD_STORE: 'none', HEADERS_TIMEOUT: '1s', REQUEST_TIMEOUT: '1s', LOG_LEVEL: 'debug' };

describe('while a lead is being delivered, its answer is not touched by what comes behind it:', () => {
	test.each([
		['garbage', 'nonsense\r\n\r\n', [200, 400]],
		['garbage behind another lead', `${post()}nonsense\r\n\r\n`, [200, 200, 400]],
		['garbage behind a read', `${get()}nonsense\r\n\r\n`, [200, 200, 400]],
		['a body that is none', chunked('ZZ\r\n{}\r\n0\r\n\r\n'), [200, 400]],
		['a body that breaks off', chunked('2\r\n{}\r\n'), [200, 408]],
		['half of a request', 'GET /api/sta', [200, 408]],
		['headers that are too long', long, [200, 431]],
		['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [200, 400]],
	])('%s', async (_case, rest, statuses) => {
		await using held = await startHolding(impatient);
		const answers = exchange(held.server.url, post() + rest);
		await held.server.process.printed(/"status":4\d\d/);
		held.release();
		expect(statusesOf(await answers)).toEqual(statuses);
		expect((await answers).split('{"ok":true}')).toHaveLength(held.receiver.requests.length + 1);
		expect(await answers).toMatch(/^connection: close$/im);
	});

	test.each([
		['CONNECT', 'CONNECT other.example:443 HTTP/1.1\r\nHost: other.example\r\n\r\n', [200, 405]],
		['the end of the client’s side', '', [200]],
	])('%s', async (_case, rest, statuses) => {
		await using held = await startHolding(impatient);
		const socket = await openConnection(held.server.url);
		socket.end(post() + rest);
		await held.receiver.received(1);
		held.release();
		expect(statusesOf(await text(socket))).toEqual(statuses);
	});
});

describe('behind the last answer on a connection no lead is taken, since it would have no answer:', () => {
	test.each([
		['after Connection: close', post('Connection: close\r\n'), 200, 1],
		['after an upgrade, which Node reads nothing behind', post('Connection: upgrade\r\nUpgrade: websocket\r\n'), 200, 1],
		['after a GET with a body', `${get('Content-Length: 2\r\n')}{}`, 200, 0],
		['after two hosts', post('Host: other.example\r\n'), 400, 0],
		['after an unknown expectation', post('Expect: tea\r\n'), 417, 0],
		['after another media type', post().replace('application/json', 'text/plain'), 415, 0],
	])('%s', async (_case, request, status, delivered) => {
		await using receiver = await startWebhookReceiver();
		await using server = await startServer({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: receiver.url });
		const socket = await openConnection(server.url);
		const [head, body] = request.split(/(?<=\r\n\r\n)/, 2) as [string, string];
		socket.write(head);
		socket.write(body + post());
		expect(statusesOf(await text(socket))).toEqual([status]);
		await exchange(server.url, post('Connection: close\r\n'));
		expect(receiver.requests).toHaveLength(delivered + 1);
	});
});

test('a client that sends hundreds of requests and waits for no answer gets some answers, and the last one ends the connection', async () => {
	await using held = await startHolding({ LEAD_STORE: 'none' });
	const answers = exchange(held.server.url, post() + get().repeat(500));
	await held.receiver.received(1);
	held.release();
	expect(statusesOf(await answers)).toEqual(Array(21).fill(200));
	expect((await answers).match(/^connection: close$/gim)).toHaveLength(1);
});

test('a refusal arrives although more was sent than was read', async () => {
	await using server = await startServer();
	expect(statusesOf(await exchange(server.url, long))).toEqual([431]);
});

/** A server whose leads are delivered when the test says so. */
async function startHolding(settings: Record<string, string>) {
	const { promise, resolve } = Promise.withResolvers<void>();
	const receiver = await startWebhookReceiver({ until: promise });
	const server: TestServer = await startServer({ ...settings, LEAD_WEBHOOK_URL: receiver.url });
	const dispose = async () => {
		await server[Symbol.asyncDispose]();
		await receiver.close();
	};
	return { receiver, server, release: resolve, [Symbol.asyncDispose]: dispose };
}
