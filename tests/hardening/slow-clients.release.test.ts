import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { promisify, stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { postLead } from '../support/post-lead.ts';
import { exchange, openConnection, statusesOf } from '../support/raw-connection.ts';
import { startServer } from '../support/server.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const slowhttptest = '/usr/bin/slowhttptest';
const missing = !existsSync(slowhttptest);
if (missing) console.warn('Tests of slow clients skipped: install Debian’s slowhttptest.');

describe.skipIf(missing)('others are served while 200 clients at once are', () => {
	test.each([
		['slow to send their headers', '/', ['-H', '-i', '1']],
		['slow to send a body', '/api/contact', ['-B', '-i', '1', '-s', '8192']],
		['asking for a thousand ranges', '/openapi.json', ['-R', '-t', 'GET', '-a', '1', '-b', '1000']],
		['slow to read', '/openapi.json', ['-X', '-k', '3', '-n', '1', '-w', '8', '-y', '16', '-z', '4']],
	])('%s', async (_case, path, mode) => {
		await using receiver = await startWebhookReceiver();
		const settings = { HOST: '127.0.0.1', HEADERS_TIMEOUT: '3s', REQUEST_TIMEOUT: '4s', LEAD_RATE_LIMIT: 'off' };
		await using server = await startServer({ ...settings, LEAD_WEBHOOK_URL: receiver.url });
		const options = ['-c', '200', '-r', '200', '-l', '5', '-p', '3', '-u', server.url + path];
		const over = new AbortController();
		const attack = promisify(execFile)(slowhttptest, [...mode, ...options]).finally(() => over.abort());

		const statuses = new Set<number>();
		let rounds = 0;
		for (; !over.signal.aborted; rounds += 1) {
			const requests = [fetch(`${server.url}/contact`), postLead(server.url, { message: randomUUID() })];
			for (const response of await Promise.all(requests)) {
				await response.arrayBuffer();
				statuses.add(response.status);
			}
		}
		const { stdout } = await attack;
		expect([...statuses]).toEqual([200]);
		expect(rounds).toBeGreaterThan(5);
		const probes = [...stripVTControlCharacters(stdout).matchAll(/service available:\s+(\w+)/g)].map(([, answer]) => answer);
		expect(new Set(probes)).toEqual(new Set(['YES']));
		await receiver.received(rounds);
	});
});

/** Longer than a test may take: what is under test is the only limit that can end a connection. */
const patient = { HEADERS_TIMEOUT: '60s', REQUEST_TIMEOUT: '60s', KEEP_ALIVE_TIMEOUT: '60s', IDLE_TIMEOUT: '60s' };
const status = 'GET /api/status HTTP/1.1\r\nHost: localhost\r\n\r\n';
const halfHeaders = 'GET /api/status HTTP/1.1\r\nHost: local';
const halfBody =
	'POST /api/contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a":';

describe.concurrent('a connection is ended', () => {
	test.each([
		['HEADERS_TIMEOUT', halfHeaders, [408]],
		['HEADERS_TIMEOUT', '', [408]],
		['REQUEST_TIMEOUT', halfBody, [408]],
		['KEEP_ALIVE_TIMEOUT', status, [200]],
		['IDLE_TIMEOUT', halfHeaders, []],
		['IDLE_TIMEOUT', halfBody, []],
	])('after %s when it sent %j and no more', async (setting, bytes, statuses) => {
		const headers = setting === 'REQUEST_TIMEOUT' ? { HEADERS_TIMEOUT: '1s' } : {};
		await using server = await startServer({ ...patient, ...headers, [setting]: '1s' });
		expect(statusesOf(await exchange(server.url, bytes))).toEqual(statuses);
	});

	test('when the client has hung up on its side and asked for nothing', async () => {
		await using server = await startServer(patient);
		const socket = await openConnection(server.url);
		socket.end(halfHeaders);
		expect(statusesOf(await text(socket))).toEqual([400]);
	});

	test('at once beyond MAX_CONNECTIONS', async ({ expect }) => {
		await using server = await startServer({ ...patient, MAX_CONNECTIONS: '2' });
		const first = await openConnection(server.url);
		const second = await openConnection(server.url);
		expect(statusesOf(await exchange(server.url, status))).toEqual([]);
		expect(statusesOf(await exchange(server.url, status))).toEqual([]);
		await expect.poll(() => server.process.log.filter(({ count }) => count !== undefined)).toHaveLength(1);
		first.destroy();
		second.destroy();
		const closing = status.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
		await expect.poll(async () => statusesOf(await exchange(server.url, closing))).toEqual([200]);
	});
});
