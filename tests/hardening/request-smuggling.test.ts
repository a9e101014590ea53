import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import type { OpenApi } from '../../src/discovery/openapi.ts';
import { answersDescribedBy } from '../support/described-answer.ts';
import { exchange, statusesOf } from '../support/raw-connection.ts';
import { startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';

const server = shared(() => startServer());
const described = answersDescribedBy(JSON.parse(readFileSync('var/test/dist/client/openapi.json', 'utf8')) as OpenApi);
afterAll(async () => expect((await fetch(`${server().url}/api/status`)).status).toBe(200));

const post = (headers: string, body = '') =>
	`POST /api/contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;
const get = (headers: string, version = '1.1') => `GET /api/status HTTP/${version}\r\n${headers}\r\n\r\n`;
/** The smuggled request, which must never be answered on its own. */
const next = get('Host: localhost');

test.each([
	['both ways to say the length', post('Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${next}`), 400],
	['two lengths', post('Content-Length: 2\r\nContent-Length: 3', `{}${next}`), 400],
	['a coding after chunked', post('Transfer-Encoding: chunked, identity', `0\r\n\r\n${next}`), 400],
	['a chunk longer than its size', post('Transfer-Encoding: chunked', `1\r\n{}\r\n0\r\n\r\n${next}`), 400],
	['a space before a colon', get('Host : localhost'), 400],
	['bare line feeds', 'GET /api/status HTTP/1.1\nHost: localhost\n\n', 400],
	['a long header', get(`Host: localhost\r\nX-A: ${'a'.repeat(20_000)}`), 431],
])('one refusal, and the connection is closed, for %s', async (_case, bytes, status) => {
	const answer = await exchange(server().url, bytes);
	expect(statusesOf(answer)).toEqual([status]);
	const [head, body = ''] = answer.split('\r\n\r\n');
	const headers = new Headers(
		head!
			.split('\r\n')
			.slice(1)
			.map((line) => line.split(': ') as [string, string]),
	);
	const [method, path] = bytes.toLowerCase().split(' ');
	expect(described({ status, headers, body }, path!, method!)).toEqual([]);
});

test('a request without a host is refused', async () => {
	expect(statusesOf(await exchange(server().url, get('X-A: b')))).toEqual([400]);
});

test('an expectation that nobody knows is ignored (RFC 9110 section 10.1.1)', async () => {
	const answer = await exchange(server().url, get('Host: localhost\r\nExpect: a-miracle\r\nConnection: close'));
	expect(statusesOf(answer)).toEqual([200]);
});

test('TRACE does not send back what came', async () => {
	const answer = await exchange(
		server().url,
		'TRACE /api/status HTTP/1.1\r\nHost: localhost\r\nX-A: echo\r\nConnection: close\r\n\r\n',
	);
	expect(statusesOf(answer)).toEqual([405]);
	expect(answer).not.toContain('echo');
});

test('an upgrade that is not offered is left out, and the request answered (RFC 9110 section 7.8)', async () => {
	const answer = await exchange(server().url, get('Host: localhost\r\nConnection: upgrade, close\r\nUpgrade: websocket'));
	expect(statusesOf(answer)).toEqual([200]);
});

test('HTTP/1.0 is answered without a host, and the connection closed', async () => {
	expect(statusesOf(await exchange(server().url, get('Accept: */*', '1.0')))).toEqual([200]);
});

test('what comes with a GET is no request of its own', async () => {
	const headers = `Host: localhost\r\nConnection: close\r\nContent-Length: ${next.length}`;
	expect(statusesOf(await exchange(server().url, get(headers) + next))).toEqual([200]);
});

test('requests that follow each other without waiting are answered in order', async () => {
	const last = get('Host: localhost\r\nConnection: close').replace('/api/status', '/nowhere');
	expect(statusesOf(await exchange(server().url, next.repeat(3) + last))).toEqual([200, 200, 200, 404]);
});
