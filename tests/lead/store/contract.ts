import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { type DeliveryResult, type EntryState, type LeadStore, StoreError } from '../../../src/lead/store/store.ts';
import { claimAs, HOUR, idsIn, newEntry, newOnce, NOW, saved } from './entries.ts';

/** What every store must do. `newDatabase` makes an empty database, and gives a function that opens a store on it. */
export function describeContract(newDatabase: () => Promise<() => Promise<LeadStore>>): void {
	let open: () => Promise<LeadStore>;
	let store: LeadStore;
	let other: LeadStore;

	beforeEach(async () => {
		open = await newDatabase();
		store = await open();
		other = await open();
		return async () => {
			await store[Symbol.asyncDispose]();
			await other[Symbol.asyncDispose]();
		};
	});

	describe('saving', () => {
		test('what was saved is listed as it was given', async () => {
			const entry = newEntry({ payload: '{"name":"Zoë \\u0000 \u{1F600}"}', channels: ['slack', 'email'] });
			expect(await store.insert(entry, NOW)).toBe('inserted');
			const waiting = { state: 'waiting', tries: 0, dueAt: NOW, sentAt: null, lastError: null };
			expect(await other.list()).toEqual([
				{
					id: entry.id,
					kind: 'lead',
					receivedAt: NOW,
					payload: entry.payload,
					state: 'waiting',
					deliveries: [
						{ channel: 'email', ...waiting },
						{ channel: 'slack', ...waiting },
					],
				},
			]);
		});

		test('the same key with the same fingerprint is a duplicate and saves nothing', async () => {
			const once = newOnce();
			const id = await saved(store, { once });
			expect(await other.insert(newEntry({ once }), NOW)).toBe('duplicate');
			expect(await idsIn(store)).toEqual([id]);
		});

		test('the same key with another fingerprint is a conflict and saves nothing', async () => {
			const once = newOnce();
			const id = await saved(store, { once });
			expect(await other.insert(newEntry({ once: { ...once, fingerprint: 'another lead' } }), NOW)).toBe('conflict');
			expect(await idsIn(store)).toEqual([id]);
		});

		test('a key may be used again from the moment that its claim ends', async () => {
			const once = newOnce({ expiresAt: NOW + HOUR });
			await saved(store, { once });
			const later = newOnce({ ...once, fingerprint: 'another lead', expiresAt: NOW + 2 * HOUR });
			expect(await store.insert(newEntry({ once: later }), NOW + HOUR - 1)).toBe('conflict');
			expect(await store.insert(newEntry({ once: later }), NOW + HOUR)).toBe('inserted');
			expect(await store.insert(newEntry({ once: later }), NOW + HOUR)).toBe('duplicate');
		});

		test('a key may be used again once it is forgotten', async () => {
			const once = newOnce();
			await saved(store, { once });
			await other.forget(once.key);
			expect(await store.insert(newEntry({ once }), NOW)).toBe('inserted');
		});

		test('of many that are saved with one key at the same moment, exactly one is', async () => {
			const once = newOnce();
			const attempts = Array.from({ length: 40 }, (_, turn) => (turn % 2 ? store : other).insert(newEntry({ once }), NOW));
			const insertions = await Promise.all(attempts);
			expect(insertions.filter((insertion) => insertion === 'inserted')).toHaveLength(1);
			expect(new Set(insertions)).toEqual(
				new Set(['inserted', ...insertions.filter((one) => /^(duplicate|in-flight)$/.test(one))]),
			);
			expect(await idsIn(store)).toHaveLength(1);
		});

		test('entries that are saved together do not hurt each other', async () => {
			const once = newOnce();
			await saved(store, { once });
			const insertions = await Promise.all([
				store.insert(newEntry(), NOW),
				store.insert(newEntry({ once }), NOW),
				store.insert(newEntry({ once: { ...once, fingerprint: 'another lead' } }), NOW),
				store.insert(newEntry(), NOW),
			]);
			expect([insertions[0], insertions[3]]).toEqual(['inserted', 'inserted']);
			expect(['duplicate', 'in-flight']).toContain(insertions[1]);
			expect(['conflict', 'in-flight']).toContain(insertions[2]);
			expect(await idsIn(store)).toHaveLength(3);
		});

		test('an entry that cannot be saved leaves nothing behind, and those saved with it are safe', async () => {
			const once = newOnce();
			const impossible = newEntry({ channels: ['email', 'email'], once });
			const [before, failure, after] = await Promise.allSettled([
				store.insert(newEntry(), NOW),
				store.insert(impossible, NOW),
				store.insert(newEntry(), NOW),
			]);
			expect(failure).toMatchObject({ status: 'rejected', reason: expect.any(StoreError) });
			for (const neighbour of [before, after]) expect(neighbour).toEqual({ status: 'fulfilled', value: 'inserted' });
			expect(await idsIn(store)).toHaveLength(2);
			expect(await store.insert(newEntry({ once }), NOW)).toBe('inserted');
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
			for (const turn of [7, 3, 0, 5, 1, 6, 2, 4]) ids[turn] = await saved(store, {}, NOW - 9 + turn);
			const claimed = [...(await store.claim(claimAs({ limit: 6 }))), ...(await store.claim(claimAs({ limit: 6 })))];
			expect(claimed.map(({ id }) => id)).toEqual(ids);
		});

		test('only channels that were asked for are claimed', async () => {
			await saved(store, { channels: ['email', 'slack'] });
			expect(await store.claim(claimAs({ channels: ['slack', 'teams'] }))).toMatchObject([{ channel: 'slack' }]);
			expect(await store.claim(claimAs({ channels: [] }))).toEqual([]);
		});

		test('many claimers at once never get the same delivery, and miss none', async () => {
			await Promise.all(Array.from({ length: 60 }, () => saved(store, { channels: ['email', 'slack'] })));
			const claims = Array.from({ length: 40 }, (_, turn) => (turn % 2 ? store : other).claim(claimAs({ limit: 5 })));
			const claimed = (await Promise.all(claims)).flat();
			const rest = await store.claim(claimAs({ limit: 200 }));
			const all = [...claimed, ...rest].map(({ id, channel }) => `${id} ${channel}`);
			expect(claimed.length).toBeGreaterThan(0);
			expect(all).toHaveLength(120);
			expect(new Set(all).size).toBe(120);
		});

		test('a lease that has ended lets others claim, and not a moment before', async () => {
			const id = await saved(store);
			await store.claim(claimAs({ leaseUntil: NOW + HOUR }));
			expect(await other.claim(claimAs({ owner: 'two', now: NOW + HOUR - 1 }))).toEqual([]);
			expect(await other.claim(claimAs({ owner: 'two', now: NOW + HOUR }))).toMatchObject([{ id }]);
		});

		test('an owner that gives its leases back leaves those of others', async () => {
			const first = await saved(store, {}, NOW - 2);
			await saved(store, {}, NOW - 1);
			await store.claim(claimAs({ owner: 'one', limit: 1 }));
			await store.claim(claimAs({ owner: 'two', limit: 1 }));
			await other.endLeases('one');
			expect(await store.claim(claimAs())).toMatchObject([{ id: first }]);
		});

		test('all leases end at once when no owner is named', async () => {
			await saved(store, { channels: ['email', 'slack'] });
			await store.claim(claimAs({ owner: 'one', limit: 1 }));
			await store.claim(claimAs({ owner: 'two', limit: 1 }));
			await other.endLeases();
			expect(await store.claim(claimAs())).toHaveLength(2);
		});

		test('the next delivery is due when the first wait or lease ends', async () => {
			expect(await store.nextDue(['email'])).toBeUndefined();
			await saved(store, {}, NOW + 5);
			expect(await store.nextDue(['email'])).toBe(NOW + 5);
			expect(await store.nextDue(['slack'])).toBeUndefined();
			await store.claim(claimAs({ now: NOW + 5, leaseUntil: NOW + HOUR }));
			expect(await store.nextDue(['email'])).toBe(NOW + HOUR);
			await saved(store, {}, NOW + 7);
			expect(await store.nextDue(['email'])).toBe(NOW + 7);
		});
	});

	describe('marking', () => {
		test('a delivery that was sent is never due again, whatever is said of it later', async () => {
			const id = await saved(store);
			await store.claim(claimAs());
			await store.mark({ id, channel: 'email' }, { state: 'sent', at: NOW + 1 });
			await other.mark({ id, channel: 'email' }, { state: 'waiting', dueAt: NOW + 2, reason: 'timeout' });
			expect(await store.retry({ id }, NOW)).toBe(0);
			expect(await store.claim(claimAs({ now: NOW + 9 * HOUR }))).toEqual([]);
			expect(await store.nextDue(['email'])).toBeUndefined();
			expect(await store.list()).toMatchObject([
				{ state: 'delivered', deliveries: [{ dueAt: null, sentAt: NOW + 1, tries: 1 }] },
			]);
		});

		test('a delivery that failed is due again at its time, and its tries are counted', async () => {
			const id = await saved(store);
			await store.claim(claimAs());
			await store.mark({ id, channel: 'email' }, { state: 'waiting', dueAt: NOW + 60, reason: 'ECONNREFUSED' });
			expect(await store.claim(claimAs({ now: NOW + 59 }))).toEqual([]);
			expect(await store.claim(claimAs({ now: NOW + 60 }))).toMatchObject([{ id, tries: 1 }]);
			expect(await store.list()).toMatchObject([{ deliveries: [{ tries: 1, dueAt: NOW + 60, lastError: 'ECONNREFUSED' }] }]);
		});

		test('a channel that worked is not sent to again because another failed', async () => {
			const id = await saved(store, { channels: ['email', 'slack'] });
			await store.claim(claimAs());
			await store.mark({ id, channel: 'email' }, { state: 'sent', at: NOW });
			await store.mark({ id, channel: 'slack' }, { state: 'waiting', dueAt: NOW + 1, reason: '500' });
			expect(await store.claim(claimAs({ now: NOW + 1 }))).toMatchObject([{ channel: 'slack' }]);
		});

		test('a parked delivery stays until it is retried, and its tries then count anew', async () => {
			const id = await saved(store);
			await store.claim(claimAs());
			await store.mark({ id, channel: 'email' }, { state: 'parked', reason: '550' });
			expect(await store.claim(claimAs({ now: NOW + 99 * HOUR }))).toEqual([]);
			expect(await store.nextDue(['email'])).toBeUndefined();
			expect(await store.retry('parked', NOW + 1)).toBe(1);
			expect(await store.claim(claimAs({ now: NOW + 1 }))).toMatchObject([{ id, tries: 0 }]);
		});

		test('a result for an erased entry changes nothing', async () => {
			const id = await saved(store);
			await store.claim(claimAs());
			await other.erase('ana@clinicasol.example');
			await store.mark({ id, channel: 'email' }, { state: 'waiting', dueAt: NOW, reason: '500' });
			expect(await store.list()).toEqual([]);
		});
	});

	const park = (id: string) => store.mark({ id, channel: 'email' }, { state: 'parked', reason: '550' });

	describe('the operator', () => {
		test('retries one entry: what is parked or waiting is due now', async () => {
			const [id, bystander] = [await saved(store, { channels: ['email', 'slack'] }), await saved(store)];
			await park(id);
			await park(bystander);
			await store.mark({ id, channel: 'slack' }, { state: 'waiting', dueAt: NOW + HOUR, reason: '500' });
			expect(await store.retry({ id }, NOW + 1)).toBe(2);
			const claimed = await store.claim(claimAs({ now: NOW + 1 }));
			expect(claimed.map((delivery) => delivery.id)).toEqual([id, id]);
		});

		test('retries all that is parked, and leaves what waits', async () => {
			const [parked, waiting] = [await saved(store), await saved(store)];
			await park(parked);
			await store.mark({ id: waiting, channel: 'email' }, { state: 'waiting', dueAt: NOW + HOUR, reason: '500' });
			expect(await store.retry('parked', NOW + 1)).toBe(1);
			expect(await store.claim(claimAs({ now: NOW + 1 }))).toMatchObject([{ id: parked }]);
		});

		test('does not disturb a delivery that is being tried', async () => {
			const id = await saved(store);
			await store.claim(claimAs());
			await other.retry({ id }, NOW);
			expect(await store.claim(claimAs())).toEqual([]);
		});

		test('releases from quarantine, once, to the channels there are', async () => {
			const id = await saved(store, { quarantined: true, channels: [] });
			expect(await store.claim(claimAs())).toEqual([]);
			expect(await store.release(id, ['email', 'slack'], NOW + 1)).toBe(true);
			expect(await other.release(id, ['email', 'slack'], NOW + 1)).toBe(false);
			expect(await store.release(randomUUID(), ['email'], NOW)).toBe(false);
			expect(await store.claim(claimAs({ now: NOW + 1 }))).toHaveLength(2);
		});

		test('lists newest first, by id, and by state', async () => {
			const ids: Record<EntryState, string> = {
				waiting: await saved(store, { receivedAt: NOW - 4, channels: ['email', 'slack'] }),
				delivered: await saved(store, { receivedAt: NOW - 3 }),
				parked: await saved(store, { receivedAt: NOW - 2, channels: ['email', 'slack'] }),
				quarantined: await saved(store, { receivedAt: NOW - 1, quarantined: true, channels: [] }),
			};
			const sent: DeliveryResult = { state: 'sent', at: NOW };
			for (const id of [ids.waiting, ids.delivered]) await store.mark({ id, channel: 'email' }, sent);
			await park(ids.parked);
			expect(await idsIn(store)).toEqual([ids.quarantined, ids.parked, ids.delivered, ids.waiting]);
			expect(await store.list({ id: ids.parked })).toMatchObject([{ id: ids.parked, state: 'parked' }]);
			expect(await store.list({ id: randomUUID() })).toEqual([]);
			for (const state of Object.keys(ids) as EntryState[])
				expect(await store.list({ state })).toMatchObject([{ id: ids[state], state }]);
		});

		test('erases a person whatever the case of the address and the state of the entries', async () => {
			const once = newOnce();
			const parked = await saved(store, { email: 'ÉVA@Clinic.example', once });
			await park(parked);
			await saved(store, { email: 'éva@clinic.EXAMPLE', quarantined: true, channels: [] });
			const [bystander, notice] = [await saved(store), await saved(store, { kind: 'notice', email: null })];
			expect(await other.erase('Éva@clinic.example')).toBe(2);
			expect((await idsIn(store)).toSorted()).toEqual([bystander, notice].toSorted());
			expect(await store.retry('parked', NOW)).toBe(0);
			expect(await store.insert(newEntry({ once }), NOW)).toBe('inserted');
		});
	});

	describe('purging', () => {
		const limits = { receivedBefore: NOW, quarantineCap: 100, now: NOW };
		const old = { receivedAt: NOW - 1 };

		test('deletes what is delivered or quarantined and past its time, and nothing else', async () => {
			const [delivered, parked] = [await saved(store, old), await saved(store, { ...old, channels: ['email', 'slack'] })];
			const kept = [parked, await saved(store, old), await saved(store), await saved(store, { quarantined: true, channels: [] })];
			await saved(store, { ...old, quarantined: true, channels: [] });
			for (const id of [delivered, parked]) await store.mark({ id, channel: 'email' }, { state: 'sent', at: NOW });
			await store.mark({ id: parked, channel: 'slack' }, { state: 'parked', reason: '404' });
			expect(await store.purge(limits)).toBe(2);
			expect((await idsIn(store)).toSorted()).toEqual(kept.toSorted());
		});

		test('deletes the oldest in quarantine beyond the cap', async () => {
			const quarantined = (age: number) => saved(store, { receivedAt: NOW + HOUR - age, quarantined: true, channels: [] });
			const [newest, , , second] = [await quarantined(1), await quarantined(4), await quarantined(3), await quarantined(2)];
			const lead = await saved(store, { receivedAt: NOW });
			expect(await store.purge({ ...limits, quarantineCap: 2 })).toBe(2);
			expect(await idsIn(store)).toEqual([newest, second, lead]);
		});

		test('keeps a key until it expires, though its entry is gone', async () => {
			const once = newOnce({ expiresAt: NOW + HOUR });
			const id = await saved(store, { ...old, once });
			await store.mark({ id, channel: 'email' }, { state: 'sent', at: NOW });
			expect(await store.purge(limits)).toBe(1);
			expect(await store.insert(newEntry({ once }), NOW)).toBe('duplicate');
			await store.purge({ ...limits, now: NOW + HOUR });
			expect(await store.insert(newEntry({ once }), NOW)).toBe('inserted');
		});
	});

	describe('opening', () => {
		test('what was saved, tried and claimed is there after closing and opening again', async () => {
			const once = newOnce();
			const id = await saved(store, { once, channels: ['email', 'slack'] });
			await store.mark({ id, channel: 'email' }, { state: 'sent', at: NOW });
			await store.claim(claimAs());
			const before = await store.list();
			await using again = await open();
			expect(await again.list()).toEqual(before);
			expect(await again.claim(claimAs())).toEqual([]);
			expect(await again.insert(newEntry({ once }), NOW)).toBe('duplicate');
		});

		test('many that open a new database at once all work, and share one secret', async () => {
			const openNew = await newDatabase();
			const stores = await Promise.all(Array.from({ length: 6 }, openNew));
			await Promise.all(stores.map((one) => saved(one)));
			expect(await idsIn(stores[0]!)).toHaveLength(6);
			expect(stores[0]!.secret).toHaveLength(32);
			for (const { secret } of stores) expect(secret).toEqual(stores[0]!.secret);
			expect(stores[0]!.secret).not.toEqual(store.secret);
			await Promise.all(stores.map((one) => one[Symbol.asyncDispose]()));
		});
	});
}
