import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { sourceHash } from '../../src/lead/email-address.ts';
import type { Judgement } from '../../src/lead/judgement.ts';
import { ALIKE } from '../../src/store/entries.ts';
import { type KindName, kinds } from '../../src/store/kinds.ts';
import { type Assignment, type EntryState, type LeadStore, type NewEntry, StoreError } from '../../src/store/store.ts';
import { newApiKey } from '../support/api-key.ts';
import {
	announced,
	claim,
	claimed,
	HOUR,
	idsIn,
	MINUTE,
	type NewDatabase,
	newEntry,
	newOnce,
	openTwice,
	quarantined,
	released,
	saved,
} from './entries.ts';

/** Tests what every store keeps, how it is found, and when it goes. */
export function describeKeeping(newDatabase: NewDatabase): void {
	let store: LeadStore;
	let other: LeadStore;
	let pass: (time: number) => Promise<void>;
	let ask: (statement: string) => Promise<unknown[]>;

	beforeEach(async () => {
		const opened = await openTwice(newDatabase);
		({ store, other, pass, ask } = opened);
		return opened.close;
	});

	const aged = (age: number) => ({ receivedAt: Date.now() - age });

	/** Saves an entry, and marks the first of its deliveries. */
	async function marked(state: 'sent' | 'parked', entry: Partial<NewEntry> = {}): Promise<string> {
		const lease = await claimed(store, entry, entry.channels?.[0]);
		await store.recordResult(lease, { state, reason: '550' });
		return lease.id;
	}

	/** Announces everything in quarantine, as if so long ago. */
	async function tell(ago = 0): Promise<void> {
		await other.markNotified(await announced(store));
		await pass(ago);
	}

	describe('judging', () => {
		const held: Judgement = { verdict: 'held', signals: ['disposable', 'links'] };
		const suspect: Judgement = { verdict: 'marked', signals: ['disposable'] };

		test('the first judgement counts, and goes with the lead', async () => {
			const { id } = await claimed(store);
			expect([await store.judge(id, suspect), await other.judge(id, held)]).toEqual([{ spam: suspect }, { spam: suspect }]);
			expect(await store.list({ limit: 9 })).toMatchObject([{ id, state: 'waiting', spam: suspect }]);
			await store.endLeases();
			expect(await claim(other)).toMatchObject([{ id, spam: suspect }]);
		});

		test('a held lead is due for no channel, and a possible lead in quarantine until it is released, once', async () => {
			const { id } = await claimed(store, { channels: ['email', 'slack'] });
			expect(await store.judge(id, held)).toEqual({ spam: held });
			await store.endLeases();
			expect(await claim(store, { channel: 'slack' })).toEqual([]);
			expect(await store.list({ limit: 9 })).toMatchObject([{ state: 'quarantined', deliveries: [] }]);
			expect([await store.count(), await store.countUnnotified(9)]).toMatchObject([{ waiting: 0, quarantined: 1 }, 1]);
			// A try that began before reports now.
			expect(await store.recordResult({ id, channel: 'email', owner: 'one' }, { state: 'sent' })).toBe(false);
			// No notice tells of what the operator has marked as spam.
			await store.train(id, { verdict: 'spam', signals: [] }, ['link']);
			expect(await store.countUnnotified(9)).toBe(0);
			expect(await released(store, id, ['email', 'teams'])).toBe(true);
			for (const gone of [id, randomUUID()]) expect(await released(other, gone, ['email'])).toBe(false);
			for (const channel of ['email', 'teams']) expect(await claim(store, { channel })).toMatchObject([{ id }]);
		});

		test('a lead that is clear, or that nobody judges, is confirmed once by whichever confirmation is free, and no other', async () => {
			const clear: Judgement = { verdict: 'clear', signals: [] };
			/** Those of two for all mailboxes of a domain. */
			const confirming = (mailbox: string) =>
				['first', 'second'].map((key) =>
					newEntry({ kind: 'confirmation', once: newOnce({ key, fingerprint: mailbox }), channels: ['confirmation'] }),
				);
			const judged = async (judgement: Judgement | undefined, mailbox: string) =>
				store.judge(await saved(store), judgement, confirming(mailbox));
			for (const verdict of ['held', 'marked'] as const)
				expect(await judged({ verdict, signals: [] }, 'ana')).not.toHaveProperty('confirmations');
			expect(await judged(undefined, 'ana')).toEqual({ spam: undefined, confirmations: 1 });
			const none = { spam: clear, confirmations: undefined };
			expect(await judged(clear, 'ana')).toEqual(none);
			const lead = await saved(store);
			expect(await store.judge(lead, clear, confirming('eva'))).toEqual({ spam: clear, confirmations: 2 });
			expect(await other.judge(lead, clear, confirming('rui'))).toEqual({ spam: clear });
			expect(await judged(clear, 'rui')).toEqual(none);
			expect(await claim(store, { channel: 'confirmation' })).toHaveLength(2);
		});

		test('of people who take or change a lead at once one does, and only what they have seen', async () => {
			const id = await saved(store);
			const all = (by: string | undefined, from?: Assignment) =>
				Promise.all([store, other, store, other].map((each) => each.assign(id, by, from)));
			const one = [false, false, false, true];
			const assigned = async () => (await other.find(id))[0]!.assigned;
			expect((await all('Ana')).toSorted()).toEqual(one);
			const first = (await assigned())!;
			expect(first).toEqual({ by: 'Ana', at: expect.any(Number) });
			expect(await store.assign(id, 'Eva', { ...first, at: first.at - 1 })).toBe(false);
			expect((await all('Eva', first)).toSorted()).toEqual(one);
			const second = (await assigned())!;
			expect(second).toEqual({ by: 'Eva', at: expect.any(Number), first: first.at });
			expect((await all(undefined, second)).toSorted()).toEqual(one);
			expect(await assigned()).toBeUndefined();
		});

		test('of instances that remind at once one saves the notice, and a lead counts once', async () => {
			const id = await saved(store);
			const remind = (key: string) => (each: LeadStore) =>
				each.remind({ oldest: HOUR, youngest: -HOUR, most: 2, limit: 9 }, (ids, more) => {
					expect([ids, more]).toEqual([[id], 0]);
					return newEntry({ kind: 'notice', once: newOnce({ key }) });
				});
			for (const [day, saves] of [
				['first', 1],
				['first', 0],
				['second', 1],
				['third', 0],
			] as const) {
				const results = await Promise.all([store, other, store, other].map(remind(day)));
				expect(results.filter(Boolean)).toHaveLength(saves);
			}
		});

		test('of a lead that is gone nothing is marked, judged or remembered', async () => {
			const lease = await claimed(store);
			await other.erase('ana@clinicasol.example');
			expect([await store.recordResult(lease, { state: 'sent' }), await store.judge(lease.id, held)]).toEqual([false, undefined]);
			await store.train(lease.id, { verdict: 'spam', signals: [] }, ['link']);
			expect([await store.recall(['link']), await store.recall([]), await idsIn(store)]).toEqual([undefined, undefined, []]);
		});

		test('leads with the same fingerprint are found, newest first, a few at most, and only from then on', async () => {
			const now = Date.now();
			const ids: string[] = [];
			for (let turn = 0; turn < 12; turn += 1)
				ids.push(await saved(store, { fingerprint: 'same', receivedAt: now - turn * MINUTE, channels: ['a', 'b'] }));
			for (const fingerprint of ['other', undefined]) await saved(store, { fingerprint });
			expect((await store.alike('same', ids[0]!, now - 3 * MINUTE)).map(({ id }) => id)).toEqual(ids.slice(1, 3));
			expect(await store.alike('same', ids[0]!, 0)).toHaveLength(ALIKE);
		});

		test('the operator’s last word on a trait counts, until the lead it was said of is erased', async () => {
			const [spam, none] = [await saved(store, { email: 'a@a.example' }), await saved(store, { email: 'b@b.example' })];
			expect(await store.recall(['link'])).toBeUndefined();
			await store.train(spam, { verdict: 'spam', signals: [] }, ['message', 'link']);
			expect(await other.recall(['new', 'link'])).toBe('spam');
			await pass(MINUTE);
			await store.train(none, { verdict: 'clear', signals: ['disposable'] }, ['link']);
			expect([await store.recall(['link']), await store.recall(['message'])]).toEqual(['clear', 'spam']);
			const cleared = { id: none, spam: { verdict: 'clear', signals: ['disposable'] } };
			expect(await store.list({ trained: true, limit: 9 })).toMatchObject([cleared, { id: spam }]);

			await store.train(spam, { verdict: 'clear', signals: [] }, []);
			expect(await store.recall(['message'])).toBeUndefined();
			await store.erase('b@b.example');
			expect([await store.recall(['link']), await store.list({ trained: true, limit: 9 })]).toEqual([undefined, []]);
		});
	});

	const DAY = 24 * HOUR;
	describe('what was said of a lead that is deleted since', () => {
		const limits = { age: 30 * DAY, decisionTime: 0, cap: 9, batch: 9 };
		/** Takes a lead that is delivered, and says something of it. */
		const train = async (name: string, verdict: 'spam' | 'clear', ...traits: string[]) => {
			const lease = await claimed(store, { email: `${name}@a.example` });
			await store.recordResult(lease, { state: 'sent' });
			await store.train(lease.id, { verdict, signals: [] }, traits);
			await pass(MINUTE);
		};
		const purge = async () => {
			while (!(await store.purge(limits)).done);
		};
		const said = async (...traits: string[]) => Promise.all(traits.map((trait) => store.recall([trait])));

		test('lasts 400 days, the last word on each trait', async () => {
			await train('ana', 'spam', 'link', 'message');
			await train('rui', 'clear', 'link');
			await train('ana', 'clear', 'message');
			await pass(31 * DAY);
			await purge();
			expect(await idsIn(store)).toEqual([]);
			expect(await said('link', 'message')).toEqual(['clear', 'clear']);
			// A newer lead has the last word, as long as it lasts.
			await train('eva', 'spam', 'link');
			expect(await said('link')).toEqual(['spam']);
			await pass(368 * DAY);
			await purge();
			expect(await said('link', 'message')).toEqual(['spam', 'clear']);
			await pass(2 * DAY);
			await purge();
			expect(await said('link', 'message')).toEqual(['spam', undefined]);
		});

		test('is erased with the person whose lead it was, and no other', async () => {
			await train('ana', 'spam', 'link', 'message');
			await train('rui', 'clear', 'link');
			await pass(31 * DAY);
			await purge();
			await other.erase('RUI@a.example');
			expect(await said('link', 'message')).toEqual(['spam', 'spam']);
			await store.erase('ana@a.example');
			expect(await said('link', 'message')).toEqual([undefined, undefined]);
		});

		test('is not remembered of a lead that is erased', async () => {
			await train('ana', 'spam', 'link');
			await store.erase('ana@a.example');
			expect(await said('link')).toEqual([undefined]);
		});

		test('is kept of the newest traits, up to the cap', async () => {
			for (let turn = 0; turn < 12; turn += 1) await train('ana', 'spam', `link ${turn}`);
			await pass(31 * DAY);
			await purge();
			expect(await said('link 2', 'link 3')).toEqual([undefined, 'spam']);
		});
	});

	describe('looking', () => {
		test('lists newest first, each once, by state, by source, page by page, and counts the leads in each state', async () => {
			const none = { waiting: 0, delivered: 0, parked: 0, quarantined: 0, oldestWaiting: null };
			expect(await store.count()).toEqual(none);
			const [oldest, two] = [{ ...aged(5 * MINUTE), source: 'api-access' }, { channels: ['email', 'slack'] }];
			const ids = [
				await saved(store, quarantined('faulty', aged(MINUTE))),
				await marked('parked', { ...aged(2 * MINUTE), ...two }),
				await marked('sent', { ...aged(3 * MINUTE), source: 'API-access' }),
				await marked('sent', { ...aged(4 * MINUTE), ...two }),
				...[await saved(store, oldest), await saved(store, oldest)].toReversed(),
			];
			// No lead, and nobody gets it.
			await saved(store, { kind: 'notice', receivedAt: 1000, channels: [] });
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
			const ids: string[] = [];
			for (const age of [1, 2, 3]) ids.push(await saved(store, quarantined('held', aged(age * MINUTE))));
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

		test('keeps a notice of a process whose clock is behind for as long as any other', async () => {
			const notice = await saved(store, { kind: 'notice', ...aged(30 * HOUR) });
			await store.purge({ age: 0, decisionTime: 0, cap: 9, batch: 9 });
			expect(await idsIn(store)).toEqual([notice]);
		});

		test('tells again of what a notice covers that notifies nobody any more', async () => {
			const held = await saved(store, quarantined('held'));
			const [notice, gone] = [{ kind: 'notice', email: null } as const, randomUUID()];
			const ended = await saved(store, { ...notice, channels: ['replaced'] });
			await pass(2 * MINUTE);
			await store.retry('stuck', ['email']);
			for (const useless of [await marked('parked', notice), await marked('sent', notice), ended, gone]) {
				await other.announce(useless);
				expect([await store.countUnnotified(9), await other.countUnnotified(9)]).toEqual([1, 1]);
			}
			expect(await store.announcedBy(await announced(store), 9)).toMatchObject([{ id: held }]);
			expect(await store.countUnnotified(9)).toBe(0);
		});
	});

	describe('erasing', () => {
		test('takes all of a person, whatever the case of the address, the form of its domain and the state of the entries', async () => {
			const once = newOnce();
			await marked('parked', { email: 'ÉVA@Clínica.example', once });
			await saved(store, quarantined('held', { email: 'éva@xn--clnica-4va.EXAMPLE' }));
			const [bystander, notice] = [await saved(store), await saved(store, { kind: 'notice', email: null })];
			const [owned, stranger] = [newApiKey({ email: 'ÉVA@clínica.example' }), newApiKey()];
			for (const key of [owned, stranger]) await store.keys.insert(key);
			expect(await store.countOf('éva@XN--CLNICA-4VA.example')).toEqual({ entries: 2, keys: 1 });
			expect(await other.erase('Éva@CLÍNICA.example')).toEqual({ entries: 2, keys: 1 });
			expect(await store.keys.list()).toMatchObject([{ id: stranger.id }]);
			expect((await idsIn(store)).toSorted()).toEqual([bystander, notice].toSorted());
			expect(await store.countOf('éva@clínica.example')).toEqual({ entries: 0, keys: 0 });
			expect(await store.retry('stuck', ['email'])).toEqual({ due: 0, left: [] });
			expect(await store.insert(newEntry({ once }))).toMatchObject({ outcome: 'inserted' });
		});

		test('takes what is remembered of a person whose entries were purged before', async () => {
			const [once, others] = [newOnce({ lifetime: 24 * HOUR }), newOnce({ lifetime: 24 * HOUR })];
			for (const entry of [{ once, email: 'Eva@clinic.example' }, { once: others }]) await marked('sent', entry);
			await pass(HOUR);
			expect(await store.purge({ age: 0, decisionTime: 0, cap: 9, batch: 9 })).toMatchObject({ aged: 2 });
			expect(await store.erase('eva@CLINIC.example')).toEqual({ entries: 0, keys: 0 });
			expect(await store.insert(newEntry({ once }))).toMatchObject({ outcome: 'inserted' });
			expect(await store.insert(newEntry({ once: others }))).toMatchObject({ outcome: 'duplicate' });
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
			expect(await store.keys.list()).toMatchObject([
				{ id: young.id, revoked: false, lastUsed: '2026-11-21' },
				{ id: old.id, revoked: true, endsAt: 5000 },
			]);
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
			const counted = [await store.keys.find(apiKey), await store.keys.find(stranger.id)];
			expect(counted).toMatchObject([{ leads: 9 }, { leads: 0 }]);
		});
	});

	describe('purging', () => {
		const limits = { age: HOUR, decisionTime: 3 * HOUR, cap: 100, batch: 50 };
		const nothing = { aged: 0, excess: 0, done: true };

		test('deletes what is delivered, in quarantine, a confirmation that nobody sends, or a key, past its time, and nothing else', async () => {
			await saved(store, quarantined('held'));
			await tell(3 * HOUR);
			const old = aged(2 * HOUR);
			await marked('sent', old);
			const kept = [
				await marked('sent', { ...old, channels: ['email', 'slack'] }),
				await marked('parked', old),
				await saved(store, old),
				await saved(store),
			];
			for (const quarantine of ['held', 'faulty'] as const) kept.push(await saved(store, quarantined(quarantine)));
			kept.push(await saved(store, quarantined('held', aged(9 * HOUR))));
			await tell();
			await announced(store);
			kept.push(await saved(store, quarantined('held', aged(9 * HOUR))));
			await saved(store, quarantined('faulty', old));
			const confirmation = await saved(store, { kind: 'confirmation', ...aged(25 * HOUR) });
			// The version before saves no end.
			await ask(`UPDATE lead_entries SET ends_at = NULL WHERE id = '${confirmation}'`);
			kept.push(await saved(store, { kind: 'confirmation', ...aged(25 * HOUR) }));
			const keys = [HOUR, -HOUR / 2, -2 * HOUR].map((time) => newApiKey({ endsAt: Date.now() + time }));
			for (const key of keys) await store.keys.insert(key);
			expect(await store.purge(limits)).toEqual({ ...nothing, aged: 5 });
			expect((await idsIn(store)).toSorted()).toEqual(kept.toSorted());
			const keysLeft = (await store.keys.list()).map(({ id }) => id);
			expect(keysLeft.toSorted()).toEqual([keys[0]!.id, keys[1]!.id].toSorted());
		});

		test('leaves nothing of a person after 400 days, of any kind and in any state, but a lead that nobody got or was told of', async () => {
			const names = Object.keys(kinds) as KindName[];
			const once = () => newOnce({ lifetime: HOUR });
			const waiting = await Promise.all(names.map((kind) => saved(store, { kind, once: once() })));
			for (const kind of names) await marked('sent', { kind, channels: [`of ${kind}`], once: once() });
			const parked = [];
			for (const kind of names) parked.push(await marked('parked', { kind, channels: [`of ${kind}`], once: once() }));
			await saved(store, quarantined('faulty'));
			await saved(store, quarantined('held'));
			await tell();
			// Its notice never arrives.
			const unheard = await saved(store, quarantined('held'));
			await announced(store);
			const unnotified = await saved(store, quarantined('held'));
			await store.keys.insert(newApiKey());
			await pass(400 * 24 * HOUR);
			await Promise.all((await store.keys.list()).map(({ id }) => store.keys.revoke(id, 0)));
			while (!(await store.purge({ age: 30 * 24 * HOUR, decisionTime: 3 * HOUR, cap: 5000, batch: 2 })).done);
			expect((await idsIn(store)).toSorted()).toEqual([waiting[0], parked[0], unheard, unnotified].toSorted());
			expect(await store.keys.list()).toEqual([]);
			const [{ rows } = {}] = (await ask('SELECT count(*) AS rows FROM lead_entries')) as { rows?: unknown }[];
			expect(Number(rows)).toBe(4);
			// The next notice tells of both.
			expect(await store.countUnnotified(9)).toBe(2);
		});

		test('keeps the newest in quarantine of which people were notified, as many that cannot be leads, and all that nobody was notified of', async () => {
			const insert = async (quarantine: NewEntry['quarantine'], ages: number[]) => {
				const ids: string[] = [];
				for (const age of ages) ids.push(await saved(store, quarantined(quarantine, aged(age * MINUTE))));
				return ids;
			};
			const [, ...told] = await insert('held', [9, 2, 1]);
			await tell();
			const unnotified = await insert('held', [8, 7, 6]);
			const [, ...others] = await insert('faulty', [9, 2, 1]);
			expect(await store.purge({ ...limits, cap: 2 })).toEqual({ ...nothing, excess: 2 });
			expect((await idsIn(store)).toSorted()).toEqual([...told, ...unnotified, ...others].toSorted());
			await pass(MINUTE);
			await tell();
			await store.purge({ ...limits, cap: 3 });
			expect(await idsIn(store)).toEqual(expect.arrayContaining(unnotified));
		});

		test('takes steps of limited size, also for keys that have outlived their entries', async () => {
			for (let turn = 0; turn < 3; turn += 1) await saved(store, { once: newOnce({ lifetime: 2 * HOUR }), channels: [] });
			const step = () => store.purge({ ...limits, batch: 2 });
			await pass(HOUR + MINUTE);
			expect([await step(), await step()]).toEqual([
				{ ...nothing, aged: 2, done: false },
				{ ...nothing, aged: 1 },
			]);
			await pass(HOUR);
			expect([await step(), await step()]).toEqual([{ ...nothing, done: false }, nothing]);
		});
	});
}
