import { expect, test } from 'vitest';
import { postLead } from '../../support/post-lead.ts';
import { startServer } from '../../support/server.ts';

const timesOut = ['HEADERS_TIMEOUT', 'REQUEST_TIMEOUT', 'KEEP_ALIVE_TIMEOUT', 'IDLE_TIMEOUT'];

test('the longest times that the settings take are kept: the rate limit counts, and connections stay open', async () => {
	const longest = Object.fromEntries(timesOut.map((name) => [name, '24d']));
	await using server = await startServer({ ...longest, LEAD_RATE_LIMIT: '1/24d' });
	expect([(await postLead(server.url)).status, (await postLead(server.url)).status]).toEqual([503, 429]);
	expect((await fetch(`${server.url}/api/status`)).headers.get('keep-alive')).toBe('timeout=2073600');
	expect(server.process.output).not.toContain('Warning');
});

test('without a limit for the next request, a connection waits longer than an idle one may be in use', async () => {
	await using server = await startServer({ KEEP_ALIVE_TIMEOUT: '0', IDLE_TIMEOUT: '5s' });
	const { headers } = await fetch(`${server.url}/api/status`);
	expect(headers.get('keep-alive')).toBe('timeout=2073600');
});
