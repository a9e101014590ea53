import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { uuidv7 } from 'uuidv7';
import { describe, expect, test, vi } from 'vitest';
import type { Channel, SendResult } from '../../src/channels/channel.ts';
import { spamCheck } from '../../src/outbox/judging.ts';
import { openOutbox, resultOf } from '../../src/outbox/outbox.ts';
import { deliveryTried } from '../../src/lead/lead.ts';
import { openStore, StoreError, type StorePlace } from '../../src/store/store.ts';
import { openLog } from '../../src/server/log.ts';
import { readSettings } from '../../src/server/settings/settings.ts';
import { leadWith, receivedLead, team } from '../support/lead.ts';
import { postgresMissing, startPostgres } from '../support/postgres.ts';
import { postLead } from '../support/post-lead.ts';
import { openTaking } from '../support/open-taking.ts';
import { TestProcess } from '../support/process.ts';
import { startServer } from '../support/server.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { secret } from '../support/spam-samples.ts';
import { startStoring } from '../support/lead-places.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { claimAs, newEntry } from '../store/entries.ts';

const silent = pino({ level: 'silent' });

/** Opens a store, and an outbox that delivers over one channel and waits for others only shortly. */
async function startDelivering(send: Channel['send'], schedule: number[] = []) {
	const folder = await temporaryFolder();
	const path = `${folder.path}/leads.db`;
	const store = await openStore({ kind: 'sqlite', path }, { lock: 100 });
	/** The ids of the leads that were sent, one for each try. */
	const sends: string[] = [];
	const channel: Channel = { name: 'email', send: (message, ...rest) => (sends.push(message.id), send(message, ...rest)) };
	const common = { store, channels: [channel], schedule, retention: 9, team, scrubs: true, log: silent };
	const start = () => openOutbox(common);
	const outbox = await start();
	return {
		store,
		sends,
		outbox,
		/** Starts another outbox on the same store. */
		start,
		/** Saves leads, and waits until so many of them are being sent. */
		async take(leads: number, sent = leads) {
			await Promise.all(Array.from({ length: leads }, () => store.insert(leadEntry())));
			outbox.saved();
			const before = sends.length;
			await expect.poll(() => sends.length).toBe(before + sent);
		},
		database: () => new DatabaseSync(path, { timeout: 5000 }),
		async [Symbol.asyncDispose]() {
			await outbox.stop(100);
			await store[Symbol.asyncDispose]();
			await folder[Symbol.asyncDispose]();
		},
	};
}

function leadEntry() {
	const received = { ...receivedLead(), id: uuidv7() };
	return newEntry({ id: received.id, payload: JSON.stringify(received) });
}

const sent: SendResult = { ok: true };
const refused: SendResult = { ok: false, permanent: true, reason: 'HTTP 410' };
const never = () => new Promise<never>(() => {});

describe('When the process stops', () => {
	test('deliveries in flight are finished, and the rest waits for the next start', async () => {
		const held = Promise.withResolvers<SendResult>();
		await using delivering = await startDelivering(() => held.promise);
		const { store, sends, outbox } = delivering;
		await delivering.take(12, 8);
		const stopping = outbox.stop();
		held.resolve(sent);
		await stopping;
		expect(sends).toHaveLength(8);
		expect(await store.count()).toMatchObject({ waiting: 4, delivered: 8 });

		const next = await delivering.start();
		await next.tryDue();
		await next.stop();
		expect(await store.count()).toMatchObject({ waiting: 0, delivered: 12 });
		expect([sends.length, new Set(sends).size]).toEqual([12, 12]);
	});

	test('a delivery that ignores its signal and does not end is given back, and does not count as a try', async () => {
		await using delivering = await startDelivering(never);
		await delivering.take(1);
		await delivering.outbox.stop(100);
		expect(await delivering.store.claim(claimAs({ owner: 'the next' }))).toMatchObject([{ id: delivering.sends[0], tries: 0 }]);
	});

	test('a store that cannot be written is not waited for, and the next start makes the delivery again', async () => {
		const held = Promise.withResolvers<SendResult>();
		await using delivering = await startDelivering(() => held.promise);
		const { store, sends } = delivering;
		await delivering.take(1);
		using holder = delivering.database();
		holder.exec('BEGIN IMMEDIATE');
		held.resolve(sent);
		await expect(delivering.outbox.stop(100)).rejects.toThrow(StoreError);
		holder.exec('COMMIT');
		await store.endLeases();
		const next = await delivering.start();
		await next.tryDue();
		await next.stop();
		expect(sends).toEqual([sends[0], sends[0]]);
		expect(await store.count()).toMatchObject({ delivered: 1 });
	});
});

describe('A delivery', () => {
	test.each([
		[550, { level: 'info', note: '1 of 2 recipients were refused' }],
		[450, { level: 'error', reason: '1 of 2 recipients were put off: SMTP 450 to RCPT TO' }],
	])('that one of two recipients answers with %i is taken without a store, and the log says so', async (code, line) => {
		await using mailServer = await startSmtpServer({ refuse: { 'second@website.test': code } });
		const to = { LEAD_EMAIL_TO: 'first@website.test,second@website.test' };
		await using server = await startServer({ ...mailServer.settings, ...to, LEAD_STORE: 'none' });
		expect((await postLead(server.url)).status).toBe(200);
		await expect.poll(() => server.process.log).toContainEqual(expect.objectContaining({ channel: 'email', ...line }));
	});

	test('is not tried again by its own server while the try goes on, though its lease has ended', async () => {
		const held = Promise.withResolvers<SendResult>();
		await using delivering = await startDelivering(() => held.promise);
		const { store, sends, outbox } = delivering;
		await delivering.take(1);
		using database = delivering.database();
		database.exec('UPDATE lead_deliveries SET since = since - 61000, due_at = due_at - 61000');
		await delivering.take(1);
		held.resolve(sent);
		await outbox.tryDue();
		expect(await store.count()).toMatchObject({ delivered: 2 });
		expect([sends.length, new Set(sends).size]).toEqual([2, 2]);
	});

	test('that is due again before its try has ended is tried again', async () => {
		const reported = Promise.withResolvers<void>();
		const failed: SendResult = { ok: false, permanent: false, reason: '500' };
		await using delivering = await startDelivering(async () => failed, [0.001, 0.001, 0.001]);
		const { store, sends, outbox } = delivering;
		const insert = store.insert.bind(store);
		vi.spyOn(store, 'insert').mockImplementation(async (entry) => {
			if (entry.kind === 'notice') await reported.promise;
			return insert(entry);
		});
		await delivering.take(1, 4);
		reported.resolve();
		await outbox.tryDue();
		expect([sends.length, await store.count()]).toMatchObject([4, { parked: 1 }]);
	});

	test('whose result the store cannot save at first is made once', async () => {
		await using delivering = await startDelivering(() => Promise.resolve(sent));
		const { store, sends, outbox } = delivering;
		const mark = vi.spyOn(store, 'mark').mockRejectedValueOnce(new StoreError('down'));
		await delivering.take(1);
		await outbox.tryDue();
		expect([sends.length, mark.mock.calls.length]).toEqual([1, 2]);
		expect(await store.count()).toMatchObject({ delivered: 1 });
	});

	test('whose failure the store cannot save is nobody’s news', async () => {
		const outcomes: string[] = [];
		deliveryTried.subscribe(({ outcome }) => void outcomes.push(outcome));
		await using delivering = await startDelivering(() => Promise.resolve(refused));
		const { store, outbox } = delivering;
		const [mark, insert] = [vi.spyOn(store, 'mark').mockRejectedValue(new StoreError('down')), vi.spyOn(store, 'insert')];
		await delivering.take(1);
		await expect.poll(() => mark.mock.calls.length).toBe(1);
		await outbox.stop(100);
		expect(outcomes).toEqual(['waiting']);
		expect(insert.mock.calls.map(([{ kind }]) => kind)).toEqual(['lead']);
	});

	test('that a receiver asks to have later is due then', async () => {
		const busy: SendResult = { ok: false, permanent: false, reason: 'HTTP 429', retryAfter: 3600 };
		await using delivering = await startDelivering(() => Promise.resolve(busy), [1]);
		await delivering.take(1);
		await delivering.outbox.tryDue();
		expect(await delivering.store.untilDue('email')).toBeGreaterThan(3500_000);
	});

	test('that a process died over is tried by the next at once, and not when its lease has ended', async () => {
		await using folder = await temporaryFolder();
		const results = [never(), Promise.resolve(sent)];
		const begun = Promise.withResolvers<void>();
		const channel: Channel = { name: 'email', send: () => (begun.resolve(), results.shift()!) };
		const store = { kind: 'sqlite', path: `${folder.path}/leads.db` } as const;
		const open = () => openTaking({ store, channels: [channel], schedule: [] });
		const dead = await open();
		expect(await dead.take(leadWith())).toBe('accepted');
		await begun.promise;
		const next = await open();
		await next.tryDue();
		expect(results).toEqual([]);
		for (const { stop } of [next, dead]) await stop(100);
	});

	test('of a lead that cannot be read is tried like any other and parked, and the log quotes nothing of it', async () => {
		await using folder = await temporaryFolder();
		const place = { kind: 'sqlite', path: `${folder.path}/leads.db` } as const;
		{
			await using store = await openStore(place);
			await store.insert(leadEntry());
		}
		using database = new DatabaseSync(place.path, { timeout: 5000 });
		database.exec(`UPDATE lead_entries SET payload = CAST('Ana Ruiz, sealed with no key of ours' AS BLOB)`);
		let log = '';
		const { stop } = await openTaking({
			store: place,
			channels: [{ name: 'email', send: () => Promise.resolve(sent) }],
			schedule: [0.01, 0.01],
			spam: spamCheck(secret, { mayHold: true }, silent),
			log: openLog('info', (line) => void (log += line)),
		});
		const rows = () => database.prepare('SELECT state, tries FROM lead_deliveries').all();
		await expect.poll(rows).toEqual([{ state: 'parked', tries: 3 }]);
		await stop();
		expect(log).not.toContain('Ana');
	});
});

describe('The next try', () => {
	const DAY = 24 * 3600;
	const { LEAD_RETRY: schedule } = readSettings({});
	/** In seconds. */
	const waitAfter = (tries: number, retryAfter?: number, waits = schedule) => {
		const result = resultOf({ ok: false, permanent: false, reason: '500', retryAfter }, tries, waits, '');
		return result.state === 'waiting' ? result.wait / 1000 : undefined;
	};

	test.each(schedule.map((wait, index) => [index + 1, wait]))('after failure %i comes about %i s later', (tries, wait) => {
		const waits = Array.from({ length: 200 }, () => waitAfter(tries)!);
		expect(Math.min(...waits)).toBeGreaterThanOrEqual(wait * 0.8);
		expect(Math.max(...waits)).toBeLessThanOrEqual(wait * 1.2);
		expect(new Set(waits).size).toBeGreaterThan(1);
	});

	test('does not come after the last wait, which by default is over in about three days', () => {
		expect(waitAfter(schedule.length + 1)).toBeUndefined();
		expect(schedule.reduce((sum, wait) => sum + wait, 0) / DAY).toBeCloseTo(3.15, 1);
	});

	test('never comes sooner than the receiver asked, and within a day whatever it asks', () => {
		expect(waitAfter(1, 90)).toBe(90);
		expect(waitAfter(1, 0, [100])).toBeGreaterThanOrEqual(80);
		for (const retryAfter of [1e9, Infinity]) expect(waitAfter(1, retryAfter)).toBe(DAY);
	});
});

test.skipIf(postgresMissing)(
	'Two instances on one PostgreSQL whose clocks differ do not try the same delivery at once',
	async () => {
		await using postgres = await startPostgres();
		const held = Promise.withResolvers<void>();
		await using receiver = await startWebhookReceiver({ until: held.promise });
		const settings = { LEAD_WEBHOOK_URL: receiver.url, LEAD_STORE: await postgres.createDatabase() };
		await using punctual = await startServer(settings);
		await postLead(punctual.url, { message: 'one' });
		await receiver.received(1);
		await using early = await startServer(settings, [], ['--import', './tests/support/shifted-clock.ts']);
		await postLead(early.url, { message: 'two' });
		await receiver.received(2);
		held.resolve();
		await using store = await openStore({ kind: 'postgres', url: settings.LEAD_STORE });
		await expect.poll(() => store.count()).toMatchObject({ delivered: 2 });
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

describe('A store that cannot be opened says why and what to do', () => {
	test.each<[string, (folder: string) => StorePlace, RegExp]>([
		['no database', (folder) => ({ kind: 'sqlite', path: `${folder}/file` }), /not a database.*LEAD_STORE/],
		[
			'nobody there',
			() => ({ kind: 'postgres', url: 'postgres://me:hunter2@127.0.0.1:9/leads' }),
			/database leads on 127\.0\.0\.1\) cannot be opened: connect ECONNREFUSED.*LEAD_STORE/,
		],
	])('%s', async (_, placeIn, reason) => {
		await using folder = await temporaryFolder();
		await writeFile(join(folder.path, 'file'), 'x'.repeat(5000));
		const { message } = (await openStore(placeIn(folder.path)).catch((error: unknown) => error)) as Error;
		expect(message).toMatch(reason);
		expect(message).not.toContain('hunter2');
	});

	test('a folder, which stops the start', async () => {
		await using folder = await temporaryFolder();
		const env = { PORT: '0', LEAD_STORE: `sqlite:${folder.path}` };
		await using server = new TestProcess(['var/test/dist/server/entry.mjs'], { env });
		expect(await server.exit()).toBe(1);
		expect(server.output).toMatch(/EISDIR.*LEAD_STORE/);
		expect(server.output).not.toMatch(/\n {4}at /);
	});
});
