import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { leadOf, postBody } from '../support/post-lead.ts';
import { postgresMissing, startPostgres } from '../support/postgres.ts';
import { startSalesTeam } from '../support/sales-team.ts';
import { testHost } from './contract/test-host.ts';
import { overTcp } from './support/over-tcp.ts';
import { startWrangler } from './support/wrangler.ts';

testHost({
	name: 'Cloudflare Workers',
	serves: 'everything',
	start: (settings) => startWrangler(settings),
	trusted: 'cf-connecting-ip',
});

describe('Cloudflare Workers, where a connection is of one request,', () => {
	const post = (url: string, message: string = randomUUID()) => postBody(url, leadOf({ message }));

	test.skipIf(postgresMissing)('keeps leads behind Hyperdrive, one request after another and several at once', async () => {
		await using postgres = await startPostgres();
		await using database = await overTcp(await postgres.createDatabase());
		await using team = await startSalesTeam();
		await using running = await startWrangler({ ...team.settings, LEAD_RATE_LIMIT: 'off' }, database.url);
		const messages = Array.from({ length: 8 }, () => randomUUID());
		const statuses: number[] = [];
		for (const message of messages.slice(0, 3)) statuses.push((await post(running.url, message)).status);
		const answers = await Promise.all(messages.slice(3).map((message) => post(running.url, message)));
		statuses.push(...answers.map(({ status }) => status));
		expect(statuses).toEqual(messages.map(() => 200));
		await expect.poll(() => team.missing(messages)).toEqual([]);
	});

	test('refuses each lead while the database is away, and says in its log which one', async () => {
		await using running = await startWrangler({ LEAD_STORE: 'postgres://nobody@127.0.0.1:1/nothing', LEAD_RATE_LIMIT: 'off' });
		expect((await post(running.url)).status).toBe(503);
		expect((await post(running.url)).status).toBe(503);
		await expect.poll(() => running.program.output).toContain('database nothing on 127.0.0.1');
	});
});
