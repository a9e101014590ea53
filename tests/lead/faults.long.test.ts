import { lstatSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, test } from 'vitest';
import { openStore } from '../../src/lead/store/index.ts';
import { LeadSenders } from '../support/lead-senders.ts';
import { runLeads } from '../support/leads-command.ts';
import { postLead } from '../support/post-lead.ts';
import { postgresMissing, startPostgres } from '../support/postgres.ts';
import { startSalesTeam } from '../support/sales-team.ts';
import { startServer } from '../support/server.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { startStoring } from '../support/storing-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookReceiver, type WebhookReply } from '../support/webhook-receiver.ts';
import { newEntry } from './store/entries.ts';

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

	test.for(['sqlite', 'postgres'])(
		'that one of three recipients puts off and one refuses comes again to the first of these alone, over a restart: %s',
		async (kind, { expect, skip }) => {
			if (kind === 'postgres' && postgresMissing) return skip(postgresMissing);
			await using folder = await temporaryFolder();
			await using postgres = kind === 'postgres' ? await startPostgres() : undefined;
			const [first, later, nobody] = ['first', 'later', 'nobody'].map((name) => `${name}@website.test`) as [
				string,
				string,
				string,
			];
			await using smtp = await startSmtpServer({ refuse: { [later]: [450, 450], [nobody]: 550 } });
			const env = {
				...quick,
				...smtp.settings,
				LEAD_EMAIL_TO: [first, later, nobody].join(','),
				LEAD_STORE: (await postgres?.createDatabase()) ?? `sqlite:${folder.path}/leads.db`,
			};
			const reason = '1 of 3 recipients were put off: SMTP 450 to RCPT TO; 1 of 3 recipients were refused';
			await using before = await startServer(env);
			expect((await postLead(before.url, { message })).status).toBe(200);
			await before.process.printed(new RegExp(`"tries":1,"reason":"${reason}".*Not delivered yet`));
			before.process.signal('SIGKILL');
			await before.process.exit();

			await using after = await startServer(env);
			const [, id] = await after.process.printed(/"lead":"(.*?)".*Delivered/);
			expect(smtp.mails.map(({ to }) => to)).toEqual([[first], [later]]);
			expect(smtp.mails[1]!.raw).toBe(smtp.mails[0]!.raw);
			const note = '1 of 3 recipients were refused';
			await after.process.printed(new RegExp(`"note":"${note}"`));
			expect((await runLeads(['show', id!], env)).stdout).toContain(note);
			expect(before.process.output + after.process.output).not.toContain('@website.test');
		},
	);

	test('that finds a server without STARTTLS for a moment, or one that wants it, waits and is told of', async () => {
		await using team = await startSalesTeam({ refuseSender: { 'website@website.test': 530 } });
		const elsewhere = team.settings.SMTP_URL.replace('127.0.0.1', '0.0.0.0');
		for (const [url, reason] of [
			[elsewhere, 'SMTP 50\\d to STARTTLS'],
			[team.settings.SMTP_URL, 'SMTP 530 to MAIL FROM'],
		]) {
			await using server = await startServer({ ...quick, ...team.settings, SMTP_URL: url! });
			await postLead(server.url, { message });
			await server.process.printed(new RegExp(`"tries":3,"reason":"${reason}".*Not delivered yet`));
			await server.process.printed(new RegExp(`"reason":"${reason}".*A channel keeps failing`));
		}
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

	const switching: WebhookReply = { status: 101, headers: { connection: 'upgrade', upgrade: 'websocket' }, body: '' };
	test.for([
		['asked again, and the lead parked in the end', 'sqlite', 200, /"tries":1,"reason":"HTTP 101".*\n.*"tries":2.*parked/],
		['given up where there is no store, and the lead refused', 'none', 503, /"reason":"HTTP 101".*"Not delivered\."/],
	] as const)('that answers 101 is %s', async ([, kind, expected, said], { expect }) => {
		await using folder = await temporaryFolder();
		await using receiver = await startWebhookReceiver(switching);
		const store = kind === 'none' ? kind : `sqlite:${folder.path}/leads.db`;
		await using server = await startServer({ LEAD_RETRY: '1s', LEAD_STORE: store, LEAD_WEBHOOK_URL: receiver.url });
		expect((await postLead(server.url)).status).toBe(expected);
		await server.process.printed(said);
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
		// Allocated space may still have room for some leads.
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
		// The files must be closed before the disk is removed.
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

describe.concurrent('The files of a store that are', () => {
	/** Starts a server that could not deliver its first lead. Its webhook takes leads once `up` is set. */
	async function startWaiting() {
		const channel = { up: false };
		const storing = await startStoring(quick, () => ({ status: channel.up ? 200 : 500 }));
		await postLead(storing.server.url, { message: 'before-lead' });
		await storing.server.process.printed(/Not delivered yet/);
		const arrived = (message: string) =>
			storing.receiver.requests.some(({ body }) => channel.up && body.includes(`"message":"${message}"`));
		const news = () => storing.server.process.log.filter(({ msg, level }) => level === 'error' && /lead store/.test(String(msg)));
		return { ...storing, file: `${storing.folder}/leads.db`, channel, arrived, news };
	}
	type Waiting = Awaited<ReturnType<typeof startWaiting>>;

	test.for<[string, (waiting: Waiting) => unknown]>([
		['removed', ({ file }) => rmSync(file)],
		['removed with their folder', ({ folder }) => rmSync(folder, { recursive: true })],
		['moved', ({ file }) => renameSync(file, `${file}.old`)],
		[
			'moved, with a link to them in their place',
			({ file }) => {
				renameSync(file, `${file}.old`);
				symlinkSync(`${file}.old`, file);
			},
		],
		['no longer beside it', ({ file }) => rmSync(`${file}-wal`)],
		['no longer beside it, both', ({ file }) => ['-wal', '-shm'].forEach((part) => rmSync(file + part))],
		[
			'removed and made anew by a command',
			async ({ folder, leads }) => {
				rmSync(folder, { recursive: true });
				await leads('list');
			},
		],
		[
			'replaced by an older copy',
			async ({ folder, file, leads, server }) => {
				await leads('backup', `${folder}/copy.db`);
				await postLead(server.url, { message: 'since-lead' });
				renameSync(`${folder}/copy.db`, file);
			},
		],
	])('%s while the server runs are made whole, and no lead is lost', { timeout: 60_000 }, async ([, harm], { expect }) => {
		await using waiting = await startWaiting();
		const { server, channel, arrived, news, env } = waiting;
		await harm(waiting);
		expect((await postLead(server.url, { message: 'after-lead' })).status).toBe(200);
		await postLead(server.url, { message: 'last-lead' });
		expect(news().map(({ msg }) => String(msg))).toEqual([expect.stringMatching(/Nothing is lost\. Stop the server before you/)]);
		server.process.signal('SIGKILL');
		await server.process.exit();
		channel.up = true;
		await using next = await startServer(env);
		for (const message of ['before-lead', 'after-lead', 'last-lead'])
			await expect.poll(() => arrived(message), eventually).toBe(true);
		expect(next.process.log.filter(({ level }) => level === 'error')).toEqual([]);
	});

	test.for<[string, (waiting: Waiting) => unknown]>([
		[
			'gone and cannot be written again',
			({ folder }) => {
				rmSync(folder, { recursive: true });
				writeFileSync(folder, 'No folder.');
			},
		],
		[
			'gone, with a link in their place that leads nowhere',
			({ folder }) => {
				rmSync(folder, { recursive: true });
				symlinkSync(folder, folder);
			},
		],
		[
			'replaced by those of another store',
			async ({ file }) => {
				{
					await using other = await openStore({ kind: 'sqlite', path: `${file}.other` });
					await other.insert(newEntry());
				}
				renameSync(`${file}.other`, file);
			},
		],
	])(
		'%s: leads get 503 until that is mended, and what was taken is still there',
		{ timeout: 60_000 },
		async ([, harm], { expect }) => {
			await using waiting = await startWaiting();
			const { server, channel, arrived, news, folder, file } = waiting;
			await harm(waiting);
			expect((await postLead(server.url, { message: 'refused-lead' })).status).toBe(503);
			await server.process.printed(/"err":\{[^\n]*lead store [^\n]*leave the server running/);
			expect(news()).toEqual([]);
			rmSync(lstatSync(folder).isDirectory() ? file : folder);
			expect((await postLead(server.url, { message: 'after-lead' })).status).toBe(200);
			channel.up = true;
			for (const message of ['before-lead', 'after-lead']) await expect.poll(() => arrived(message), eventually).toBe(true);
		},
	);
});
