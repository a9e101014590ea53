import { expect, test } from 'vitest';
import { startFunction } from '../support/function.ts';
import { startServer, type TestServer } from '../support/server.ts';

const preload = ['--import', './tests/support/broken-runtime.ts'];
const secrets = /clinicasol|hooks\.example|secret/;
/** Sends a request until it fails, as one does soon after the signal. */
async function fault(url: string, request: RequestInit): Promise<Response> {
	for (;;) {
		const response = await fetch(`${url}/api/contact`, request);
		if (response.status === 500) return response;
	}
}

const post = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };

test('an exception is one log line with an id, a problem with the same id and nothing else, and the server lives on', async () => {
	await using server = await startServer({ LEAD_RATE_LIMIT: 'off' }, [], preload);
	server.process.signal('SIGUSR2');
	const response = await fault(server.url, post);
	const problem = (await response.json()) as Record<string, unknown>;
	expect([response.status, response.headers.get('content-type')]).toEqual([500, 'application/problem+json']);
	expect(Object.keys(problem)).toEqual(['type', 'title', 'status', 'detail', 'instance']);
	const faults = () => server.process.log.filter(({ level }) => level === 'error');
	await expect.poll(faults).toHaveLength(1);
	const lines = faults();
	expect(problem['instance']).toBe(`urn:uuid:${String(lines[0]?.['request'])}`);
	expect(lines[0]?.['err']).toMatchObject({ type: 'TypeError', stack: expect.any(Array), cause: { type: 'Error' } });
	expect(server.process.output).not.toMatch(secrets);
	expect((await fetch(`${server.url}/api/status`)).status).toBe(200);
});

test('a warning, a rejection and an exception that belong to no request are a log line each without their words, the last the end', async () => {
	await using server = await startServer({}, [], preload);
	server.process.signal('SIGUSR2');
	await fault(server.url, post);
	server.process.signal('SIGUSR2');
	await expect.poll(() => server.process.log.filter(({ level }) => level === 'error')).toHaveLength(2);
	server.process.signal('SIGUSR2');
	expect(await server.process.exit()).toBe(1);
	expect(server.process.log.slice(-3)).toMatchObject([
		{ level: 'warn', err: { type: 'TypeError' } },
		{ level: 'error', err: { type: 'TypeError' } },
		{ level: 'fatal', err: { type: 'TypeError' } },
	]);
	expect(server.process.output).not.toMatch(secrets);
});

const brokenPage = ['--import', './tests/support/broken-page.ts'];
test.each<[string, () => Promise<TestServer>]>([
	['server', () => startServer({}, [], brokenPage)],
	['function', () => startFunction({ NODE_OPTIONS: brokenPage.join(' ') })],
])('a page that cannot be made leaves log lines of the %s and nothing else, without a word', async (_, start) => {
	await using server = await start();
	const form = { method: 'POST', body: new URLSearchParams({ email: 'ana@clinicasol.example' }) };
	expect((await fetch(`${server.url}/api/contact`, form)).status).toBe(422);
	server.process.signal('SIGUSR2');
	const response = await fault(server.url, form);
	expect([response.status, response.headers.get('content-type')]).toEqual([500, 'application/problem+json']);
	const errors = () => server.process.log.filter(({ level }) => level === 'error');
	await expect.poll(errors).toHaveLength(2);
	expect((await fetch(`${server.url}/api/contact`, form)).status).toBe(422);
	expect(server.process.output.match(/^(?!\{"level"|at http).+$/gm)).toBeNull();
	expect(server.process.output).not.toMatch(secrets);
	expect(errors().map(({ err }) => err)).toEqual(errors().map(() => expect.objectContaining({ type: 'TypeError' })));
	// One of them belongs to a request.
	expect(errors().filter(({ request }) => request !== undefined)).toHaveLength(1);
});
