import { createSecretKey } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Channel, SendResult } from '../../src/channels/channel.ts';
import { CONFIRMATION } from '../../src/channels/smtp.ts';
import { events } from '../../src/lead/lead.ts';
import { spamCheck } from '../../src/outbox/judging.ts';
import { resultOf } from '../../src/outbox/attempt.ts';
import type { OutboxOptions } from '../../src/outbox/outbox.ts';
import { readSettings } from '../../src/server/settings/settings.ts';
import { openStore, StoreError } from '../../src/store/store.ts';
import { claim, saved } from '../store/entries.ts';
import { leadWith, receivedLead, team } from '../support/lead.ts';
import { startBackend, startMailing, startStoring } from '../support/lead-places.ts';
import { postLead } from '../support/post-lead.ts';
import { database, HOUR, lead, openSending, path, silent, store } from './one-store.ts';

const secret = createSecretKey(Buffer.alloc(32));
const policy = { mayHold: true, isAwaited: false, spamEngines: [] };
const spam = spamCheck(secret, policy, silent);

/** Returns a check by a model that does not answer the first time, and how often it was asked. */
function hangingCheck() {
	const asked: string[] = [];
	const ask = async ({ id }: { id: string }, signal: AbortSignal) =>
		asked.push(id) > 1
			? 'unclear'
			: new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
	return { asked, spam: spamCheck(secret, { ...policy, spamEngines: [{ name: 'model', isModel: true, ask }] }, silent) };
}

/** Opens an outbox that sends so over one channel. */
function startDelivering(send: Channel['send'], options: Partial<OutboxOptions> = {}) {
	const sends: string[] = [];
	const channel: Channel = { name: 'email', send: (message, ...rest) => (sends.push(message.id), send(message, ...rest)) };
	const open = () => openSending({ channels: [channel], ...options });
	const outbox = open();
	return {
		...outbox,
		sends,
		/** Delivers by another outbox on the same store. */
		async deliverNext() {
			const next = open();
			await next.tryDue();
			await next.stop();
		},
		/** Saves leads, and waits until so many of them are being sent. */
		async take(leads: number, sent = leads) {
			await Promise.all(Array.from({ length: leads }, saveLead));
			outbox.saved();
			const before = sends.length;
			await expect.poll(() => sends.length).toBe(before + sent);
		},
	};
}

function saveLead(): Promise<string> {
	const received = { ...receivedLead(), id: uuidv7() };
	return saved(store, { id: received.id, payload: JSON.stringify(received) });
}

const sent: SendResult = { ok: true };
const refused: SendResult = { ok: false, outlook: 'final', reason: 'HTTP 410' };
const never = () => new Promise<never>(() => {});

test.each([
	['a kind', 'later', {}],
	['news', 'notice', { later: 1 }],
])('%s that only a later version knows waits for a process of that version', async (_, kind, content) => {
	const { deliverNext } = startDelivering(async () => refused);
	await saved(store, { kind: 'notice', payload: JSON.stringify(content) });
	using file = database();
	file.prepare('UPDATE lead_entries SET kind = ?').run(kind);
	await deliverNext();
	expect(file.prepare('SELECT state, tries FROM lead_deliveries').all()).toMatchObject([{ state: 'waiting', tries: 0 }]);
});

test.each([
	['is deleted once it is delivered has no link', 0, 0],
	['is kept has links', 1, 2],
])('the message of a lead that %s to act on it', async (_, retention, links) => {
	const outbox = openSending({ retention, team: { ...team, linkSecret: secret } });
	await saveLead();
	await outbox.tryDue();
	expect(outbox.sent.map(({ actions }) => actions!.length)).toEqual([links]);
});

test('a model is waited for twenty seconds, and a slow receiver then for more than a minute, in the same try', async () => {
	const { asked, spam } = hangingCheck();
	const outbox = startDelivering(() => new Promise((resolve) => setTimeout(resolve, 85_000, sent)), { spam });
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
	await saveLead();
	outbox.saved();
	await vi.waitUntil(() => asked.length === 1);
	await vi.advanceTimersByTimeAsync(19_999);
	expect(outbox.sends).toEqual([]);
	await vi.advanceTimersByTimeAsync(1);
	await vi.waitUntil(() => outbox.sends.length === 1);
	await vi.advanceTimersByTimeAsync(85_000);
	await vi.waitUntil(async () => (await store.count()).delivered === 1);
	expect([asked.length, outbox.sends.length]).toEqual([1, 1]);
});

test('a host may freeze the process once all that is due was tried, and what is too old was deleted', async () => {
	let room = 8;
	const { tryDue } = startDelivering(async () => (room-- > 0 ? sent : wait(50, sent)), { retention: 60 });
	const purge = store.purge.bind(store);
	vi.spyOn(store, 'purge').mockImplementation((limits) => wait(100).then(() => purge(limits)));
	await lead(Date.now() - HOUR);
	await Promise.all(Array.from({ length: 20 }, saveLead));
	await tryDue();
	expect(await store.list({ limit: 99 })).toHaveLength(20);
	expect(await store.count()).toMatchObject({ waiting: 0, delivered: 20 });
});

describe('When the process stops', () => {
	test('nobody waits for a model, and the lead waits for the next start, which asks it again', async () => {
		const { asked, spam } = hangingCheck();
		const outbox = startDelivering(async () => sent, { spam });
		await saveLead();
		outbox.saved();
		await expect.poll(() => asked.length).toBe(1);
		await outbox.stop(100);
		expect(outbox.sends).toEqual([]);
		await outbox.deliverNext();
		expect([asked.length, outbox.sends.length]).toEqual([2, 1]);
	});

	test('deliveries in flight are finished, and the rest waits for the next start', async () => {
		const held = Promise.withResolvers<SendResult>();
		const { sends, take, stop, deliverNext } = startDelivering(() => held.promise);
		await take(12, 8);
		const stopping = stop();
		held.resolve(sent);
		await stopping;
		expect(sends).toHaveLength(8);
		expect(await store.count()).toMatchObject({ waiting: 4, delivered: 8 });

		await deliverNext();
		expect(await store.count()).toMatchObject({ waiting: 0, delivered: 12 });
		expect([sends.length, new Set(sends).size]).toEqual([12, 12]);
	});

	test('a try that ignores its signal is cut off, given back and not counted, also while other work goes on', async () => {
		const upkeep = Promise.withResolvers<boolean>();
		const { sends, take, stop } = startDelivering(never, { store: { ...store, takeTurn: () => upkeep.promise } });
		await take(1);
		const stopping = stop(100);
		await expect.poll(() => claim(store, { owner: 'the next' })).toMatchObject([{ id: sends[0], tries: 0 }]);
		upkeep.resolve(false);
		await stopping;
	});

	test('a store that cannot be written is not waited for, and the next start makes the delivery again', async () => {
		const held = Promise.withResolvers<SendResult>();
		await using impatient = await openStore({ kind: 'sqlite', path }, { patience: 100 });
		const { sends, take, stop, deliverNext } = startDelivering(() => held.promise, { store: impatient });
		await take(1);
		using holder = database();
		holder.exec('BEGIN IMMEDIATE');
		held.resolve(sent);
		await expect(stop(100)).rejects.toThrow(StoreError);
		holder.exec('COMMIT');
		await store.endLeases();
		await deliverNext();
		expect(sends).toEqual([sends[0], sends[0]]);
		expect(await store.count()).toMatchObject({ delivered: 1 });
	});
});

describe('A delivery', () => {
	test('that a recipient puts off comes to nobody else again, and waits in the list by itself', async () => {
		const settings = { LEAD_EMAIL_TO: 'first@website.test,second@website.test', LEAD_WEBHOOK_URL: '', LEAD_RETRY: '1s 1s' };
		await using backend = await startMailing(settings, { refuse: { 'first@website.test': [450, 450] } });
		await backend.take();
		await backend.smtp.received(2);
		await backend.tryDue();
		expect(backend.smtp.mails.map(({ to }) => to)).toEqual([['second@website.test'], ['first@website.test']]);
		const deliveries = ['email-1', 'email-2'].map((channel) => ({ channel, state: 'delivered' }));
		await expect.poll(() => backend.list()).toMatchObject([{ deliveries }]);
	});

	test('of a lead that is released or retried goes to the recipients of its list, and to no place beyond', async () => {
		const settings = { LEAD_WEBHOOK_URL: '', LEAD_EMAIL_ROUTES: 'lang=de:a@website.test,b@website.test' };
		await using backend = await startMailing(settings, { refuse: { 'sales@website.test': 550 } });
		await backend.quarantine({ ...leadWith(), website: 'x' });
		const [held] = await backend.list('--state', 'quarantined');
		expect((await backend.leads('release', held!.id)).stdout).toContain('Released to email-1.');
		await backend.tryDue();
		const states = async () => (await backend.list())[0]!.deliveries.map(({ channel, state }) => `${channel} ${state}`);
		expect(await states()).toEqual(['email-1 parked']);
		await backend.leads('retry', '--parked');
		expect(await states()).toEqual(['email-1 waiting']);
		await backend.restart({ LEAD_EMAIL_TO: 'new@website.test,b@website.test' });
		expect(await states()).toEqual(['email-1 delivered']);
		expect(backend.smtp.mails.at(-1)!.to).toEqual(['new@website.test']);
	});

	test('is not tried again by its own server while the try goes on, though its lease has ended', async () => {
		const held = Promise.withResolvers<SendResult>();
		const { sends, take, tryDue } = startDelivering(() => held.promise);
		await take(1);
		using file = database();
		file.exec('UPDATE lead_deliveries SET since = since - 61000, due_at = due_at - 61000');
		await take(1);
		held.resolve(sent);
		await tryDue();
		expect(await store.count()).toMatchObject({ delivered: 2 });
		expect([sends.length, new Set(sends).size]).toEqual([2, 2]);
	});

	test('that is due again before its try has ended is tried again', async () => {
		const reported = Promise.withResolvers<void>();
		const failed: SendResult = { ok: false, outlook: 'passing', reason: '500' };
		const { sends, take, tryDue } = startDelivering(async () => failed, { schedule: [0.001, 0.001, 0.001] });
		const insert = store.insert.bind(store);
		vi.spyOn(store, 'insert').mockImplementation(async (entry) => {
			if (entry.kind === 'notice') await reported.promise;
			return insert(entry);
		});
		await take(1, 4);
		reported.resolve();
		await tryDue();
		// Without the notice of it.
		expect([sends.filter((id) => id === sends[0]).length, await store.count()]).toMatchObject([4, { parked: 1 }]);
	});

	test.each([
		['result', 'recordResult'],
		['judgement', 'judge'],
	] as const)('whose %s the store cannot save at first is made once', async (_, work) => {
		const { sends, tryDue } = startDelivering(async () => sent, { spam });
		const saving = vi.spyOn(store, work).mockRejectedValueOnce(new StoreError('down'));
		await saveLead();
		await tryDue();
		expect([sends.length, saving.mock.calls.length]).toEqual([1, 2]);
		expect(await store.count()).toMatchObject({ delivered: 1 });
	});

	test('is left to the next claim where its judgement took so long that the lease may end while it is sent', async () => {
		const { sends, tryDue } = startDelivering(async () => sent, { spam });
		const now = performance.now.bind(performance);
		const clock = vi.spyOn(performance, 'now');
		onTestFinished(() => clock.mockRestore());
		vi.spyOn(store, 'recall').mockImplementationOnce(async () => {
			clock.mockImplementation(() => now() + 31_000);
			return undefined;
		});
		await saveLead();
		await tryDue();
		expect([sends, await store.list({ limit: 9 })]).toMatchObject([[], [{ deliveries: [{ state: 'waiting', tries: 0 }] }]]);
		await store.endLeases();
		await tryDue();
		expect(sends).toHaveLength(1);
	});

	test('is made no more once it was erased, also while somebody judges it', async () => {
		const { sends, tryDue } = startDelivering(async () => sent, { spam });
		vi.spyOn(store, 'recall').mockImplementationOnce(async () => {
			await store.erase('ana@clinicasol.example');
			return undefined;
		});
		await saveLead();
		await tryDue();
		expect([sends, await store.list({ limit: 9 })]).toEqual([[], []]);
	});

	test('whose failure the store cannot save is nobody’s news', async () => {
		const outcomes: string[] = [];
		events.on('tried', ({ outcome }) => void outcomes.push(outcome));
		const { take, stop } = startDelivering(async () => refused);
		const [mark, insert] = [vi.spyOn(store, 'recordResult').mockRejectedValue(new StoreError('down')), vi.spyOn(store, 'insert')];
		await take(1);
		await expect.poll(() => mark.mock.calls.length).toBe(1);
		await stop(100);
		expect(outcomes).toEqual(['waiting']);
		expect(insert.mock.calls.map(([{ kind }]) => kind)).toEqual(['lead']);
	});

	test('to a visitor that fails for good fails no lead, and is no news', async () => {
		const visitorMail: Channel = { name: CONFIRMATION, send: () => Promise.resolve(refused) };
		const { sends, take, tryDue } = startDelivering(async () => sent, { visitorMail });
		await take(1);
		await tryDue();
		const entries = (await store.list({ limit: 9 })).map(({ kind, state }) => `${kind} ${state}`);
		expect(entries.toSorted()).toEqual(['confirmation parked', 'lead delivered']);
		expect(sends).toHaveLength(1);
	});

	test.each([
		['died over is tried by the next at once, and not when its lease has ended', true, 2],
		['is at is left to it by another that starts on its file', false, 1],
	])('that a process %s', async (_, dies, tries) => {
		await using storing = await startStoring({}, (_, before) => (before === 0 ? { until: never() } : {}));
		await postLead(storing.server.url);
		await storing.receiver.received(1);
		if (dies) await storing.server[Symbol.asyncDispose]();
		await using next = await startBackend(storing.env);
		await next.tryDue();
		expect(storing.receiver.requests).toHaveLength(tries);
	});
});

describe('The next try', () => {
	const DAY = 24 * 3600;
	const { LEAD_RETRY: schedule } = readSettings({});
	const waitAfter = (tries: number, retryAfter?: number, waits = schedule) => {
		const result = resultOf({ ok: false, outlook: 'passing', reason: '500', retryAfter }, tries, waits, '');
		return result.state === 'waiting' ? result.wait / 1000 : undefined;
	};

	test.each(schedule.map((wait, index) => [index + 1, wait]))('after failure %i comes about %i s later', (tries, wait) => {
		const waits = Array.from({ length: 200 }, () => waitAfter(tries)! / wait);
		// Sooner, a server that wants strangers to wait for five minutes would refuse again (postgrey).
		expect(Math.min(...waits)).toBeGreaterThanOrEqual(1);
		expect(Math.max(...waits)).toBeLessThanOrEqual(1.2);
		expect(new Set(waits).size).toBeGreaterThan(1);
	});

	test('does not come after the last wait, which by default is over in about three days', () => {
		expect(waitAfter(schedule.length + 1)).toBeUndefined();
		expect(schedule.reduce((sum, wait) => sum + wait, 0) / DAY).toBeCloseTo(3.15, 1);
	});

	test('never comes sooner than the receiver asked, and within a day whatever it asks', () => {
		expect(waitAfter(1, 90)).toBe(90);
		expect(waitAfter(1, 0, [100])).toBeGreaterThanOrEqual(100);
		for (const retryAfter of [1e9, Infinity]) expect(waitAfter(1, retryAfter)).toBe(DAY);
	});
});

test('While another process has the store locked, only leads wait', async () => {
	await using storing = await startStoring();
	const { server } = storing;
	using file = storing.database();
	file.exec('BEGIN IMMEDIATE');
	const answer = postLead(server.url);
	for (const path of ['/api/status', '/contact']) {
		const first = await Promise.race([answer, fetch(server.url + path)]);
		expect([new URL(first.url).pathname, first.status]).toEqual([path, 200]);
	}
	file.exec('COMMIT');
	expect((await answer).status).toBe(200);
});
