import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { LeadSenders } from '../support/lead-senders.ts';
import { postLead } from '../support/post-lead.ts';
import { TestProcess } from '../support/process.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const quick = { LEAD_RATE_LIMIT: 'off', LEAD_RETRY: '1s 1s 1s' };

describe.concurrent('On SIGTERM', () => {
	test('deliveries in flight are finished, and the rest waits for the next start', async () => {
		await using folder = await temporaryFolder();
		const held = Promise.withResolvers<void>();
		await using receiver = await startWebhookReceiver({ until: held.promise });
		const settings = { ...quick, LEAD_WEBHOOK_URL: receiver.url, LEAD_STORE: `sqlite:${folder.path}/leads.db` };
		await using server = await startServer(settings);
		await new LeadSenders(async () => server.url).send(20, 20);
		await receiver.received(8);
		server.process.signal('SIGTERM');
		await server.process.printed(/Stopping/);
		held.resolve();
		expect(await server.process.exit()).toBe(0);
		expect(receiver.requests).toHaveLength(8);
		expect(deliveriesIn(settings.LEAD_STORE)).toEqual({ sent: 8, waiting: 12, leased: 0, tries: 8 });

		await using next = await startServer(settings);
		await receiver.received(20);
		await next.process.printed(/(Delivered[^]*){12}/);
		expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(20);
	});

	test('a delivery that does not end is given back, and does not count as a try', async () => {
		await using folder = await temporaryFolder();
		await using receiver = await startWebhookReceiver({ until: new Promise(() => {}) });
		const settings = { ...quick, LEAD_WEBHOOK_URL: receiver.url, LEAD_STORE: `sqlite:${folder.path}/leads.db` };
		await using server = await startServer(settings);
		await postLead(server.url);
		await receiver.received(1);
		server.process.signal('SIGTERM');
		expect(await server.process.exit()).toBe(0);
		expect(deliveriesIn(settings.LEAD_STORE)).toEqual({ sent: 0, waiting: 1, leased: 0, tries: 0 });
	});

	test('a client that never ends its request keeps nothing from ending well', async () => {
		await using server = await startServer();
		const client = connect(Number(new URL(server.url).port), 'localhost');
		client.write(
			'POST /api/contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
		);
		client.on('error', () => {});
		expect((await fetch(`${server.url}/api/status`)).status).toBe(200);
		server.process.signal('SIGTERM');
		expect(await server.process.exit()).toBe(0);
	});
});

test('a stored lead that no message can be made of is retried like any other and parked, and the log quotes nothing of it', async () => {
	await using folder = await temporaryFolder();
	const settings = { ...quick, LEAD_STORE: `sqlite:${folder.path}/leads.db` };
	await using first = await startWebhookReceiver({ status: 500 });
	await using before = await startServer({ ...settings, LEAD_WEBHOOK_URL: first.url });
	await postLead(before.url);
	await before.process.printed(/Not delivered yet/);
	before.process.signal('SIGKILL');
	await before.process.exit();
	using database = new DatabaseSync(join(folder.path, 'leads.db'));
	database.exec(`UPDATE lead_entries SET payload = 'Ana Ruiz, not JSON'`);
	await using after = await startServer({ ...settings, LEAD_WEBHOOK_URL: first.url });
	await after.process.printed(/"tries":4,"reason":"SyntaxError".*parked/);
	expect(after.process.output).not.toContain('Ana');
});

describe('A store that cannot be opened stops the start, and says why and what to do', () => {
	test.each<[string, (folder: string) => Promise<string>, RegExp]>([
		['a folder', async (folder) => `sqlite:${folder}`, /EISDIR.*LEAD_STORE/],
		[
			'no database',
			async (folder) => (await writeFile(join(folder, 'file'), 'x'.repeat(5000)), `sqlite:${folder}/file`),
			/not a database.*LEAD_STORE/,
		],
		[
			'nobody there',
			async () => 'postgres://me:hunter2@127.0.0.1:9/leads',
			/database leads on 127\.0\.0\.1\) cannot be opened: connect ECONNREFUSED.*LEAD_STORE/,
		],
		['no kind that we know', async () => 'mysql://me:hunter2@localhost/leads', /LEAD_STORE must be sqlite/],
	])('%s', async (_, settingIn, reason) => {
		await using folder = await temporaryFolder();
		await using server = new TestProcess(['var/test/dist/server/entry.mjs'], {
			env: { PORT: '0', LEAD_STORE: await settingIn(folder.path) },
		});
		expect(await server.exit()).toBe(1);
		expect(server.output).toMatch(reason);
		expect(server.output).not.toMatch(/hunter2|\n {4}at /);
	});

	test('a folder that is not ours to write', async ({ skip }) => {
		if (process.getuid?.() === 0)
			return skip('The test of a folder that may not be written was skipped: root may write everywhere.');
		await using folder = await temporaryFolder();
		await mkdir(join(folder.path, 'closed'));
		await chmod(join(folder.path, 'closed'), 0o500);
		await using server = new TestProcess(['var/test/dist/server/entry.mjs'], {
			env: { PORT: '0', LEAD_STORE: `sqlite:${folder.path}/closed/leads.db` },
		});
		expect(await server.exit()).toBe(1);
		expect(server.output).toMatch(/EACCES.*LEAD_STORE/);
	});
});

function deliveriesIn(store: string): Record<string, unknown> {
	using database = new DatabaseSync(store.replace('sqlite:', ''));
	return {
		...database
			.prepare(
				`SELECT sum(state = 'sent') AS sent, sum(state = 'waiting') AS waiting, count(lease_owner) AS leased, sum(tries) AS tries
				FROM lead_deliveries`,
			)
			.get(),
	};
}
