import { expect, test } from 'vitest';
import { TestProcess } from '../support/process.ts';
import { startServer } from '../support/server.ts';

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

test('a rejection and an exception that belong to no request are a log line each without their words, the second the last', async () => {
	await using server = await startServer({}, [], preload);
	for (const line of [/broken/, /nobody waits for/, /The server ends/]) {
		server.process.signal('SIGUSR2');
		await server.process.printed(line);
	}
	expect(await server.process.exit()).toBe(1);
	expect(server.process.log.slice(-2)).toMatchObject([
		{ level: 'error', err: { type: 'TypeError' } },
		{ level: 'fatal', err: { type: 'TypeError' } },
	]);
	expect(server.process.output).not.toMatch(secrets);
});

test('a start that fails says why in one line', async () => {
	await using server = new TestProcess(['var/test/dist/server/entry.mjs'], { env: { LEAD_STORE: 'sqlite:/dev/null/leads.db' } });
	expect(await server.exit()).toBe(1);
	expect(server.output).toMatch(/^The server cannot start\..*\n$/);
});
