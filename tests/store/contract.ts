import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import {
	ALIKE,
	type DeliveryResult,
	type EntryState,
	type LeadStore,
	type Lease,
	type NewEntry,
	openStore,
	StoreError,
	type StorePlace,
} from '../../src/store/store.ts';
import { sourceHash } from '../../src/lead/email-address.ts';
import type { Judgement } from '../../src/lead/judgement.ts';
import { newApiKey } from '../support/api-key.ts';
import { claimAs, claimed, HOUR, idsIn, MINUTE, newEntry, newOnce, quarantined, saved } from './entries.ts';

/** An empty database for one test. */
export interface TestDatabase {
	place: StorePlace;
	/** Runs one statement, without the store. */
	ask(statement: string): Promise<unknown[]>;
	/** A statement that lists what is there. */
	listing: string;
}

/** Tests the contract of every store. `newDatabase` creates an empty database. */
export function describeContract(newDatabase: () => Promise<TestDatabase>): void {
	let database: TestDatabase;
	let store: LeadStore;
	let other: LeadStore;

	beforeEach(async () => {
		database = await newDatabase();
		store = await openStore(database.place);
		other = await openStore(database.place);
		return async () => {
			await store[Symbol.asyncDispose]();
			await other[Symbol.asyncDispose]();
		};
	});

	/** Moves all times of a database back by so many milliseconds or, if negative, ahead, as a clock that was set does. */
	async function pass(time: number): Promise<void> {
		for (const change of [
			`lead_entries SET received_at = received_at - ${time}, told_at = told_at - ${time}, once_ends_at = once_ends_at - ${time}`,
			`lead_deliveries SET since = since - ${time}, due_at = due_at - ${time}`,
			`lead_traits SET learnt_at = learnt_at - ${time}`,
		])
			await database.ask(`UPDATE ${change}`);
	}

	const failed: DeliveryResult = { state: 'waiting', wait: HOUR, reason: 'ECONNREFUSED' };
	const park = (lease: Lease) => store.mark(lease, { state: 'parked', reason: '550' });

	async function parked(entry: Partial<NewEntry> = {}): Promise<Lease> {
		const lease = await claimed(store, entry);
		await park(lease);
		return lease;
	}

	describe('saving', () => {
		test('what was saved is listed as it was given, and is due', async () => {
			const entry = newEntry({ payload: '{"name":"Zoë \\u0000 \u{1F600}"}', channels: ['slack', 'email'] });
			expect(await store.insert(entry)).toBe('inserted');
			const waiting = { state: 'waiting', tries: 0, dueAt: expect.any(Number), sentAt: null, lastError: null };
			const { id, kind, receivedAt, payload } = entry;
			const deliveries = ['email', 'slack'].map((channel) => ({ channel, ...waiting }));
			expect(await other.list({ limit: 9 })).toEqual([{ id, kind, receivedAt, payload, state: 'waiting', deliveries }]);
			expect(await store.untilDue('slack')).toBeLessThanOrEqual(0);
		});

		test('a key may be used again from the moment that its claim ends', async () => {
			const once = newOnce({ lifetime: HOUR });
			await saved(store, { once });
			const later = newOnce({ ...once, fingerprint: 'another lead' });
			await pass(HOUR - MINUTE);
			expect(await store.insert(newEntry({ once: later }))).toBe('conflict');
			await pass(MINUTE);
			expect(await store.insert(newEntry({ once: later }))).toBe('inserted');
			expect(await store.insert(newEntry({ once: later }))).toBe('duplicate');
		});

		test('a key that was taken by a clock far ahead does not stand for longer than it may', async () => {
			const once = newOnce({ lifetime: HOUR });
			await saved(store, { once });
			await pass(-365 * 24 * HOUR);
			expect(await store.insert(newEntry({ once }))).toBe('inserted');
			await pass(-MINUTE / 2);
			expect(await store.insert(newEntry({ once }))).toBe('duplicate');
		});

		test('entries that are saved together do not hurt each other', async () => {
			const once = newOnce();
			await saved(store, { once });
			const conflicting = { ...once, fingerprint: 'another lead' };
			const together = [newEntry(), newEntry({ once }), newEntry({ once: conflicting }), newEntry()];
			const insertions = await Promise.all(together.map((entry) => store.insert(entry)));
			expect(insertions).toEqual(['inserted', 'duplicate', 'conflict', 'inserted']);
			expect(await idsIn(store)).toHaveLength(3);
		});

		const bug = () => {
			throw new Error('A fault in the program');
		};
		test.each<[string, Partial<NewEntry>]>([
			['breaks a rule of the tables', { channels: ['email', 'email'] }],
			['throws an exception', { id: { toJSON: bug } as never }],
		])('an entry that %s leaves nothing behind, and those saved with it are safe', async (_, fault) => {
			const once = newOnce();
			const impossible = newEntry({ ...fault, once });
			const [before, failure, after] = await Promise.allSettled([
				store.insert(newEntry()),
				store.insert(impossible),
				store.insert(newEntry()),
			]);
			expect(failure).toMatchObject({ status: 'rejected', reason: expect.any(StoreError) });
			for (const neighbour of [before, after]) expect(neighbour).toEqual({ status: 'fulfilled', value: 'inserted' });
			expect(await idsIn(store)).toHaveLength(2);
			expect(await store.insert(newEntry({ once }))).toBe('inserted');
		});
	});

	describe('claiming', () => {
		test('a claimed delivery says what to send, over which channel, and what was tried', async () => {
			const id = await saved(store, { payload: '{"name":"Ana"}', kind: 'notice', email: null });
			expect(await store.claim(claimAs())).toEqual([
				{ id, channel: 'email', kind: 'notice', payload: '{"name":"Ana"}', tries: 0 },
			]);
		});

		test('deliveries are claimed in the order in which they are due, up to the limit', async () => {
			const ids: string[] = [];
			for (let turn = 0; turn < 6; turn += 1) {
				ids.push(await saved(store));
				await pass(1);
			}
			for (const expected of [ids.slice(0, 4), ids.slice(4)]) {
				const claim = await store.claim(claimAs({ limit: 4 }));
				expect(claim.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
			}
		});

		test('many claimers at once never get the same delivery, and miss none', async () => {
			await Promise.all(Array.from({ length: 120 }, () => saved(store)));
			const claims = Array.from({ length: 40 }, (_, turn) => (turn % 2 ? store : other).claim(claimAs({ limit: 5 })));
			const taken = (await Promise.all(claims)).flat();
			const rest = await store.claim(claimAs({ limit: 200 }));
			const all = [...taken, ...rest].map(({ id }) => id);
			expect(taken.length).toBeGreaterThan(0);
			expect(all).toHaveLength(120);
			expect(new Set(all).size).toBe(120);
		});

		test('a lease that has ended lets others claim, and not a moment before', async () => {
			const { id } = await claimed(store);
			await pass(HOUR - MINUTE);
			expect(await other.claim(claimAs({ owner: 'two' }))).toEqual([]);
			await pass(MINUTE);
			expect(await other.claim(claimAs({ owner: 'two' }))).toMatchObject([{ id }]);
		});

		test('an owner that gives its leases back leaves those of others, and all end at once when none is named', async () => {
			const { id } = await claimed(store);
			await saved(store);
			await store.claim(claimAs({ owner: 'two' }));
			await other.endLeases('one');
			expect(await store.claim(claimAs())).toMatchObject([{ id }]);
			await other.endLeases();
			expect(await store.claim(claimAs())).toHaveLength(2);
		});

		test('the next delivery is due when the first wait or lease ends', async () => {
			expect(await store.untilDue('email')).toBeUndefined();
			const lease = await claimed(store);
			expect(await store.untilDue('email')).toBeGreaterThan(HOUR - MINUTE);
			await store.mark(lease, { state: 'waiting', wait: 2 * MINUTE, reason: '500' });
			expect(await store.untilDue('email')).toBeGreaterThan(MINUTE);
			expect(await store.untilDue('email')).toBeLessThanOrEqual(2 * MINUTE);
			expect(await store.untilDue('slack')).toBeUndefined();
		});

		test('names the channels that something waits for', async () => {
			const { id, ...lease } = await claimed(store, { channels: ['email', 'slack'] });
			await saved(store, { channels: ['teams', 'slack'] });
			await saved(store, { channels: ['telegram'] });
			await store.mark({ id, ...lease }, { state: 'sent' });
			const parked = await claimed(store, { channels: ['sms'] }, 'sms');
			await store.mark(parked, { state: 'parked', reason: '550' });
			expect(await other.pendingChannels()).toEqual(['slack', 'sms', 'teams', 'telegram']);
		});

		test('a clock that jumps back puts nothing out of reach: neither what is due or retried, nor a wait, nor a lease', async () => {
			const retried = [await parked(), await parked()].map(({ id }) => id);
			await pass(400 * 24 * HOUR);
			const lease = await claimed(store);
			await store.mark(lease, { state: 'waiting', wait: MINUTE, reason: '500' });
			const leased = await claimed(store);
			const due = await saved(store);
			expect([await store.retry({ id: retried[0]! }, ['email']), await store.retry('stuck', ['email'])]).toEqual([1, 1]);
			await pass(-365 * 24 * HOUR);
			const again = await other.claim(claimAs({ owner: 'two' }));
			expect(again.map(({ id }) => id).toSorted()).toEqual([...retried, lease.id, leased.id, due].toSorted());
			expect(await other.claim(claimAs({ owner: 'three' }))).toEqual([]);
		});
	});

	describe('marking', () => {
		test('a delivery that was sent, with its note, is never due again, whatever is said of it later', async () => {
			const lease = await claimed(store);
			expect(await store.mark(lease, { state: 'sent', note: '1 of 2 was refused' })).toBe(true);
			expect(await other.mark(lease, failed)).toBe(false);
			expect(await store.retry({ id: lease.id }, ['email'])).toBe(0);
			await pass(99 * HOUR);
			expect(await store.claim(claimAs())).toEqual([]);
			expect(await store.untilDue('email')).toBeUndefined();
			expect(await store.find(lease.id)).toMatchObject([
				{
					state: 'delivered',
					deliveries: [{ dueAt: null, sentAt: expect.any(Number), tries: 1, lastError: '1 of 2 was refused' }],
				},
			]);
		});

		test('a delivery that failed is due again after its wait, and its tries are counted', async () => {
			const lease = await claimed(store);
			expect(await store.mark(lease, failed)).toBe(true);
			await pass(HOUR - MINUTE);
			expect(await store.claim(claimAs())).toEqual([]);
			await pass(MINUTE);
			expect(await store.claim(claimAs())).toMatchObject([{ id: lease.id, tries: 1 }]);
			expect(await store.find(lease.id)).toMatchObject([{ deliveries: [{ tries: 1, lastError: 'ECONNREFUSED' }] }]);
		});

		test('a sent delivery ends a mark, whoever set it and when', async () => {
			const trouble = newOnce();
			for (let turn = 0; turn < 2; turn += 1) {
				const lease = await claimed(other);
				await saved(store, { once: trouble, channels: [] });
				expect(await store.mark(lease, failed)).toBe(true);
				expect(await store.insert(newEntry({ once: trouble, channels: [] }))).toBe('duplicate');
				await other.mark(lease, { state: 'sent', ends: trouble.key });
			}
			expect(await store.insert(newEntry({ once: trouble }))).toBe('inserted');
		});

		test('what failed counts for the owner of the lease only, and what was sent counts for anybody', async () => {
			const first = await claimed(store);
			await pass(HOUR);
			const second = { ...first, owner: 'two' };
			await other.claim(claimAs({ owner: 'two' }));
			expect(await store.mark(first, failed)).toBe(false);
			expect(await store.mark(first, { state: 'parked', reason: '550' })).toBe(false);
			expect(await store.claim(claimAs({ owner: 'three' }))).toEqual([]);
			expect(await other.mark(second, failed)).toBe(true);
			expect(await other.mark(second, { state: 'parked', reason: '550' })).toBe(false);
			expect(await store.mark(first, { state: 'sent' })).toBe(true);
		});

		test('an entry is delivered when the last of many that are marked at once is', async () => {
			const channels = Array.from({ length: 8 }, (_, index) => `channel ${index}`);
			const id = await saved(store, { channels });
			for (const channel of channels) await store.claim(claimAs({ channel }));
			await Promise.all(
				channels.map((channel, turn) => (turn % 2 ? store : other).mark({ id, channel, owner: 'one' }, { state: 'sent' })),
			);
			expect(await store.find(id)).toMatchObject([{ state: 'delivered' }]);
			expect(await store.count()).toMatchObject({ waiting: 0, delivered: 1 });
		});
	});

	describe('judging', () => {
		const held: Judgement = { verdict: 'held', signals: ['disposable', 'links'] };
		const marked: Judgement = { verdict: 'marked', signals: ['disposable'] };

		test('the first judgement counts, and goes with the lead', async () => {
			const { id } = await claimed(store);
			expect([await store.judge(id, marked), await other.judge(id, held)]).toEqual([true, false]);
			expect(await store.list({ limit: 9 })).toMatchObject([{ id, state: 'waiting', spam: marked }]);
			await store.endLeases();
			expect(await other.claim(claimAs())).toMatchObject([{ id, spam: marked }]);
		});

		test('a held lead is due for no channel, and a possible lead in quarantine until it is released, once', async () => {
			const { id } = await claimed(store, { channels: ['email', 'slack'] });
			expect(await store.judge(id, held)).toBe(true);
			await store.endLeases();
			expect(await store.claim(claimAs({ channel: 'slack' }))).toEqual([]);
			expect(await store.list({ limit: 9 })).toMatchObject([{ state: 'quarantined', deliveries: [] }]);
			expect([await store.count(), await store.countUntold(9)]).toMatchObject([{ waiting: 0, quarantined: 1 }, 1]);
			// A try that began before reports now.
			expect(await store.mark({ id, channel: 'email', owner: 'one' }, { state: 'sent' })).toBe(false);
			// No notice tells of what the operator has marked as spam.
			await store.train(id, { verdict: 'spam', signals: [] }, ['link']);
			expect(await store.countUntold(9)).toBe(0);
			expect(await store.release(id, ['email', 'teams'])).toBe(true);
			for (const gone of [id, randomUUID()]) expect(await other.release(gone, ['email'])).toBe(false);
			for (const channel of ['email', 'teams']) expect(await store.claim(claimAs({ channel }))).toMatchObject([{ id }]);
		});

		test('of a lead that is gone nothing is marked, judged or remembered', async () => {
			const lease = await claimed(store);
			await other.erase('ana@clinicasol.example');
			expect([await store.mark(lease, failed), await store.judge(lease.id, held)]).toEqual([false, false]);
			await store.train(lease.id, { verdict: 'spam', signals: [] }, ['link']);
			expect([await store.recall(['link']), await idsIn(store)]).toEqual([undefined, []]);
		});

		test('leads with the same fingerprint are found, newest first, a few at most, and only from then on', async () => {
			const now = Date.now();
			const ids: string[] = [];
			for (let turn = 0; turn < 12; turn += 1)
				ids.push(
					await saved(store, { fingerprint: 'same', receivedAt: now - turn * MINUTE, channels: turn === 1 ? [] : ['a', 'b'] }),
				);
			await saved(store, { fingerprint: 'other' });
			await saved(store);
			expect((await store.alike('same', ids[0]!, now - 3 * MINUTE)).map(({ id }) => id)).toEqual(ids.slice(1, 3));
			expect(await store.alike('same', ids[0]!, 0)).toHaveLength(ALIKE);
		});

		test('the operator’s last word on a trait counts, until the lead it was said of is deleted', async () => {
			const [spam, none] = [await saved(store, { email: 'a@a.example' }), await saved(store, { email: 'b@b.example' })];
			expect(await store.recall(['link'])).toBeUndefined();
			await store.train(spam, { verdict: 'spam', signals: [] }, ['message', 'link']);
			expect(await other.recall(['new', 'link'])).toBe('spam');
			await pass(MINUTE);
			await store.train(none, { verdict: 'clear', signals: ['disposable'] }, ['link']);
			expect([await store.recall(['link']), await store.recall(['message'])]).toEqual(['clear', 'spam']);
			const trained = await store.list({ trained: true, limit: 9 });
			expect(trained.map(({ id }) => id)).toEqual([none, spam]);
			expect(trained[0]).toMatchObject({ spam: { verdict: 'clear', signals: ['disposable'] } });

			await store.train(spam, { verdict: 'clear', signals: [] }, []);
			expect(await store.recall(['message'])).toBeUndefined();
			await store.erase('b@b.example');
			expect([await store.recall(['link']), await store.list({ trained: true, limit: 9 })]).toEqual([undefined, []]);
		});
	});

	describe('the operator', () => {
		test('retries what is parked, which nothing else does, of one entry what waits too, and nothing in flight', async () => {
			const lease = await parked({ channels: ['email', 'slack'] });
			const again = [{ id: lease.id, tries: 0 }];
			const due = (channel: string) => store.claim(claimAs({ channel }));
			await pass(99 * HOUR);
			expect([await due('email'), await store.untilDue('email')]).toEqual([[], undefined]);
			await due('slack');
			await store.mark({ ...lease, channel: 'slack' }, failed);
			const waiting = await claimed(store);
			await store.mark(waiting, failed);
			expect(await store.retry('stuck', ['email', 'slack'])).toBe(2);
			expect([await due('email'), await due('slack')]).toMatchObject([again, again]);
			expect([await other.retry(lease, ['email', 'slack']), await park(lease)]).toEqual([0, true]);
			await parked();
			expect([await store.retry(lease, ['email', 'slack']), await due('email')]).toMatchObject([1, again]);
			expect([await store.retry(waiting, ['email']), await due('email')]).toMatchObject([1, [{ id: waiting.id, tries: 0 }]]);
		});

		test('retries a lead over the channels there are, and ends its deliveries over others', async () => {
			const lease = await claimed(store, { channels: ['email', 'slack', 'sms'] });
			await store.mark(lease, { state: 'sent' });
			await store.claim(claimAs({ channel: 'slack' }));
			await store.mark({ ...lease, channel: 'slack' }, { state: 'parked', reason: '404' });
			expect(await other.retry('stuck', ['email', 'teams'])).toBe(1);
			expect(await store.claim(claimAs({ channel: 'slack' }))).toEqual([]);
			expect(await store.claim(claimAs({ channel: 'teams' }))).toMatchObject([{ id: lease.id, tries: 0 }]);
			expect(await store.pendingChannels()).toEqual(['teams']);
			const states = { email: 'sent', slack: 'ended', sms: 'ended', teams: 'waiting' };
			const deliveries = Object.entries(states).map(([channel, state]) => ({ channel, state }));
			expect(await store.find(lease.id)).toMatchObject([{ state: 'waiting', deliveries }]);

			await store.mark({ ...lease, channel: 'teams' }, { state: 'parked', reason: '404' });
			expect(await other.retry(lease, ['slack'])).toBe(1);
			expect(await store.claim(claimAs({ channel: 'slack' }))).toMatchObject([{ id: lease.id }]);
			await store.mark({ ...lease, channel: 'slack' }, { state: 'sent' });
			expect(await store.find(lease.id)).toMatchObject([{ state: 'delivered' }]);
		});

		test('retries what waits for a channel that is gone, without a visitor’s confirmation, and ends a notice for it', async () => {
			const [lead, notice] = [await saved(store), await saved(store, { kind: 'notice', channels: ['email', 'slack'] })];
			await saved(store, { kind: 'confirmation', channels: ['confirmation'] });
			expect(await other.retry('stuck', ['slack', 'teams'])).toBe(3);
			expect(await store.pendingChannels()).toEqual(['confirmation', 'slack', 'teams']);
			const [channels, before] = [['slack', 'teams'], { channel: 'email', state: 'ended' }];
			expect(await store.find(lead)).toMatchObject([{ deliveries: [before, ...channels.map((channel) => ({ channel }))] }]);
			expect(await store.find(notice)).toMatchObject([{ deliveries: [before, { channel: 'slack' }] }]);
			expect(await store.retry('stuck', ['slack', 'teams'])).toBe(0);
		});

		test('lists newest first, by state, page by page, and counts', async () => {
			const age = (minutes: number) => ({ receivedAt: Date.now() - minutes * MINUTE });
			const waiting = await claimed(store, { ...age(4), channels: ['email', 'slack'] });
			const delivered = await claimed(store, age(3));
			for (const lease of [waiting, delivered]) await store.mark(lease, { state: 'sent' });
			const { id: parkedId } = await parked({ ...age(2), channels: ['email', 'slack'] });
			const inQuarantine = await saved(store, quarantined('faulty', age(1)));
			const ids = { quarantined: inQuarantine, parked: parkedId, delivered: delivered.id, waiting: waiting.id };
			await store.insert(newEntry({ kind: 'notice', channels: [] }));

			expect(await idsIn(store)).toEqual(Object.values(ids));
			for (const [state, id] of Object.entries(ids) as [EntryState, string][])
				expect(await store.list({ state, limit: 9 })).toMatchObject([{ id, state }]);
			const first = await store.list({ limit: 3 });
			expect(first.map(({ id }) => id)).toEqual(Object.values(ids).slice(0, 3));
			expect(await store.list({ before: first[2], limit: 3 })).toMatchObject([{ id: ids.waiting }]);
			expect(await store.list({ before: first[2], state: 'parked', limit: 3 })).toEqual([]);
			expect(await store.count()).toMatchObject({ waiting: 1, delivered: 1, parked: 1, quarantined: 1 });
		});

		test('lists each once, page by page, of those that came at the same time', async () => {
			const ids = [];
			for (let count = 0; count < 4; count += 1) ids.push(await saved(store, { receivedAt: 1000 }));
			const first = await store.list({ limit: 2 });
			const rest = await store.list({ before: first[1], limit: 9 });
			expect([...first, ...rest].map(({ id }) => id)).toEqual(ids.toSorted().toReversed());
		});

		test('says what is left to do: leads, and since when the oldest waits', async () => {
			const none = { waiting: 0, delivered: 0, parked: 0, quarantined: 0, oldestWaiting: null };
			expect(await store.count()).toEqual(none);
			await saved(store, { receivedAt: 1000, kind: 'notice' });
			await saved(store, { receivedAt: 1000, channels: [] });
			await saved(store, { receivedAt: 1000, channels: [], quarantine: 'faulty' });
			expect(await store.count()).toEqual({ ...none, delivered: 1, quarantined: 1 });
			for (const receivedAt of [3000, 2000, 4000]) await saved(store, { receivedAt });
			expect(await other.count()).toEqual({ ...none, waiting: 3, delivered: 1, quarantined: 1, oldestWaiting: 2000 });
		});

		test('lists what comes from one place', async () => {
			const wanted = [await saved(store, { source: 'api-access' }), await saved(store, { source: 'api-access' })];
			for (const source of [null, 'api', 'API-access', 'api-access ']) await saved(store, { source });
			const source = sourceHash(store.secret, 'api-access');
			const listed = await store.list({ source, limit: 9 });
			expect(listed.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted());
			expect(await store.list({ source, state: 'parked', limit: 9 })).toEqual([]);
			expect(await store.list({ source, before: listed[0], limit: 9 })).toMatchObject([{ id: listed[1]!.id }]);
		});

		test('finds an entry by how its id begins or ends, and two where it is not enough', async () => {
			const [one, two] = ['a0000000-0000-7000-8000-000000000001', 'a0000000-0000-7000-8000-100000000002'];
			for (const id of [one, two]) await store.insert(newEntry({ id }));
			for (const part of [one, '00000001', '000000000001', one.slice(0, 25)])
				expect(await store.find(part)).toMatchObject([{ id: one }]);
			expect(await store.find('a0000000')).toHaveLength(2);
			for (const part of ['b', '0000001', '10000001', '%', randomUUID()]) expect(await store.find(part)).toEqual([]);
		});

		test('is told once of what lies in quarantine and could be released, the newest first', async () => {
			const ids: string[] = [];
			for (const age of [1, 2, 3])
				ids.push(await saved(store, quarantined('releasable', { receivedAt: Date.now() - age * MINUTE })));
			await saved(store, quarantined('faulty'));
			expect([await store.countUntold(9), await store.countUntold(2)]).toEqual([3, 2]);
			const notice = randomUUID();
			await other.announce(notice);
			expect(await store.countUntold(9)).toBe(0);
			expect((await store.announcedBy(notice, 2)).map(({ id }) => id)).toEqual(ids.slice(0, 2));
			await other.release(ids[0]!, ['email']);
			await saved(store, quarantined('releasable'));
			expect(await store.countUntold(9)).toBe(1);
			await store.announce(randomUUID());
			expect((await store.announcedBy(notice, 9)).map(({ id }) => id)).toEqual(ids.slice(1));
		});

		test('erases a person whatever the case of the address, the form of its domain and the state of the entries', async () => {
			const once = newOnce();
			await parked({ email: 'ÉVA@Clínica.example', once });
			await saved(store, quarantined('releasable', { email: 'éva@xn--clnica-4va.EXAMPLE' }));
			const [bystander, notice] = [await saved(store), await saved(store, { kind: 'notice', email: null })];
			const owned = newApiKey({ email: 'ÉVA@clínica.example' });
			await store.keys.insert(owned);
			await store.keys.insert(newApiKey());
			expect(await store.countOf('éva@XN--CLNICA-4VA.example')).toEqual({ entries: 2, keys: 1 });
			expect(await other.erase('Éva@CLÍNICA.example')).toEqual({ entries: 2, keys: 1 });
			expect(await store.keys.find(owned.id)).toBeUndefined();
			expect(await store.keys.list()).toHaveLength(1);
			expect((await idsIn(store)).toSorted()).toEqual([bystander, notice].toSorted());
			expect(await store.countOf('éva@clínica.example')).toEqual({ entries: 0, keys: 0 });
			expect(await store.retry('stuck', ['email'])).toBe(0);
			expect(await store.insert(newEntry({ once }))).toBe('inserted');
		});

		test('erases what is remembered of a person whose entries were purged before', async () => {
			const [once, other] = [newOnce({ lifetime: 24 * HOUR }), newOnce({ lifetime: 24 * HOUR })];
			for (const entry of [{ once, email: 'Eva@clinic.example' }, { once: other }])
				await store.mark(await claimed(store, entry), { state: 'sent' });
			await pass(HOUR);
			expect(await store.purge({ age: 0, decisionTime: 0, cap: 9, batch: 9 })).toMatchObject({ aged: 2 });
			expect(await store.erase('eva@CLINIC.example')).toEqual({ entries: 0, keys: 0 });
			expect(await store.insert(newEntry({ once }))).toBe('inserted');
			const again = () => store.insert(newEntry({ once: other }));
			expect(await again()).toBe('duplicate');
			await pass(23 * HOUR);
			await store.purge({ age: 0, decisionTime: 0, cap: 9, batch: 9 });
			expect(await again()).toBe('inserted');
		});
	});

	describe('API keys', () => {
		test('a key is found by its id as it was given, and nothing was done with it yet', async () => {
			const key = newApiKey({ email: 'Éva@clinic.example', name: 'Zoë \u0000' });
			await store.keys.insert(key);
			expect(await other.keys.find(key.id)).toEqual({ ...key, revoked: false, lastUsed: null, leads: 0 });
			expect(await other.keys.find('000000000000')).toBeUndefined();
			await expect(store.keys.insert(newApiKey({ id: key.id }))).rejects.toThrow(StoreError);
		});

		test('keys are listed newest first, with the day of their last use, and revoked ones whatever any clock says', async () => {
			const [old, young] = [newApiKey({ madeAt: 1, endsAt: 5000 }), newApiKey({ madeAt: 2 })];
			for (const key of [old, young]) await store.keys.insert(key);
			await other.keys.revoke(old.id, 6000);
			for (const day of ['2026-11-20', '2026-11-21', '2026-11-21']) await store.keys.used(young.id, day);
			expect(await store.keys.list()).toMatchObject([
				{ id: young.id, revoked: false, lastUsed: '2026-11-21' },
				{ id: old.id, revoked: true, endsAt: 5000 },
			]);
		});

		test('leads that were sent with it are counted once each, and those of others are not', async () => {
			const [key, stranger] = [newApiKey(), newApiKey()];
			for (const each of [key, stranger]) await store.keys.insert(each);
			const { id } = key;
			const once = newOnce();
			for (let turn = 0; turn < 2; turn += 1) await store.insert(newEntry({ apiKey: id, once }));
			await Promise.all(Array.from({ length: 8 }, (_, turn) => (turn % 2 ? store : other).insert(newEntry({ apiKey: id }))));
			await saved(store);
			expect(await store.keys.find(id)).toMatchObject({ leads: 9 });
			expect(await store.keys.find(stranger.id)).toMatchObject({ leads: 0 });
		});

		test('a key that ended is kept as long as a delivered lead, and one that works is kept', async () => {
			const now = Date.now();
			const [working, ended, old] = [now + HOUR, now - HOUR / 2, now - 2 * HOUR].map((endsAt) => newApiKey({ endsAt }));
			for (const key of [working, ended, old]) await store.keys.insert(key!);
			const purged = await store.purge({ age: HOUR, decisionTime: HOUR, cap: 9, batch: 9 });
			expect(purged).toEqual({ aged: 1, excess: 0, done: true });
			expect((await store.keys.list()).map(({ id }) => id).toSorted()).toEqual([working!.id, ended!.id].toSorted());
		});
	});

	describe('purging', () => {
		const limits = { age: HOUR, decisionTime: 3 * HOUR, cap: 100, batch: 50 };
		const nothing = { aged: 0, excess: 0, done: true };
		const aged = (age: number) => ({ receivedAt: Date.now() - age });

		/** Announces everything in quarantine, as if so long ago. */
		async function tell(ago = 0): Promise<void> {
			const notice = randomUUID();
			await store.announce(notice);
			await other.markTold(notice);
			await pass(ago);
		}

		test('deletes what is delivered, quarantined, or a confirmation that nobody sends, and past its time, and nothing else', async () => {
			const [past, old] = [await saved(store, quarantined('releasable')), aged(2 * HOUR)];
			await tell(3 * HOUR);
			const delivered = await claimed(store, old);
			const half = await claimed(store, { ...old, channels: ['email', 'slack'] });
			for (const lease of [delivered, half]) await store.mark(lease, { state: 'sent' });
			const kept = [half.id, (await parked(old)).id, await saved(store, old), await saved(store)];
			for (const quarantine of ['releasable', 'faulty'] as const) kept.push(await saved(store, quarantined(quarantine)));
			kept.push(await saved(store, quarantined('releasable', aged(9 * HOUR))));
			await tell();
			await store.announce(randomUUID());
			kept.push(await saved(store, quarantined('releasable', aged(9 * HOUR))));
			await saved(store, quarantined('faulty', old));
			await saved(store, { kind: 'confirmation', ...aged(25 * HOUR) });
			kept.push(await saved(store, { kind: 'confirmation', ...old }));
			expect(await store.purge(limits)).toEqual({ ...nothing, aged: 4 });
			expect((await idsIn(store)).toSorted()).toEqual(kept.toSorted());
			expect(kept).not.toContain(past);
		});

		test('keeps the newest in quarantine that were told of, as many that cannot be leads, and all that nobody was told of', async () => {
			const insert = async (quarantine: NewEntry['quarantine'], ages: number[]) => {
				const ids: string[] = [];
				for (const age of ages) ids.push(await saved(store, quarantined(quarantine, aged(age * MINUTE))));
				return ids;
			};
			const [, ...told] = await insert('releasable', [9, 2, 1]);
			await tell();
			const untold = await insert('releasable', [8, 7, 6]);
			const [, ...others] = await insert('faulty', [9, 2, 1]);
			expect(await store.purge({ ...limits, cap: 2 })).toEqual({ ...nothing, excess: 2 });
			expect((await idsIn(store)).toSorted()).toEqual([...told, ...untold, ...others].toSorted());
			await pass(MINUTE);
			await tell();
			await store.purge({ ...limits, cap: 3 });
			expect(await idsIn(store)).toEqual(expect.arrayContaining(untold));
		});

		test('takes steps of limited size, also for keys that have outlived their entries', async () => {
			for (let turn = 0; turn < 3; turn += 1) await saved(store, { once: newOnce({ lifetime: 2 * HOUR }), channels: [] });
			await pass(HOUR + MINUTE);
			expect(await store.purge({ ...limits, batch: 2 })).toEqual({ ...nothing, aged: 2, done: false });
			expect(await store.purge({ ...limits, batch: 2 })).toEqual({ ...nothing, aged: 1 });
			await pass(HOUR);
			expect(await store.purge({ ...limits, batch: 2 })).toEqual({ ...nothing, done: false });
			expect(await store.purge({ ...limits, batch: 2 })).toEqual(nothing);
		});
	});

	describe('opening', () => {
		test('many that open a new database at once all work, and share one secret', async () => {
			const fresh = await newDatabase();
			const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(fresh.place)));
			await Promise.all(stores.map((one) => saved(one)));
			expect(await idsIn(stores[0]!)).toHaveLength(6);
			expect(stores[0]!.secret.symmetricKeySize).toBe(32);
			for (const { secret } of stores) expect(secret.equals(stores[0]!.secret)).toBe(true);
			expect(stores[0]!.secret.equals(store.secret)).toBe(false);
			await Promise.all(stores.map((one) => one[Symbol.asyncDispose]()));
		});

		test('a command makes no tables, and works on those that are there', async () => {
			const { place } = await newDatabase();
			for (const _ of ['makes none', 'finds none']) await expect(openStore(place, { makes: false })).rejects.toThrow(StoreError);
			await using made = await openStore(place);
			await using found = await openStore(place, { makes: false });
			expect(await idsIn(found)).toEqual(await idsIn(made));
		});

		test.each([
			['of another version', `UPDATE lead_store SET tables = 'other'`, true],
			['of an earlier version', 'CREATE TABLE lead_store (id INTEGER, version INTEGER)'],
			['of another program', 'CREATE TABLE api_keys (id INTEGER)'],
		])('tables %s are refused, and left as they were', async (_, statement, ours = false) => {
			const { place, ask, listing } = await newDatabase();
			if (ours) await (await openStore(place))[Symbol.asyncDispose]();
			await ask(statement);
			const before = await ask(listing);
			const error = await openStore(place).catch((thrown: unknown) => thrown);
			expect(error).toBeInstanceOf(StoreError);
			for (const part of ['another version', 'another program', 'LEAD_STORE']) expect(String(error)).toContain(part);
			expect(await ask(listing)).toEqual(before);
		});
	});
}
