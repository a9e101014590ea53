import { expect, test } from 'vitest';
import { postLead } from '../support/post-lead.ts';
import { testHost } from './contract/test-host.ts';
import { startWrangler } from './support/wrangler.ts';

testHost({
	name: 'Cloudflare Workers, with a database behind Hyperdrive',
	serves: 'everything',
	start: ({ LEAD_STORE, ...settings }) => startWrangler(settings, LEAD_STORE),
	trusted: 'cf-connecting-ip',
});

test('Cloudflare Workers refuse each lead while the database is away, and say in their log which one', async () => {
	await using running = await startWrangler({ LEAD_STORE: 'postgres://nobody@127.0.0.1:1/nothing', LEAD_RATE_LIMIT: 'off' });
	for (const message of ['one', 'another']) expect((await postLead(running.url, { message })).status).toBe(503);
	await expect.poll(() => running.program.output).toContain('database nothing on 127.0.0.1');
});
