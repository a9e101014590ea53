import { lstatSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type ExpectStatic, test } from 'vitest';
import { openStore } from '../../src/lead/store/index.ts';
import { endLeases } from '../support/leases.ts';
import { LeadSenders } from '../support/lead-senders.ts';
import { postLead } from '../support/post-lead.ts';
import { postgresMissing, startPostgres } from '../support/postgres.ts';
import { startSalesTeam } from '../support/sales-team.ts';
import { startServer } from '../support/server.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { startStoring } from '../support/storing-server.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { newEntry } from './store/entries.ts';

const quick = { LEAD_RATE_LIMIT: 'off', LEAD_RETRY: Array.from({ length: 60 }, () => '1s').join(' ') };
const message = 'call-me';

describe.concurrent('A channel that cannot take a lead at first', () => {
	test('gets it later, under the same id, and nothing else is sent twice', async ({ expect }) => {
		await using team = await startSalesTeam({ judge: (_, before) => (before === 0 ? 451 : 250) });
		await using server = await startServer({ ...quick, ...team.settings });
		expect((await postLead(server.url, { message })).status).toBe(200);
		await expect.poll(() => team.missing([message])).toEqual([]);
		const [first, second] = team.smtp.offered;
		expect(second!.raw).toBe(first!.raw);
		expect(team.webhooks.get(message)).toHaveLength(1);
	});

	test('as a webhook that answers 500 is asked again, under the same id', async ({ expect }) => {
		await using receiver = await startWebhookReceiver((_, before) => ({ status: before === 0 ? 500 : 200 }));
		await using server = await startServer({ ...quick, LEAD_WEBHOOK_URL: receiver.url });
		await postLead(server.url);
		await receiver.received(2);
		const [first, second] = receiver.requests;
		expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
		expect(second!.body).toBe(first!.body);
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
			// Of claims whose answer was lost.
			await endLeases(url);
			await expect.poll(() => team.missing(senders.accepted).length).toBe(0);
			expect([...team.webhooks.keys()].filter((lead) => !senders.sent.has(lead))).toEqual([]);
		},
	);
});

describe.concurrent('The files of a store that are', () => {
	/** Starts a server that could not deliver its first lead. Its webhook takes leads once `up` is set. */
	async function startWaiting(expect: ExpectStatic) {
		const channel = { up: false };
		const storing = await startStoring(quick, () => ({ status: channel.up ? 200 : 500 }));
		await postLead(storing.server.url, { message: 'before-lead' });
		const tries = () => {
			using database = storing.database();
			return database.prepare('SELECT tries FROM lead_deliveries').get()!['tries'];
		};
		await expect.poll(tries).toBeGreaterThan(0);
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
	])('%s while the server runs are made whole, and no lead is lost', async ([, harm], { expect }) => {
		await using waiting = await startWaiting(expect);
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
		for (const message of ['before-lead', 'after-lead', 'last-lead']) await expect.poll(() => arrived(message)).toBe(true);
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
	])('%s: leads get 503 until that is mended, and what was taken is still there', async ([, harm], { expect }) => {
		await using waiting = await startWaiting(expect);
		const { server, channel, arrived, news, folder, file } = waiting;
		await harm(waiting);
		expect((await postLead(server.url, { message: 'refused-lead' })).status).toBe(503);
		expect(news()).toEqual([]);
		rmSync(lstatSync(folder).isDirectory() ? file : folder);
		expect((await postLead(server.url, { message: 'after-lead' })).status).toBe(200);
		channel.up = true;
		for (const message of ['before-lead', 'after-lead']) await expect.poll(() => arrived(message)).toBe(true);
	});
});
