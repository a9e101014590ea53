import { expect, test } from 'vitest';
import { postForm } from '../support/post-lead.ts';
import { startServer, type TestServer, startFunction } from '../support/server.ts';

const preload = ['--import', './tests/support/broken-runtime.ts'];
const secrets = /clinicasol|hooks\.example|secret/;
const linesOf = ({ process }: TestServer, wanted: string) => process.log.filter(({ level }) => level === wanted);

test.each<[string, () => Promise<TestServer>]>([
	['server', () => startServer({ LEAD_RATE_LIMIT: 'off' }, preload)],
	['function', () => startFunction({ NODE_OPTIONS: preload.join(' '), LEAD_RATE_LIMIT: 'off' })],
])('an exception or a warning is a log line of the %s without its words; the uncaught ends it', async (program, start) => {
	await using server = await start();
	const send = () => postForm(server.url, { email: 'ana@clinicasol.example' });
	expect((await send()).status).toBe(422);
	server.process.signal('SIGUSR2');
	let response = await send();
	// The signal comes soon.
	while (response.status === 422) response = await send();
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
	// The host of a function logs warnings and what nobody catches.
	if (program === 'function') return;

	server.process.signal('SIGUSR2');
	await expect.poll(() => linesOf(server, 'warn').at(-1)).toMatchObject({ err: { type: 'TypeError' } });
	expect(await server.process.stop('SIGUSR2')).toBe(1);
	expect(linesOf(server, 'fatal')).toMatchObject([{ err: { type: 'TypeError' } }]);
	expect(server.process.output).not.toMatch(secrets);
});
