import { writeFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, test } from 'vitest';
import { LeadSenders } from '../support/lead-senders.ts';
import { postLead } from '../support/post-lead.ts';
import { postgresMissing, startPostgres } from '../support/postgres.ts';
import { startSalesTeam } from '../support/sales-team.ts';
import { startServer } from '../support/server.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { startWebhookReceiver, type WebhookReply } from '../support/webhook-receiver.ts';

const quick = { LEAD_RATE_LIMIT: 'off', LEAD_RETRY: Array.from({ length: 60 }, () => '1s').join(' ') };
const message = 'call-me';
const eventually = { timeout: 60_000 };

describe.concurrent('Mail', () => {
	test('waits for a server that is down for a while, and nothing else is sent twice', async ({ expect }) => {
		await using team = await startSalesTeam();
		await team.smtp[Symbol.asyncDispose]();
		await using server = await startServer({ ...quick, ...team.settings });
		expect((await postLead(server.url, { message })).status).toBe(200);
		await server.process.printed(/ECONNREFUSED.*Not delivered yet/);
		await using smtp = await startSmtpServer({ port: team.smtp.port });
		await expect.poll(() => smtp.mails.length, eventually).toBe(1);
		expect(team.webhooks.get(message)).toHaveLength(1);
	});

	test('that is refused for good is parked at once, and the webhook has the lead', async ({ expect }) => {
		await using team = await startSalesTeam({ judge: () => 550 });
		await using server = await startServer({ ...quick, ...team.settings });
		await postLead(server.url, { message });
		await server.process.printed(/"channel":"email","tries":1,"reason":"SMTP 550.*parked/);
		await expect.poll(() => team.webhooks.get(message)).toHaveLength(1);
		expect(team.smtp.offered).toHaveLength(1);
	});

	test('that is greylisted comes again as the very same mail', async ({ expect }) => {
		await using team = await startSalesTeam({ judge: (_, before) => (before === 0 ? 450 : 250) });
		await using server = await startServer({ ...quick, ...team.settings });
		await postLead(server.url, { message });
		await expect.poll(() => team.smtp.mails.length, eventually).toBe(1);
		const [refused, taken] = team.smtp.offered;
		expect(taken!.parsed.messageId).toMatch(/^<lead-.+@website\.test>$/);
		expect(taken!.raw).toBe(refused!.raw);
		expect(team.webhooks.get(message)).toHaveLength(1);
	});

	test('that a server takes without a word comes again with the same Message-ID', async ({ expect }) => {
		await using team = await startSalesTeam({ judge: (_, before) => (before === 0 ? 'hang-up' : 250) });
		await using server = await startServer({ ...quick, ...team.settings });
		await postLead(server.url, { message });
		await expect.poll(() => team.smtp.mails.length, eventually).toBe(2);
		await server.process.printed(/"channel":"email","tries":2.*Delivered/);
		expect(new Set(team.mails.get(message)).size).toBe(1);
	});

	test('that takes a server five seconds keeps no visitor waiting', async ({ expect }) => {
		const events: string[] = [];
		await using team = await startSalesTeam({
			judge: async () => {
				await wait(5000);
				events.push('mail taken');
			},
		});
		await using server = await startServer({ ...quick, ...team.settings });
		for (const lead of ['first', 'second', 'third']) {
			expect((await postLead(server.url, { message: lead })).status).toBe(200);
			events.push('answered');
			await expect.poll(() => team.smtp.offered.length, eventually).toBe(events.length);
		}
		await expect.poll(() => team.mails.size, eventually).toBe(3);
		expect(events).toEqual([...Array(3).fill('answered'), ...Array(3).fill('mail taken')]);
	});
});

describe.concurrent('A webhook', () => {
	const busy = { status: 429, headers: { 'retry-after': '3' } };
	test.for<[string, WebhookReply]>([
		['500', { status: 500 }],
		['503', { status: 503 }],
		['408', { status: 408 }],
	])('that answers %s is asked again, under the same id', async ([, reply], { expect }) => {
		await using receiver = await startWebhookReceiver((_, before) => (before === 0 ? reply : {}));
		await using server = await startServer({ ...quick, LEAD_WEBHOOK_URL: receiver.url });
		await postLead(server.url);
		await server.process.printed(/"tries":2.*Delivered/);
		const [first, second] = receiver.requests;
		expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
		expect(second!.body).toBe(first!.body);
	});

	test('that asks for time with 429 is given it', async ({ expect }) => {
		const times: number[] = [];
		await using receiver = await startWebhookReceiver((_, before) => (times.push(Date.now()), before === 0 ? busy : {}));
		await using server = await startServer({ ...quick, LEAD_WEBHOOK_URL: receiver.url });
		await postLead(server.url);
		await server.process.printed(/"tries":2.*Delivered/);
		expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(3000);
	});

	test.for<[string, WebhookReply, Record<string, string>]>([
		['HTTP 302', { status: 302, headers: { location: '/elsewhere' } }, {}],
		['HTTP 404', { status: 404 }, {}],
		['HTTP 410', { status: 410 }, {}],
		['HTTP 200 invalid_payload', { body: 'invalid_payload' }, { LEAD_WEBHOOK_FORMAT: 'slack' }],
		['HTTP 404 no_service', { status: 404, body: 'no_service' }, { LEAD_WEBHOOK_FORMAT: 'slack' }],
	])('that answers %s is not asked again, nor followed', async ([reason, reply, settings], { expect }) => {
		await using receiver = await startWebhookReceiver(reply);
		await using server = await startServer({ ...quick, ...settings, LEAD_WEBHOOK_URL: receiver.url });
		await postLead(server.url);
		const about = { tries: 1, reason, msg: expect.stringContaining('parked') };
		await expect.poll(() => server.process.log).toContainEqual(expect.objectContaining(about));
		expect(receiver.requests.map(({ path }) => path)).toEqual([new URL(receiver.url).pathname]);
	});

	test('that hangs is given up after half a minute, holds up no other lead, and is asked again', async ({ expect }) => {
		const never = new Promise(() => {});
		await using receiver = await startWebhookReceiver((_, before) => (before === 0 ? { until: never } : {}));
		await using server = await startServer({ ...quick, LEAD_WEBHOOK_URL: receiver.url });
		await postLead(server.url, { message: 'hanging' });
		await receiver.received(1);
		await postLead(server.url, { message: 'not hanging' });
		await server.process.printed(/Delivered/);
		await server.process.printed(/"tries":1,"reason":"TimeoutError".*\n.*"tries":2.*Delivered/);
		expect(receiver.requests.filter(({ body }) => body.includes('"hanging"'))).toHaveLength(2);
	});

	test('that hangs is given up after ten seconds where there is no store, and the lead refused', async ({ expect }) => {
		await using receiver = await startWebhookReceiver({ until: new Promise(() => {}) });
		await using server = await startServer({ ...quick, LEAD_STORE: 'none', LEAD_WEBHOOK_URL: receiver.url });
		const { status } = await postLead(server.url);
		expect(status).toBe(503);
		await server.process.printed(/"reason":"TimeoutError".*"Not delivered\."/);
	});
});

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
		// What was allocated may still have room for some.
		do statuses.push((await postLead(server.url, { ...large, name: `Ana ${statuses.length}` })).status);
		while (statuses.at(-1) === 200 && statuses.length < 100);
		expect(statuses.at(-1)).toBe(503);
		const others = await Promise.all(['/api/status', '/contact', '/openapi.json'].map((path) => fetch(server.url + path)));
		expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
		await server.process.printed(/A lead was refused: the store cannot save it/);

		rmSync(ballast);
		expect((await postLead(server.url, { message })).status).toBe(200);
		await expect.poll(() => team.missing([message]), eventually).toEqual([]);
		const taken = statuses.filter((status) => status === 200).length;
		await expect.poll(() => team.webhooks.get(large.message)?.length ?? 0, eventually).toBeGreaterThanOrEqual(taken);
		// Its files must be closed before the disk goes.
		await server.process[Symbol.asyncDispose]();
	});

	test.skipIf(postgresMissing)(
		'on a PostgreSQL that restarts under load loses no lead that was accepted',
		{ timeout: 90_000 },
		async ({ expect, skip }) => {
			await using postgres = await startPostgres();
			if (!postgres.control) return skip('The server of TEST_POSTGRES_URL cannot be stopped.');
			await using team = await startSalesTeam();
			await using server = await startServer({ ...quick, ...team.settings, LEAD_STORE: await postgres.createDatabase() });
			const senders = new LeadSenders(async () => server.url);
			const load = senders.send(150, 10);
			await expect.poll(() => senders.accepted.size, eventually).toBeGreaterThan(20);
			await postgres.control.stop();
			await expect.poll(() => senders.statuses.get(503) ?? 0, eventually).toBeGreaterThan(0);
			expect((await fetch(`${server.url}/api/status`)).status).toBe(200);
			await postgres.control.start();
			await load;
			expect(senders.accepted.size).toBe(150);
			await expect.poll(() => team.missing(senders.accepted).length, { timeout: 60_000, interval: 100 }).toBe(0);
			expect([...team.webhooks.keys()].filter((lead) => !senders.sent.has(lead))).toEqual([]);
		},
	);
});
