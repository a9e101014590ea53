import { expect, test } from 'vitest';
import { startFunction } from '../support/function.ts';
import { startServer, type TestServer } from '../support/server.ts';

const preload = ['--import', './tests/support/broken-runtime.ts'];
const secrets = /clinicasol|hooks\.example|secret/;
const post = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };

test('an exception is one log line with an id, a problem with the same id and nothing else, and the server lives on', async () => {
	await using server = await startServer({ LEAD_RATE_LIMIT: 'off' }, [], preload);
	server.process.signal('SIGUSR2');
	await server.process.printed(/broken/);
	const response = await fetch(`${server.url}/api/contact`, post);
	const problem = (await response.json()) as Record<string, unknown>;
	expect([response.status, response.headers.get('content-type')]).toEqual([500, 'application/problem+json']);
	expect(Object.keys(problem)).toEqual(['type', 'title', 'status', 'detail', 'instance']);
	await server.process.printed(/A request failed unexpectedly/);
	const lines = server.process.log.filter(({ level }) => level === 'error');
	expect(lines).toEqual([expect.objectContaining({ msg: 'A request failed unexpectedly.' })]);
	expect(problem['instance']).toBe(`urn:uuid:${String(lines[0]?.['request'])}`);
	expect(lines[0]?.['err']).toMatchObject({ type: 'TypeError', stack: expect.any(Array), cause: { type: 'Error' } });
	expect(server.process.output).not.toMatch(secrets);
	expect((await fetch(`${server.url}/api/status`)).status).toBe(200);
});

test('a warning, a rejection and an exception that belong to no request are a log line each without their words, the last the end', async () => {
	await using server = await startServer({}, [], preload);
	for (const line of [/broken/, /promise was rejected/, /The server ends/]) {
		server.process.signal('SIGUSR2');
		await server.process.printed(line);
	}
	expect(await server.process.exit()).toBe(1);
	expect(server.process.log.slice(-3)).toMatchObject([
		{ level: 'warn', err: { type: 'TypeError' } },
		{ level: 'error', err: { type: 'TypeError' } },
		{ level: 'fatal', err: { type: 'TypeError' } },
	]);
	expect(server.process.output).not.toMatch(secrets);
});

const brokenPage = ['--import', './tests/support/broken-page.ts'];
const programs: [string, () => Promise<TestServer>][] = [
	['server', () => startServer({}, [], brokenPage)],
	['function', () => startFunction({ NODE_OPTIONS: brokenPage.join(' ') })],
];

test.each(programs)(
	'a page that cannot be made leaves log lines of the %s and nothing else, without a word',
	async (_, start) => {
		await using server = await start();
		const form = { method: 'POST', body: new URLSearchParams({ email: 'ana@clinicasol.example' }) };
		expect((await fetch(`${server.url}/api/contact`, form)).status).toBe(422);
		server.process.signal('SIGUSR2');
		await server.process.printed(/broken/);
		const response = await fetch(`${server.url}/api/contact`, form);
		expect([response.status, response.headers.get('content-type')]).toEqual([500, 'application/problem+json']);
		await server.process.printed(/promise was rejected/);
		expect((await fetch(`${server.url}/api/contact`, form)).status).toBe(422);
		expect(server.process.output.match(/^(?!\{"level"|at http|broken$).+$/gm)).toBeNull();
		expect(server.process.output).not.toMatch(secrets);
		const errors = server.process.log.filter(({ level }) => level === 'error');
		expect(errors.map(({ msg }) => msg).toSorted()).toEqual([
			'A promise was rejected, and nothing handled it.',
			'A request failed unexpectedly.',
		]);
		expect(errors.map(({ err }) => err)).toEqual(errors.map(() => expect.objectContaining({ type: 'TypeError' })));
	},
);
