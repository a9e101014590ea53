import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sourceHash } from '../../src/store/entry.ts';
import { type EntryState, StoreError } from '../../src/store/store.ts';
import { newApiKey } from '../support/api-key.ts';
import { announced, HOUR, idsIn, MINUTE, newEntry, newOnce, quarantined, released, saved } from './entries.ts';
import { aged, ask, marked, other, pass, store } from './opened.ts';

export function describeLooking(): void {
	describe('looking', () => {
		test('lists newest first, each once, by state, by source, page by page, and counts the leads in each state', async () => {
			expect(await store.count()).toEqual({ waiting: 0, delivered: 0, parked: 0, quarantined: 0, oldestWaiting: null });
			const [oldest, two] = [{ ...aged(5 * MINUTE), source: 'api-access' }, { channels: ['email', 'slack'] }];
			const ids = [
				await saved(store, quarantined('faulty', aged(MINUTE))),
				await marked('parked', { ...aged(2 * MINUTE), ...two }),
				await marked('sent', { ...aged(3 * MINUTE), source: 'API-access' }),
				await marked('sent', { ...aged(4 * MINUTE), ...two }),
				...[await saved(store, oldest), await saved(store, oldest)].toReversed(),
			];
			// Not listed.
			await saved(store, { kind: 'remark', receivedAt: 1000 });
			expect(await idsIn(store)).toEqual(ids);
			const states = { quarantined: [ids[0]], parked: [ids[1]], delivered: [ids[2]], waiting: ids.slice(3) };
			for (const [state, expected] of Object.entries(states) as [EntryState, string[]][])
				expect(await store.list({ state, limit: 9 })).toMatchObject(expected.map((id) => ({ id, state })));
			const source = sourceHash(store.secret, 'api-access');
			expect(await store.list({ source, limit: 9 })).toMatchObject(ids.slice(4).map((id) => ({ id })));
			const first = await store.list({ limit: 5 });
			expect(await store.list({ source, before: first[4], limit: 5 })).toMatchObject([{ id: ids[5] }]);
			expect(await store.list({ before: first[4], limit: 5 })).toMatchObject([{ id: ids[5] }]);
			expect(await store.list({ before: first[4], state: 'parked', limit: 5 })).toEqual([]);
			await saved(store, { kind: 'notice', receivedAt: 1000 });
			const counts = { waiting: 3, delivered: 1, parked: 1, quarantined: 1 };
			expect(await other.count()).toEqual({ ...counts, oldestWaiting: oldest.receivedAt });
		});

		test('finds an entry by how its id begins or ends, and two where it is not enough', async () => {
			const [one, two] = ['a0000000-0000-7000-8000-000000000001', 'a0000000-0000-7000-8000-100000000002'];
			for (const id of [one, two]) await store.insert(newEntry({ id }));
			for (const part of [one, '00000001', '000000000001', one.slice(0, 25)])
				expect(await store.find(part)).toMatchObject([{ id: one }]);
			expect(await store.find('a0000000')).toHaveLength(2);
			for (const part of ['b', '0000001', '10000001', '%', randomUUID()]) expect(await store.find(part)).toEqual([]);
			// A whole id is not looked for within others: that reads all of them.
			const whole = randomUUID();
			await saved(store, { id: `${whole}x` });
			expect(await store.find(whole)).toEqual([]);
		});

		test('knows when the latest leads came, without what lies in quarantine', async () => {
			const times = [3, 2, 1].map((age) => Date.now() - age * MINUTE);
			for (const receivedAt of times) await saved(store, { receivedAt });
			await saved(store, quarantined('held'));
			await saved(store, newEntry({ kind: 'notice' }));
			expect(await other.leadTimes(times[0]!)).toEqual([times[2], times[1]]);
		});

		test('tells once of what lies in quarantine and could be released, the newest first', async () => {
			const ids = await Array.fromAsync([1, 2, 3], (age) => saved(store, quarantined('held', aged(age * MINUTE))));
			await saved(store, quarantined('faulty'));
			expect([await store.countUnnotified(9), await store.countUnnotified(2)]).toEqual([3, 2]);
			const notice = await announced(other);
			expect(await store.countUnnotified(9)).toBe(0);
			expect((await store.announcedBy(notice, 2)).map(({ id }) => id)).toEqual(ids.slice(0, 2));
			await released(other, ids[0]!, ['email']);
			await saved(store, quarantined('held'));
			expect(await store.countUnnotified(9)).toBe(1);
			await announced(store);
			expect((await store.announcedBy(notice, 9)).map(({ id }) => id)).toEqual(ids.slice(1));
		});

		test('tells again of what a notice covers that was sent without it or is gone, and of a parked one after a day', async () => {
			const held = await saved(store, quarantined('held'));
			const notice = { kind: 'notice', email: null } as const;
			const unnotified = async () => [await store.countUnnotified(9), await other.countUnnotified(9)];
			for (const isDismissed of [false, true]) {
				const parked = await marked('parked', notice);
				if (isDismissed) await store.dismiss(parked);
				await other.announce(parked);
				expect(await unnotified()).toEqual([0, 0]);
				await pass(25 * HOUR);
				await store.purge({ age: 99 * HOUR, decisionTime: HOUR, cap: 9, batch: 9 });
				expect(await unnotified()).toEqual([1, 1]);
			}
			for (const useless of [await marked('sent', notice), randomUUID()]) {
				await other.announce(useless);
				expect(await unnotified()).toEqual([1, 1]);
			}
			expect(await store.announcedBy(await announced(store), 9)).toMatchObject([{ id: held }]);
			expect(await store.countUnnotified(9)).toBe(0);
		});
	});

	describe('API keys', () => {
		test('are found by their id as they were given, and listed newest first with what was done, whatever any clock says', async () => {
			const old = newApiKey({ email: 'Éva@clinic.example', name: 'Zoë \u0000', madeAt: 1, endsAt: 5000 });
			const young = newApiKey({ madeAt: 2 });
			for (const key of [old, young]) await store.keys.insert(key);
			await expect(store.keys.insert(newApiKey({ id: old.id }))).rejects.toThrow(StoreError);
			expect(await other.keys.find(old.id)).toEqual({ ...old, revoked: false, lastUsed: null, leads: 0 });
			expect(await other.keys.find('000000000000')).toBeUndefined();
			await other.keys.revoke(old.id, 6000);
			for (const day of ['2026-11-20', '2026-11-21', '2026-11-21']) await store.keys.used(young.id, day);
			const used = { id: young.id, revoked: false, lastUsed: '2026-11-21' };
			expect(await store.keys.list()).toMatchObject([used, { id: old.id, revoked: true, endsAt: 5000 }]);
			await ask('DELETE FROM lead_keys');
			expect(await store.keys.list()).toMatchObject([{ broken: true }, { broken: true }]);
		});

		test('count each lead that was sent with them once, and none of others', async () => {
			const [key, stranger] = [newApiKey(), newApiKey()];
			for (const each of [key, stranger]) await store.keys.insert(each);
			const apiKey = key.id;
			const once = newOnce();
			for (let turn = 0; turn < 2; turn += 1) await store.insert(newEntry({ apiKey, once }));
			await Promise.all(Array.from({ length: 8 }, (_, turn) => (turn % 2 ? store : other).insert(newEntry({ apiKey }))));
			await saved(store);
			expect([await store.keys.find(apiKey), await store.keys.find(stranger.id)]).toMatchObject([{ leads: 9 }, { leads: 0 }]);
		});
	});
}
