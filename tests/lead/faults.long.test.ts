import { lstatSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
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
});

describe.concurrent('A webhook', () => {
	const busy = { status: 429, headers: { 'retry-after': '3' } };
	test('that answers 500 is asked again, under the same id', async ({ expect }) => {
		await using receiver = await startWebhookReceiver((_, before) => ({ status: before === 0 ? 500 : 200 }));
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
		const { server, channel, arrived, news, env, leads } = waiting;
		await harm(waiting);
		expect((await postLead(server.url, { message: 'after-lead' })).status).toBe(200);
		// A command and the server read each other's changes.
		await postLead(server.url, { message: 'erased-lead', email: 'gone@clinic.example' });
		expect((await leads('erase', 'gone@clinic.example', '--yes')).stdout).toMatch(/^Deleted 1 entry/);
		expect((await postLead(server.url, { message: 'last-lead' })).status).toBe(200);
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
