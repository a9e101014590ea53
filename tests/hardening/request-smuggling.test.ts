import { afterAll, expect, test } from 'vitest';
import { differencesOf } from '../support/described-answer.ts';
import { exchange, posted, statusesOf } from '../support/raw-connection.ts';
import { startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';

const server = shared(() => startServer());
afterAll(async () => expect((await fetch(`${server().url}/api/status`)).status).toBe(200));

const get = (headers: string, version = '1.1') => `GET /api/status HTTP/${version}\r\n${headers}\r\n\r\n`;
const closing = 'Host: localhost\r\nConnection: close';
/** The smuggled request, which must never be answered on its own. */
const next = get('Host: localhost');

test.each([
	['both ways to say the length', posted(`0\r\n\r\n${next}`, 'Content-Length: 4\r\nTransfer-Encoding: chunked'), 400],
	['a chunk longer than its size', posted(`1\r\n{}\r\n0\r\n\r\n${next}`, 'Transfer-Encoding: chunked'), 400],
	['two hosts', get('Host: localhost\r\nX-A: host\r\nhOST: localhost') + next, 400],
	['two hosts in HTTP/1.0', get('Host: a.example\r\nHost: b.example', '1.0'), 400],
	['two hosts with a lead', posted(`{}${next}`, 'Host: b.example\r\nContent-Length: 2'), 400],
	['a host that cannot be', get('Host: localhost/api') + next, 400],
	['a host with a user name', get('Host: a@localhost') + next, 400],
	['a long header', get(`Host: localhost\r\nX-A: ${'a'.repeat(20_000)}`), 431],
])('one refusal, and the connection is closed, for %s', async (_case, bytes, status) => {
	const answer = await exchange(server().url, bytes);
	expect(statusesOf(answer)).toEqual([status]);
	const [head, body = ''] = answer.split('\r\n\r\n');
	const lines = head!.split('\r\n').slice(1);
	const headers = new Headers(lines.map((line) => line.split(': ') as [string, string]));
	const [method, path] = bytes.toLowerCase().split(' ');
	expect(differencesOf({ status, headers, body }, path!, method!)).toEqual([]);
});

test.each([
	['a request without a host is refused', get('X-A: b'), [400]],
	['any host that can be is taken', get('Host: [::1]:4321') + get('Host: a_b.xn--a:') + get(closing), [200, 200, 200]],
	['an unknown expectation is ignored (RFC 9110 section 10.1.1)', get(`${closing}\r\nExpect: a-miracle`), [200]],
	['an upgrade that is not offered is left out (section 7.8)', get(`${closing}, upgrade\r\nUpgrade: websocket`), [200]],
	['HTTP/1.0 is answered without a host, and the connection closed', get('Accept: */*', '1.0'), [200]],
	['what cannot be read comes after a request, whose answer is sent', `${posted('{}')}no request\r\n\r\n`, [422]],
	['what comes with a GET is no request of its own', get(`${closing}\r\nContent-Length: ${next.length}`) + next, [200]],
])('%s', async (_case, bytes, statuses) => {
	expect(statusesOf(await exchange(server().url, bytes))).toEqual(statuses);
});
