import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { LeadSenders } from '../support/lead-senders.ts';
import { postLead } from '../support/post-lead.ts';
import { endLeases, postgresMissing, startPostgres } from '../support/postgres.ts';
import { startSalesTeam } from '../support/sales-team.ts';
import { startServer } from '../support/server.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const quick = { LEAD_RATE_LIMIT: 'off', LEAD_RETRY: Array.from({ length: 60 }, () => '1s').join(' ') };
const message = 'call-me';

describe('The store', () => {
	test('on a full disk refuses leads and nothing else, and goes on once there is room', async ({ expect, skip }) => {
		using disk = mountSmallDisk();
		if (!disk) return skip('The test of a server on a full disk was skipped: only root may mount a small one.');
		await using team = await startSalesTeam();
		await using server = await startServer({ ...quick, ...team.settings, LEAD_STORE: `sqlite:${join(disk.path, 'leads.db')}` });
		const ballast = join(disk.path, 'ballast');
		expect(() => writeFileSync(ballast, Buffer.alloc(2 ** 20))).toThrow('ENOSPC');
		const large = { message: 'x'.repeat(5000) };
		const statuses: number[] = [];
		// Allocated space may still have room for some leads.
		do statuses.push((await postLead(server.url, { ...large, name: `Ana ${statuses.length}` })).status);
		while (statuses.at(-1) === 200 && statuses.length < 100);
		expect(statuses.at(-1)).toBe(503);
		const others = await Promise.all(['/api/status', '/contact', '/openapi.json'].map((path) => fetch(server.url + path)));
		expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);

		rmSync(ballast);
		expect((await postLead(server.url, { message })).status).toBe(200);
		await expect.poll(() => team.missing([message])).toEqual([]);
		const taken = statuses.filter((status) => status === 200).length;
		await expect.poll(() => team.webhooks.get(large.message)?.length ?? 0).toBeGreaterThanOrEqual(taken);
		// The files must be closed before the disk is removed.
		await server.process[Symbol.asyncDispose]();
	});

	test.skipIf(postgresMissing)(
		'on a PostgreSQL that restarts under load loses no lead that was accepted',
		async ({ expect, skip }) => {
			await using postgres = await startPostgres();
			if (!postgres.control) return skip('The server of TEST_POSTGRES_URL cannot be stopped.');
			await using team = await startSalesTeam();
			const url = await postgres.createDatabase();
			await using server = await startServer({ ...quick, ...team.settings, LEAD_STORE: url });
			const senders = new LeadSenders(async () => server.url);
			const load = senders.send(150, 10);
			await expect.poll(() => senders.accepted.size).toBeGreaterThan(20);
			await postgres.control.stop();
			await expect.poll(() => senders.statuses.get(503) ?? 0).toBeGreaterThan(0);
			expect((await fetch(`${server.url}/api/status`)).status).toBe(200);
			await postgres.control.start();
			await load;
			expect(senders.accepted.size).toBe(150);
			// These claims lost their answer.
			await endLeases(url);
			await expect.poll(() => team.missing(senders.accepted).length).toBe(0);
			expect([...team.webhooks.keys()].filter((lead) => !senders.sent.has(lead))).toEqual([]);
		},
	);
});
