import { expect, test } from 'vitest';
import { startFunction } from '../support/function.ts';
import { startServer, type TestServer } from '../support/server.ts';

const preload = ['--import', './tests/support/broken-runtime.ts'];
const secrets = /clinicasol|hooks\.example|secret/;
const linesOf = ({ process }: TestServer, wanted: string) => process.log.filter(({ level }) => level === wanted);

test.each<[string, () => Promise<TestServer>]>([
	['server', () => startServer({ LEAD_RATE_LIMIT: 'off' }, [], preload)],
	['function', () => startFunction({ NODE_OPTIONS: preload.join(' '), LEAD_RATE_LIMIT: 'off' })],
])('an exception is a log line of the %s with an id, a problem with that id, and nothing else', async (_, start) => {
	await using server = await start();
	const form = { method: 'POST', body: new URLSearchParams({ email: 'ana@clinicasol.example' }) };
	const send = () => fetch(`${server.url}/api/contact`, form);
	expect((await send()).status).toBe(422);
	server.process.signal('SIGUSR2');
	let response: Response;
	// The signal comes soon.
	do response = await send();
	while (response.status === 422);
	expect([response.status, response.headers.get('content-type')]).toEqual([500, 'application/problem+json']);
	const problem = (await response.json()) as Record<string, unknown>;
	expect(Object.keys(problem)).toEqual(['type', 'title', 'status', 'detail', 'instance']);
	await expect.poll(() => linesOf(server, 'error')).toHaveLength(2);
	const err = { type: 'TypeError', stack: expect.any(Array), cause: { type: 'Error' } };
	// The rejected promise belongs to no request.
	const [ofRequest, ofNone] = linesOf(server, 'error').toSorted((_, { request }) => (request === undefined ? -1 : 1));
	expect([ofRequest, ofNone]).toMatchObject([{ err }, { err }]);
	expect([problem['instance'], ofNone!['request']]).toEqual([`urn:uuid:${String(ofRequest!['request'])}`, undefined]);
	expect((await send()).status).toBe(422);
	expect(server.process.output.match(/^(?!\{"level"|at http).+$/gm)).toBeNull();
	expect(server.process.output).not.toMatch(secrets);
});

test('a warning and an exception that belong to no request are a log line each without their words, the last the end', async () => {
	await using server = await startServer({}, [], preload);
	server.process.signal('SIGUSR2');
	await expect
		.poll(async () => (await fetch(`${server.url}/api/contact`, { method: 'POST', body: new URLSearchParams() })).status)
		.toBe(500);
	server.process.signal('SIGUSR2');
	await expect.poll(() => linesOf(server, 'warn').at(-1)).toMatchObject({ err: { type: 'TypeError' } });
	server.process.signal('SIGUSR2');
	expect(await server.process.exit()).toBe(1);
	expect(linesOf(server, 'fatal')).toMatchObject([{ err: { type: 'TypeError' } }]);
	expect(server.process.output).not.toMatch(secrets);
});
