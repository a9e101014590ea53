import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { promisify, stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { postLead } from '../support/post-lead.ts';
import { exchange, statusesOf } from '../support/raw-connection.ts';
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
		const settings = { HOST: '127.0.0.1', LEAD_RATE_LIMIT: 'off', LEAD_WEBHOOK_URL: receiver.url };
		await using server = await startServer(settings);
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

const halfHeaders = 'GET /api/status HTTP/1.1\r\nHost: local';
const halfBody =
	'POST /api/contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a":';

test.concurrent.each([halfHeaders, halfBody])('a connection is ended that sent %j and no more', async (bytes) => {
	await using server = await startServer();
	const answer = await exchange(server.url, bytes);
	expect([statusesOf(answer), answer]).toEqual([[408], expect.stringContaining('/request-timeout"')]);
});
