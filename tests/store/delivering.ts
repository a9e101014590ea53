import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type DeliveryResult, type LeadStore, type NewEntry, type Once, StoreError } from '../../src/store/store.ts';
import { claim, claimed, HOUR, idsIn, MINUTE, newEntry, newOnce, quarantined, released, saved, untilDue } from './entries.ts';
import { ask, other, pass, store, tried } from './opened.ts';

const failed: DeliveryResult = { state: 'waiting', wait: 2 * HOUR, reason: 'ECONNREFUSED' };
const refused: DeliveryResult = { state: 'parked', reason: '550' };

export function describeDelivering(): void {
	const dueIn = async (from: LeadStore, ...args: Parameters<LeadStore['retry']>) => (await from.retry(...args)).due;
	const parked = (entry?: Partial<NewEntry>) => tried(refused, entry);
	const statesOf = async ({ id }: { id: string }) => {
		const [entry] = await other.find(id);
		return [entry!.state, ...entry!.deliveries.map(({ channel, state }) => `${channel} ${state}`)];
	};

	describe('saving', () => {
		test('what was saved is listed as it was given, and is due at once', async () => {
			const payload = '{"name":"Zoë \\u0000 \u{1F600}"}';
			const entry = newEntry({ email: null, payload, channels: ['slack', 'email'] });
			expect(await store.insert(entry)).toMatchObject({ outcome: 'inserted' });
			const waiting = { state: 'waiting', tries: 0, dueAt: expect.any(Number), sentAt: null, lastError: null };
			const { id, kind, receivedAt } = entry;
			const kept = { id, kind, receivedAt, payload, confirmed: false, state: 'waiting' };
			const deliveries = ['email', 'slack'].map((channel) => ({ channel, ...waiting }));
			expect(await other.list({ limit: 9 })).toEqual([{ ...kept, deliveries }]);
			expect(await untilDue(store, 'teams')).toBeUndefined();
			expect(await untilDue(other, 'slack')).toBeLessThanOrEqual(0);
			expect(await claim(other)).toEqual([{ ...kept, channel: 'email', tries: 0 }]);
		});

		test('a key may be used again from the moment that its claim ends, whatever the clock was when it was taken', async () => {
			const once = newOnce({ lifetime: HOUR });
			const another = newOnce({ ...once, fingerprint: 'another lead' });
			const insert = () => store.insert(newEntry({ once: another }));
			await saved(store, { once });
			expect(await other.hasMark(randomUUID())).toBe(false);
			await pass(HOUR - MINUTE);
			expect(await insert()).toMatchObject({ outcome: 'conflict' });
			expect(await other.hasMark(once.key)).toBe(true);
			await pass(MINUTE);
			expect(await other.hasMark(once.key)).toBe(false);
			const [first, second] = [await insert(), await insert()];
			expect([first.outcome, second]).toEqual(['inserted', { outcome: 'duplicate', id: first.id }]);
			await pass(-365 * 24 * HOUR);
			expect(await insert()).toMatchObject({ outcome: 'inserted' });
			await pass(-MINUTE / 2);
			expect(await insert()).toMatchObject({ outcome: 'duplicate' });
		});

		test('without its key an entry is the same as long as its mark alone lasts, and an erased person leaves no mark', async () => {
			const email = 'eva@clinicaluna.example';
			const fingerprint = randomUUID();
			const insert = async (to: LeadStore, once: Partial<Once>) =>
				(await to.insert(newEntry({ email, once: newOnce({ fingerprint, ...once }) }))).outcome;
			const keyed = () => insert(store, { alone: 10 * MINUTE });
			const bare = () => insert(other, { key: fingerprint, lifetime: 10 * MINUTE });
			for (const _ of ['first', 'again']) {
				expect([await keyed(), await bare()]).toEqual(['inserted', 'duplicate']);
				await pass(6 * MINUTE);
			}
			await pass(3 * MINUTE);
			expect(await bare()).toBe('duplicate');
			await pass(MINUTE);
			expect([await bare(), await bare(), await keyed()]).toEqual(['inserted', 'duplicate', 'inserted']);
			expect(await store.erase(email)).toEqual({ entries: 4, keys: 0, fingerprints: 1 });
			expect(await bare()).toBe('inserted');
		});

		test('entries that are saved together do not hurt each other, and one that fails leaves nothing behind', async () => {
			const [once, another] = [newOnce(), newOnce()];
			await saved(store, { once });
			const bug = () => {
				throw new Error('A fault in the program');
			};
			const together: Partial<NewEntry>[] = [
				{},
				{ once },
				{ channels: ['against', 'against'], once: another },
				{ once: { ...once, fingerprint: 'another lead' } },
				{ id: { toJSON: bug } as never, once: another },
				{},
			];
			const insert = (entry: Partial<NewEntry>) =>
				store.insert(newEntry(entry)).catch((error: unknown) => ({ outcome: error instanceof StoreError }));
			const results = await Promise.all(together.map(insert));
			expect(results.map(({ outcome }) => outcome)).toEqual(['inserted', 'duplicate', true, 'conflict', true, 'inserted']);
			expect(await idsIn(store)).toHaveLength(3);
			expect(await store.insert(newEntry({ once: another }))).toMatchObject({ outcome: 'inserted' });
		});
	});

	describe('claiming', () => {
		test('deliveries are claimed in the order in which they are due, up to the limit', async () => {
			const ids = await Array.fromAsync({ length: 6 }, () => pass(1).then(() => saved(store)));
			for (const expected of [ids.slice(0, 4), ids.slice(4)]) {
				expect((await claim(store, { limit: 4 })).map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
			}
		});

		test('a row that is broken keeps no other from being claimed', async () => {
			const broken = await saved(store);
			const { id, payload } = newEntry();
			await saved(store, { id });
			await ask(`UPDATE lead_entries SET spam = '{', taken = '{' WHERE id = '${broken}'`);
			await ask(`DELETE FROM lead_keys WHERE slot = (SELECT key_slot FROM lead_entries WHERE id = '${broken}')`);
			const unreadable = { id: broken, payload: '{}' };
			expect(await claim(store)).toMatchObject([unreadable, { id, payload }]);
			expect(await other.find(broken)).toMatchObject([{ payload: '{}', spam: undefined, assigned: undefined }]);
		});

		test('a lease that has ended lets others claim, not a moment before, and then only their failure counts', async () => {
			const first = await claimed(store);
			expect(await untilDue(store, 'email')).toBeGreaterThan(HOUR - MINUTE);
			await pass(HOUR - MINUTE);
			expect(await claim(other, { owner: 'two' })).toEqual([]);
			await pass(MINUTE);
			expect(await claim(other, { owner: 'two' })).toMatchObject([{ id: first.id }]);
			for (const result of [failed, refused]) expect(await store.recordResult(first, result)).toBe(false);
			expect(await claim(store, { owner: 'three' })).toEqual([]);
			const second = { ...first, owner: 'two' };
			expect([await other.recordResult(second, failed), await other.recordResult(second, refused)]).toEqual([true, false]);
			expect(await store.recordResult(first, { state: 'sent' })).toBe(true);
		});

		test('an owner that gives its leases back leaves those of others, and all end at once when none is named', async () => {
			const { id } = await claimed(store);
			await saved(store);
			await claim(store, { owner: 'two' });
			await other.endLeases('one');
			expect(await claim(store)).toMatchObject([{ id }]);
			await other.endLeases();
			expect(await claim(store)).toHaveLength(2);
		});

		test('a clock that jumps back puts nothing out of reach: neither what is due or retried, nor a wait, nor a lease', async () => {
			const retried = [await parked(), await parked()].map(({ id }) => id);
			await pass(400 * 24 * HOUR);
			const lease = await tried({ state: 'waiting', wait: MINUTE, reason: '500' });
			const leased = await claimed(store);
			const due = await saved(store);
			expect([await dueIn(store, { id: retried[0]! }, ['email']), await dueIn(store, 'stuck', ['email'])]).toEqual([1, 1]);
			await pass(-365 * 24 * HOUR);
			const again = await claim(other, { owner: 'two' });
			expect(again.map(({ id }) => id).toSorted()).toEqual([...retried, lease.id, leased.id, due].toSorted());
			expect(await claim(other, { owner: 'three' })).toEqual([]);
		});
	});

	describe('marking', () => {
		test('a delivery that was sent, with its note, is never due again, whatever is said of it later', async () => {
			const lease = await claimed(store);
			expect(await store.recordResult(lease, { state: 'sent', note: '1 of 2 was refused' })).toBe(true);
			for (const result of [failed, { state: 'sent' } as const]) expect(await other.recordResult(lease, result)).toBe(false);
			expect(await dueIn(store, { id: lease.id }, ['email'])).toBe(0);
			await pass(99 * HOUR);
			expect([await claim(store), await untilDue(store, 'email')]).toEqual([[], undefined]);
			const sent = { dueAt: null, sentAt: expect.any(Number), tries: 1, lastError: '1 of 2 was refused' };
			expect(await store.find(lease.id)).toMatchObject([{ state: 'delivered', deliveries: [sent] }]);
		});

		test('a delivery that failed is due again after its wait, and its tries are counted', async () => {
			const lease = await claimed(store);
			expect(await store.recordResult(lease, failed)).toBe(true);
			expect(await other.markReturned(lease.id, 'email', 'the mail came back')).toBe(false);
			expect(await untilDue(store, 'email')).toBeGreaterThan(2 * HOUR - MINUTE);
			await pass(2 * HOUR - MINUTE);
			expect(await claim(store)).toEqual([]);
			await pass(MINUTE);
			expect(await claim(store)).toMatchObject([{ id: lease.id, tries: 1 }]);
			expect(await store.find(lease.id)).toMatchObject([{ deliveries: [{ tries: 1, lastError: 'ECONNREFUSED' }] }]);
		});
	});

	describe('retrying', () => {
		test('makes due what is parked, of one entry what waits too, and nothing in flight', async () => {
			const lease = await parked({ channels: ['email', 'slack'] });
			const again = [{ id: lease.id, tries: 0 }];
			const due = (channel: string) => claim(store, { channel });
			await pass(99 * HOUR);
			expect([await due('email'), await untilDue(store, 'email')]).toEqual([[], undefined]);
			await due('slack');
			await store.recordResult({ ...lease, channel: 'slack' }, failed);
			const waiting = await tried(failed);
			await parked({ kind: 'canary' });
			expect(await dueIn(store, 'stuck', ['email', 'slack'])).toBe(2);
			expect([await due('email'), await due('slack')]).toMatchObject([again, again]);
			expect([await dueIn(other, lease, ['email', 'slack']), await store.recordResult(lease, refused)]).toEqual([0, true]);
			await parked();
			expect([await dueIn(store, lease, ['email', 'slack']), await due('email')]).toMatchObject([1, again]);
			expect([await dueIn(store, waiting, ['email']), await due('email')]).toMatchObject([1, [{ id: waiting.id, tries: 0 }]]);
		});

		test('delivers a lead over the channels there are, and ends its deliveries over others', async () => {
			const lease = await tried({ state: 'sent' }, { channels: ['email', 'slack', 'sms'] });
			await claim(store, { channel: 'slack' });
			await store.recordResult({ ...lease, channel: 'slack' }, refused);
			expect(await other.pendingChannels()).toEqual(['slack', 'sms']);
			await pass(2 * MINUTE);
			expect(await other.retry('stuck', ['email', 'teams'])).toEqual({ due: 1, left: [] });
			expect(await claim(store, { channel: 'slack' })).toEqual([]);
			expect(await claim(store, { channel: 'teams' })).toMatchObject([{ id: lease.id, tries: 0 }]);
			expect(await store.pendingChannels()).toEqual(['teams']);
			const states = { email: 'sent', slack: 'ended', sms: 'ended', teams: 'waiting' };
			const deliveries = Object.entries(states).map(([channel, state]) => ({ channel, state }));
			expect(await store.find(lease.id)).toMatchObject([{ state: 'waiting', deliveries }]);

			await store.recordResult({ ...lease, channel: 'teams' }, refused);
			expect(await dueIn(other, lease, ['slack'])).toBe(1);
			expect(await claim(store, { channel: 'slack' })).toMatchObject([{ id: lease.id }]);
			await store.recordResult({ ...lease, channel: 'slack' }, { state: 'sent' });
			expect(await store.find(lease.id)).toMatchObject([{ state: 'delivered' }]);
		});

		test('opens a delivery only for the channels that get the entry, and ends what waits for another', async () => {
			const parts = { channels: ['email', 'email-2'], payload: 'to one' };
			const [one, two] = [await parked(parts), await parked({ ...parts, channels: ['email'], payload: 'to two' })];
			expect(await other.countParked('email')).toMatchObject({ parked: 2 });
			expect(await other.countParked('email-2')).toMatchObject({ parked: 0, since: 0 });
			const goesTo = ({ kind, payload }: { kind: string; payload: string }) =>
				[kind, payload].join() === 'lead,to one' ? ['email'] : ['email', 'email-2'];
			await pass(2 * MINUTE);
			expect(await dueIn(store, 'stuck', ['email', 'email-2'], goesTo)).toBe(3);
			expect(await statesOf(one)).toEqual(['waiting', 'email waiting', 'email-2 ended']);
			expect(await statesOf(two)).toEqual(['waiting', 'email waiting', 'email-2 waiting']);
			expect(await other.countParked('email')).toMatchObject({ parked: 0 });
			const lease = await claimed(store, { channels: ['email-2'] });
			expect(await dueIn(store, lease, ['email', 'email-2'], () => ['email'])).toBe(1);
			// Somebody tries it at this moment.
			expect(await store.recordResult(lease, failed)).toBe(true);
		});

		test('leaves what waits for a channel that another server may have, and makes it due now', async () => {
			const own = await tried(failed);
			const both = await parked({ channels: ['email', 'theirs'] });
			const lease = await claimed(store, { channels: ['theirs'] });
			const fail = async () => {
				for (const { id } of [both, lease]) await store.recordResult({ ...lease, id }, failed);
			};
			await fail();
			const retry = (which: Parameters<LeadStore['retry']>[0] = 'stuck') => other.retry(which, ['email']);
			expect(await retry(lease)).toEqual({ due: 1, left: [] });
			expect(await retry()).toEqual({ due: 1, left: ['theirs'] });
			// Somebody is at work there.
			expect(await claim(store, { channel: 'theirs', limit: 1 })).toHaveLength(1);
			await pass(2 * MINUTE);
			expect(await retry()).toEqual({ due: 0, left: ['theirs'] });
			expect(await claim(store, { channel: 'theirs' })).toHaveLength(1);
			await fail();
			expect(await retry()).toEqual({ due: 0, left: ['theirs'] });
			await pass(2 * MINUTE);
			// What waited for longer than a server would let it wait.
			expect(await retry()).toEqual({ due: 2, left: [] });
			for (const each of [both, lease]) expect(await statesOf(each)).toEqual(['waiting', 'email waiting', 'theirs ended']);
			// It is not stuck, so its tries did not start again.
			expect(await other.find(own.id)).toMatchObject([{ deliveries: [{ tries: 1 }] }]);
		});

		test('leaves what would go to no channel', async () => {
			const { id } = await parked();
			const held = await saved(store, quarantined('held'));
			for (const goesTo of [undefined, () => []]) expect(await dueIn(store, 'stuck', goesTo ? ['email'] : [], goesTo)).toBe(0);
			expect(await released(other, held, [])).toBe(false);
			expect([await other.find(id), await other.find(held)]).toMatchObject([[{ state: 'parked' }], [{ state: 'quarantined' }]]);
		});

		test('takes what waits for a channel that is gone, without a visitor’s confirmation, and ends a notice for it', async () => {
			// The first for the channel that is gone, and not to be moved.
			await saved(store, { kind: 'remark', channels: ['email'] });
			const notice = await saved(store, { kind: 'notice', channels: ['email', 'slack'] });
			// By a server that died.
			const { id: lead } = await claimed(store);
			await saved(store, { kind: 'confirmation', channels: ['confirmation'] });
			await pass(2 * HOUR);
			expect(await dueIn(other, 'stuck', ['slack', 'teams'])).toBe(3);
			expect(await store.pendingChannels()).toEqual(['slack', 'teams']);
			const [before, ...after] = ['email', 'slack', 'teams'].map((channel) => ({ channel }));
			expect(await store.find(lead)).toMatchObject([{ deliveries: [{ ...before, state: 'ended' }, ...after] }]);
			expect(await store.find(notice)).toMatchObject([{ deliveries: [{ ...before, state: 'ended' }, after[0]] }]);
			expect(await dueIn(store, 'stuck', ['slack', 'teams'])).toBe(0);
		});

		test('moves a notice whose every channel is gone, and a lead whose only channel left it once had and lost', async () => {
			const [notice, lead] = [await parked({ kind: 'notice', channels: ['email'] }), await parked()];
			await pass(2 * MINUTE);
			expect(await dueIn(other, 'stuck', ['slack'])).toBe(2);
			for (const { id } of [notice, lead]) {
				await claim(store, { channel: 'slack' });
				await store.recordResult({ ...lead, id, channel: 'slack' }, refused);
			}
			expect(await dueIn(other, 'stuck', ['email'])).toBe(2);
			const ids = [notice.id, lead.id].toSorted();
			expect((await claim(store)).map(({ id }) => id).toSorted()).toEqual(ids);
		});

		test('all that waits: makes due what was tried, of every kind, and leaves what is parked, in flight or not tried yet', async () => {
			const inFlight = await tried(failed);
			await pass(2 * HOUR);
			await claim(store);
			const lead = await tried(failed, { channels: ['email', 'theirs'] });
			const confirmation = await tried(failed, { kind: 'confirmation', channels: ['confirmation'] });
			// Until its possible leads are noted.
			await saved(store, { kind: 'notice', wait: HOUR });
			await parked();
			expect(await other.hurry(['email'])).toEqual({ due: 2, left: ['theirs'] });
			expect(await claim(other, { owner: 'two' })).toMatchObject([{ id: lead.id, tries: 0 }]);
			expect(await claim(other, { owner: 'two', channel: 'confirmation' })).toMatchObject([{ id: confirmation.id }]);
			expect(await other.hurry(['email'])).toEqual({ due: 0, left: ['theirs'] });
			expect(await store.recordResult(inFlight, failed)).toBe(true);
		});
	});

	describe('dismissing', () => {
		test('ends what is parked, keeps what was sent, and the entry counts as delivered', async () => {
			const lease = await parked({ channels: ['email', 'slack'] });
			await claim(store, { channel: 'slack' });
			await store.recordResult({ ...lease, channel: 'slack' }, { state: 'sent' });
			expect([await other.dismiss(lease.id), await store.dismiss(lease.id)]).toEqual([['email'], []]);
			expect(await statesOf(lease)).toEqual(['delivered', 'email ended', 'slack sent']);
			expect(await other.countParked('email')).toMatchObject({ parked: 0 });
			expect(await other.find(lease.id)).toMatchObject([{ deliveries: [{ tries: 1, lastError: '550' }, {}] }]);
			await store.purge({ age: -MINUTE, decisionTime: 0, cap: 9, batch: 9 });
			expect(await other.find(lease.id)).toEqual([]);
		});

		test('leaves what is not parked: waiting, in flight, sent or in quarantine', async () => {
			const lease = await claimed(store, { channels: ['email', 'slack'] });
			const held = await saved(store, quarantined('held'));
			for (const id of [lease.id, held, 'none']) expect(await other.dismiss(id)).toEqual([]);
			expect(await store.recordResult(lease, refused)).toBe(true);
			await claim(store, { channel: 'slack' });
			expect(await other.dismiss(lease.id)).toEqual(['email']);
			expect(await statesOf(lease)).toEqual(['waiting', 'email ended', 'slack waiting']);
			expect(await store.recordResult({ ...lease, channel: 'slack' }, { state: 'sent' })).toBe(true);
			expect([await statesOf(lease), await statesOf({ id: held })]).toMatchObject([['delivered', {}, {}], ['quarantined']]);
		});

		test('a lead that was dismissed can be retried by its id, and comes back with nothing else', async () => {
			const lease = await parked({ channels: ['email', 'slack'] });
			const notice = await parked({ kind: 'notice' });
			await claim(store, { channel: 'slack' });
			await store.recordResult({ ...lease, channel: 'slack' }, { state: 'sent' });
			for (const { id } of [lease, notice]) await store.dismiss(id);
			const both = await parked({ channels: ['email', 'slack'] });
			await store.dismiss(both.id);
			await claim(store, { channel: 'slack' });
			await store.recordResult({ ...both, channel: 'slack' }, refused);
			expect(await dueIn(other, 'stuck', ['email', 'slack'])).toBe(1);
			expect(await statesOf(both)).toEqual(['waiting', 'email ended', 'slack waiting']);
			expect([await dueIn(other, lease, ['email', 'slack']), await dueIn(other, notice, ['email'])]).toEqual([1, 0]);
			// It has arrived, and no operator has closed anything of it.
			expect(await dueIn(other, await tried({ state: 'sent' }), ['email', 'slack'])).toBe(0);
			expect(await statesOf(lease)).toEqual(['waiting', 'email waiting', 'slack sent']);
		});
	});
}
