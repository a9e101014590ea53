import { expect, test } from 'vitest';
import { postLead } from '../support/post-lead.ts';
import { connectedTo, postgresMissing, startPostgres } from '../support/postgres.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { overTcp, testHost } from './contract/test-host.ts';
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

test.skipIf(postgresMissing)('the cron trigger of Cloudflare Workers tries what is due', async () => {
	await using postgres = await startPostgres();
	await using database = await overTcp(await postgres.createDatabase());
	await using receiver = await startWebhookReceiver((_, before) => ({ status: before === 0 ? 503 : 200 }));
	await using running = await startWrangler({ LEAD_WEBHOOK_URL: receiver.url, LEAD_RETRY: '1h' }, database.url);
	expect((await postLead(running.url)).status).toBe(200);
	await using client = await connectedTo(database.url);
	const states = async () => (await client.query(`SELECT state, tries FROM lead_deliveries`)).rows;
	await expect.poll(states).toEqual([{ state: 'waiting', tries: 1 }]);
	await client.query('UPDATE lead_deliveries SET due_at = 0');
	expect((await fetch(`${running.url}/cdn-cgi/handler/scheduled`)).status).toBe(200);
	expect(await states()).toEqual([{ state: 'sent', tries: 2 }]);
});
