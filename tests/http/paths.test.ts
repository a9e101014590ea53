import { describe, expect, test } from 'vitest';
import { exchange, statusesOf } from '../support/raw-connection.ts';
import { startServer, startFunction } from '../support/server.ts';
import { shared } from '../support/shared.ts';

const server = shared(() => startServer());

const ask = (url: string, method: string, target: string) =>
	exchange(url, `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
const get = (target: string) => ask(server().url, 'GET', target);

const nowhere =
	'/../../etc/passwd /..%2f..%2fetc%2fpasswd /..\\..\\package.json /%252e%252e/package.json /.env /files.json /contact%00.html /% ' +
	'/CONTACT /docs//api /docs/%61pi /./contact //contact /contact.html /contact.html.br /404 /__proto__ /vercel.json /_headers ' +
	'/netlify.toml /api/%63ontact /api/status/ /_image?href=/contact';

test.each([
	...['/contact', '/contact?a=b', 'http://other.example/contact', 'HTTPS://user:pass@other.example:8443/contact?a'].map(
		(target) => [target, 200] as const,
	),
	...[...nowhere.split(' '), `${'/a'.repeat(4000)}/`].map((target) => [target, 404] as const),
	// No paths at all.
	...['contact', 'javascript:alert(1)', '/a\0b', '/a b', '/café'].map((target) => [target, 400] as const),
])('%j is answered %i', async (target, status) => {
	expect(statusesOf(await get(target))).toEqual([status]);
});

describe.each([
	['the server', server],
	['the function of Node.js', shared(() => startFunction())],
])('by %s', (_, running) => {
	test.each([
		['GET', '*', 400],
		['GET', 'ftp://localhost/api/status', 400],
		['GET', 'http:///api/status', 400],
		['OPTIONS', '*', 405],
		// Without a length, since it has no body.
		['OPTIONS', '/api/contact', 204],
		['TRACE', '/api/contact', 405],
		['POST', '/api/contact', 415],
		['GET', '/api/status', 200],
		['GET', 'http://other.example/api/status?x', 200],
	])('%s %s is answered %i', async (method, target, status) => {
		const answer = await ask(running().url, method, target);
		expect(statusesOf(answer)).toEqual([status]);
		if (status === 204) expect(answer).not.toMatch(/^(content-length|transfer-encoding):/im);
		if (status === 405) expect(answer).toMatch(/^allow: (GET, HEAD|POST, OPTIONS)\r$/m);
		expect((await fetch(`${running().url}/api/status`)).status).toBe(200);
		expect(running().process.log.filter(({ level }) => level === 'error')).toEqual([]);
	});

	test('CONNECT opens no tunnel', async () => {
		expect(await ask(running().url, 'CONNECT', 'other.example:443')).not.toMatch(/^HTTP\/1.1 2/);
		expect((await fetch(`${running().url}/api/status`)).status).toBe(200);
	});
});

test.each([
	['/contact/', '/contact'],
	['/contact/?lang=es&next=//evil.example?a', '/contact?lang=es&next=//evil.example?a'],
	['/openapi.json/', '/openapi.json'],
	['http://evil.example/contact/', '/contact'],
	...['//evil.example/contact/', '/\\evil.example/', '/%5cevil.example/', 'http://evil.example//other.example/'].map((target) => [
		target,
	]),
])('%s leads to %s', async (target, location) => {
	const answer = await get(target!);
	expect([statusesOf(answer), /^location: (.*)$/im.exec(answer)?.[1]]).toEqual([[location ? 308 : 404], location]);
});
