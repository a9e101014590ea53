import { links } from '../../src/facts/load.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { exchange, statusesOf } from '../support/raw-connection.ts';
import { startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';

const server = shared(() => startServer());
afterAll(async () => expect((await fetch(`${server().url}/api/status`)).status).toBe(200));

const post = (headers: string, body = '', version = '1.1') =>
	`POST /api/contact HTTP/${version}\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;
const get = (headers: string, version = '1.1') => `GET /api/status HTTP/${version}\r\n${headers}\r\n\r\n`;
/** The smuggled request, which must never be answered on its own. */
const next = get('Host: localhost');
const chunked = (body: string) => post('Transfer-Encoding: chunked', body + next);

describe('one refusal, and the connection is closed, for', () => {
	test.each([
		['both ways to say the length', post('Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${next}`), 400],
		['two transfer codings', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', `0\r\n\r\n${next}`), 400],
		['chunked twice', post('Transfer-Encoding: chunked, chunked', `0\r\n\r\n${next}`), 400],
		['a coding before chunked', post('Transfer-Encoding: gzip, chunked', `2\r\n{}\r\n0\r\n\r\n${next}`), 400],
		['a coding after chunked', post('Transfer-Encoding: chunked, identity', `0\r\n\r\n${next}`), 400],
		['a coding nobody knows', post('Transfer-Encoding: xchunked', `0\r\n\r\n${next}`), 400],
		['chunks in HTTP/1.0', post('Transfer-Encoding: chunked', '0\r\n\r\n', '1.0'), 400],
		['a folded header', get('Host: localhost\r\nX-A: b\r\n c'), 400],
		['a folded coding', post('Transfer-Encoding:\r\n chunked', `0\r\n\r\n${next}`), 400],
		['a chunk size that is no number', chunked('ZZ\r\n{}\r\n0\r\n\r\n'), 400],
		['a negative chunk size', chunked('-1\r\n{}\r\n0\r\n\r\n'), 400],
		['a chunk size with 0x', chunked('0x2\r\n{}\r\n0\r\n\r\n'), 400],
		['a chunk size beyond 64 bits', chunked('FFFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n'), 400],
		['chunks that end in a bare line feed', chunked('2\n{}\n0\n\n'), 400],
		['a chunk longer than its size', chunked('1\r\n{}\r\n0\r\n\r\n'), 400],
		['long chunk extensions', chunked(`2;a=${'b'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`), 413],
		['two lengths', post('Content-Length: 2\r\nContent-Length: 3', `{}${next}`), 400],
		['the same length twice', post('Content-Length: 2\r\nContent-Length: 2', `{}${next}`), 400],
		['a list of lengths', post('Content-Length: 2, 2', `{}${next}`), 400],
		['a length with a sign', post('Content-Length: +2', `{}${next}`), 400],
		['a negative length', post('Content-Length: -2', `{}${next}`), 400],
		['a length in hexadecimal', post('Content-Length: 0x2', `{}${next}`), 400],
		['a length beyond 64 bits', post('Content-Length: 99999999999999999999', `{}${next}`), 400],
		['a space before a colon', get('Host : localhost'), 400],
		['a space before a name', get(' Host: localhost'), 400],
		['a header without a name', get('Host: localhost\r\n: b'), 400],
		['bare line feeds', 'GET /api/status HTTP/1.1\nHost: localhost\n\n', 400],
		['one bare line feed', get('Host: localhost\nX-A: b'), 400],
		['a bare carriage return', get('Host: localhost\rX-A: b'), 400],
		['a NUL in a header', get('Host: localhost\r\nX-A: a\0b'), 400],
		['HTTP/0.9', 'GET /api/status\r\n\r\n', 400],
		['HTTP/1.2', get('Host: localhost', '1.2'), 400],
		['HTTP/2.0', get('Host: localhost', '2.0'), 400],
		['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
		['TLS', Buffer.from('16030100c8010000c40303', 'hex'), 400],
		['bytes at random', Buffer.from('00010203fffe0a0d', 'hex'), 400],
		['a method in lower case', 'get /api/status HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
		['a method nobody knows', 'FOO /api/status HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
		['CONNECT', 'CONNECT other.example:443 HTTP/1.1\r\nHost: other.example\r\n\r\n', 405],
		['no host', get('X-A: b'), 400],
		['two hosts', get('Host: localhost\r\nHost: other.example'), 400],
		['a host that is none', get('Host: a b/<c>'), 400],
		['a host with user information', get('Host: user@localhost'), 400],
		['an expectation nobody knows', post('Expect: tea\r\nContent-Length: 2', '{}'), 417],
		['a long header', get(`Host: localhost\r\nX-A: ${'a'.repeat(20_000)}`), 431],
		['many headers', get(`Host: localhost\r\n${'a: b\r\n'.repeat(4000)}`), 431],
	])('%s', async (_case, bytes, status) => {
		const answers = await exchange(server().url, bytes);
		expect(statusesOf(answers)).toEqual([status]);
		expect(answers).toMatch(/^connection: close$/im);
		expect(answers).toMatch(/^date: .+ GMT$/im);
		expect(answers).toMatch(/^content-type: application\/problem\+json$/m);
		for (const header of [
			'strict-transport-security: max-age=',
			'x-content-type-options: nosniff',
			'access-control-allow-origin: *',
		])
			expect(answers).toContain(`\n${header}`);
		expect(answers).toContain(`"type":"${links.errors}/`);
	});
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

test('HTTP/1.0 is not asked for the body, whatever it expects (RFC 9110 section 10.1.1)', async () => {
	const expecting = post('Expect: 100-continue\r\nContent-Length: 2', '{}', '1.0');
	expect(statusesOf(await exchange(server().url, expecting))).toEqual([422]);
});

test('what comes with a GET is no request of its own', async () => {
	expect(statusesOf(await exchange(server().url, get(`Host: localhost\r\nContent-Length: ${next.length}`) + next))).toEqual([
		200,
	]);
});

test('requests that follow each other without waiting are answered in order', async () => {
	const last = get('Host: localhost\r\nConnection: close').replace('/api/status', '/nowhere');
	expect(statusesOf(await exchange(server().url, next.repeat(3) + last))).toEqual([200, 200, 200, 404]);
});
