import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import type { Channel } from '../../../src/lead/channels/channel.ts';
import { openPipeline } from '../../../src/lead/pipeline.ts';
import type { StoreSetting } from '../../../src/lead/store/index.ts';
import { leadWith } from '../../support/lead.ts';
import { LeadSenders } from '../../support/lead-senders.ts';
import { postgresMissing, startPostgres } from '../../support/postgres.ts';
import { postLead } from '../../support/post-lead.ts';
import { TestProcess } from '../../support/process.ts';
import { startServer } from '../../support/server.ts';
import { startSmtpServer } from '../../support/smtp-server.ts';
import { startStoring } from '../../support/storing-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';

const quick = { LEAD_RATE_LIMIT: 'off', LEAD_RETRY: '1s 1s 1s' };

describe.concurrent('On SIGTERM', () => {
	test('deliveries in flight are finished, and the rest waits for the next start', async () => {
		const held = Promise.withResolvers<void>();
		await using storing = await startStoring(quick, { until: held.promise });
		const { receiver, server } = storing;
		await new LeadSenders(async () => server.url).send(20, 20);
		await receiver.received(8);
		server.process.signal('SIGTERM');
		await server.process.printed(/Stopping/);
		held.resolve();
		expect(await server.process.exit()).toBe(0);
		expect(receiver.requests).toHaveLength(8);
		expect(deliveriesIn(storing.env.LEAD_STORE)).toEqual({ sent: 8, waiting: 12, leased: 0, tries: 8 });

		await using next = await startServer(storing.env);
		await receiver.received(20);
		await next.process.printed(/(Delivered[^]*){12}/);
		expect(next.process.output).not.toContain('A note');
		expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(20);
	});

	test('a delivery that does not end is given back, and does not count as a try', async () => {
		await using storing = await startStoring(quick, { until: new Promise(() => {}) });
		const { receiver, server } = storing;
		await postLead(server.url);
		await receiver.received(1);
		server.process.signal('SIGTERM');
		expect(await server.process.exit()).toBe(0);
		expect(deliveriesIn(storing.env.LEAD_STORE)).toEqual({ sent: 0, waiting: 1, leased: 0, tries: 0 });
	});

	test('a store that cannot be written is not waited for, and the next start makes the delivery again', async () => {
		const held = Promise.withResolvers<void>();
		await using storing = await startStoring(quick, { until: held.promise });
		using database = await deliverUnnoted(storing, held.resolve);
		const { receiver, server } = storing;
		server.process.signal('SIGTERM');
		await server.process.printed(/did not close well/);
		expect(await server.process.exit()).toBe(1);
		database.exec('COMMIT');
		await using next = await startServer(storing.env);
		await next.process.printed(/Delivered/);
		expect(receiver.requests).toHaveLength(2);
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

test.each(['sqlite', 'none'] as const)(
	'A channel that never settles and ignores its signal is given up on all the same: LEAD_STORE=%s',
	async (kind) => {
		await using folder = await temporaryFolder();
		const begun = Promise.withResolvers<void>();
		const deaf: Channel = { name: 'deaf', send: () => (begun.resolve(), new Promise(() => {})) };
		const store: StoreSetting = kind === 'none' ? { kind } : { kind, path: `${folder.path}/leads.db` };
		const log = pino({ level: 'silent' });
		const pipeline = await openPipeline({ store, channels: [deaf], schedule: [], retention: 0, language: 'en', log });
		const taken = pipeline.intake.take(leadWith(), {});
		await begun.promise;
		// In the time of a try: within a request if there is no store, or in the time left when the process stops.
		expect(await taken).toBe(kind === 'none' ? 'unavailable' : 'accepted');
		await pipeline.stop();
	},
);

describe('A delivery', () => {
	test.each([
		['with a store', (folder: string) => `sqlite:${folder}/leads.db`],
		['without a store', () => 'none'],
	])('that one of two recipients refused is noted in the log, %s', async (_, placeIn) => {
		await using folder = await temporaryFolder();
		await using mailServer = await startSmtpServer({ refuse: { 'second@website.test': 550 } });
		const to = { LEAD_EMAIL_TO: 'first@website.test,second@website.test' };
		await using server = await startServer({ ...mailServer.settings, ...to, LEAD_STORE: placeIn(folder.path) });
		await postLead(server.url);
		await server.process.printed(/"note":"1 of 2 recipients were refused"/);
	});

	test('that one of two recipients puts off is taken without a store, and the log says who is left without', async () => {
		await using mailServer = await startSmtpServer({ refuse: { 'second@website.test': 450 } });
		const to = { LEAD_EMAIL_TO: 'first@website.test,second@website.test' };
		await using server = await startServer({ ...mailServer.settings, ...to, LEAD_STORE: 'none' });
		expect((await postLead(server.url)).status).toBe(200);
		await server.process.printed(/"reason":"1 of 2 recipients were put off: SMTP 450 to RCPT TO".*"Not delivered\."/);
	});

	test('is not tried again by its own server while the try goes on, though its lease has ended', async () => {
		const held = Promise.withResolvers<void>();
		await using storing = await startStoring(quick, { until: held.promise });
		const { receiver, server } = storing;
		await postLead(server.url, { message: 'one' });
		await receiver.received(1);
		using database = storing.database();
		database.exec('UPDATE lead_deliveries SET since = since - 61000, due_at = due_at - 61000');
		await postLead(server.url, { message: 'two' });
		await receiver.received(2);
		held.resolve();
		await server.process.printed(/(Delivered[^]*){2}/);
		// A second try of the first lead would have begun with the second lead.
		await postLead(server.url, { message: 'three' });
		await server.process.printed(/(Delivered[^]*){3}/);
		expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
		expect(receiver.requests).toHaveLength(3);
	});

	test('that is retried by the operator during its last try is tried again', async () => {
		const held = Promise.withResolvers<void>();
		await using storing = await startStoring(quick, (_, before) =>
			before === 0 ? { status: 410, until: held.promise } : { status: 200 },
		);
		const { receiver, server } = storing;
		await postLead(server.url);
		await receiver.received(1);
		const id = String(receiver.requests[0]!.headers['webhook-id']);
		expect((await storing.leads('retry', id)).code).toBe(0);
		held.resolve();
		await server.process.printed(/tried again, as the operator wanted[^]*Delivered/);
		expect(receiver.requests).toHaveLength(2);
	});

	test('that a server was killed over is tried by the next at once, and not when its lease has ended', async () => {
		await using storing = await startStoring(quick, (_, before) => (before === 0 ? { until: new Promise(() => {}) } : {}));
		const { receiver, server } = storing;
		await postLead(server.url);
		await receiver.received(1);
		server.process.signal('SIGKILL');
		await server.process.exit();
		await using next = await startServer(storing.env);
		await next.process.printed(/Delivered/);
	});
});

test.skipIf(postgresMissing)(
	'Two instances on one PostgreSQL whose clocks differ do not try the same delivery at once',
	{ timeout: 60_000 },
	async () => {
		await using postgres = await startPostgres();
		const held = Promise.withResolvers<void>();
		await using receiver = await startWebhookReceiver({ until: held.promise });
		const settings = { ...quick, LEAD_WEBHOOK_URL: receiver.url, LEAD_STORE: await postgres.createDatabase() };
		await using punctual = await startServer(settings);
		await postLead(punctual.url, { message: 'one' });
		await receiver.received(1);
		await using early = await startServer(settings, [], ['--import', './tests/support/shifted-clock.ts']);
		await postLead(early.url, { message: 'two' });
		await receiver.received(2);
		held.resolve();
		// Either server may find the second lead first.
		const delivered = () => [punctual, early].flatMap(({ process }) => process.output.match(/Delivered/g) ?? []);
		await expect.poll(delivered).toHaveLength(2);
		expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
		expect(receiver.requests).toHaveLength(2);
	},
);

test('While another process has the store locked, only leads wait', async () => {
	await using storing = await startStoring();
	const { server } = storing;
	using database = storing.database();
	database.exec('BEGIN IMMEDIATE');
	const answer = postLead(server.url);
	for (const path of ['/api/status', '/contact']) {
		const first = await Promise.race([answer, fetch(server.url + path)]);
		expect([new URL(first.url).pathname, first.status]).toEqual([path, 200]);
	}
	database.exec('COMMIT');
	expect((await answer).status).toBe(200);
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
	database.exec(`UPDATE lead_entries SET payload = CAST('Ana Ruiz, sealed with no key of ours' AS BLOB)`);
	await using after = await startServer({ ...settings, LEAD_WEBHOOK_URL: first.url });
	await after.process.printed(/"tries":4,"reason":"TypeError".*parked/);
	expect(after.process.output).not.toContain('Ana');
});

describe('A store that cannot be opened stops the start, and says why and what to do', () => {
	test.each<[string, (folder: string) => Promise<string>, RegExp]>([
		['a folder', async (folder) => `sqlite:${folder}`, /EISDIR.*LEAD_STORE/],
		['below a file', async () => 'sqlite:/dev/null/leads.db', /store \/dev\/null\/leads\.db cannot be opened: .*LEAD_STORE/],
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

/**
 * Makes a first, held delivery whose result cannot be stored.
 *
 * @returns the transaction that locks the store's file until it ends
 */
async function deliverUnnoted({ database, receiver, server }: Awaited<ReturnType<typeof startStoring>>, letGo: () => void) {
	await postLead(server.url);
	await receiver.received(1);
	const holder = database();
	holder.exec('BEGIN IMMEDIATE');
	letGo();
	await server.process.printed(/cannot save the result of a delivery/);
	return holder;
}
