import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Judgement } from '../../src/lead/judgement.ts';
import { ALIKE } from '../../src/store/entries.ts';
import type { Assignment, LeadStore } from '../../src/store/store.ts';
import { claim, claimed, HOUR, idsIn, MINUTE, newEntry, newOnce, released, saved } from './entries.ts';
import { other, pass, store, tried } from './opened.ts';

const DAY = 24 * HOUR;

export function describeJudging(): void {
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

		test('a lead that a channel has already is marked in place of held: after its release that channel would get it again', async () => {
			const { id } = await claimed(store, { channels: ['email', 'slack'] });
			await store.recordResult({ id, channel: 'email', owner: 'one' }, { state: 'sent' });
			expect(await other.judge(id, held)).toEqual({ spam: { ...held, verdict: 'marked' } });
			expect(await claim(store, { channel: 'slack' })).toMatchObject([{ id, spam: { verdict: 'marked' } }]);
		});

		test('a lead that is clear, or that nobody judges, is confirmed once by whichever confirmation is free, and no other', async () => {
			const clear: Judgement = { verdict: 'clear', signals: [] };
			const channels = ['confirmation'];
			/** By default those of two for all mailboxes of a domain. */
			const confirming = (fingerprint: string, keys = ['first', 'second']) =>
				keys.map((key) => newEntry({ kind: 'confirmation', once: newOnce({ key, fingerprint }), channels }));
			const judged = async (judgement: Judgement | undefined, mailbox: string) =>
				store.judge(await saved(store), judgement, confirming(mailbox));
			for (const verdict of ['held', 'marked'] as const)
				expect(await judged({ verdict, signals: [] }, 'ana')).not.toHaveProperty('confirmations');
			expect(await judged(undefined, 'ana')).toEqual({ spam: undefined, confirmations: 1 });
			const none = { spam: clear, confirmations: undefined };
			expect(await judged(clear, 'ana')).toEqual(none);
			const lead = await saved(store);
			expect(await store.judge(lead, clear, confirming('eva'))).toEqual({ spam: clear, confirmations: 2 });
			expect(await other.judge(lead, clear, confirming('rui', ['of the next day']))).toEqual({ spam: clear });
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
				each.remind({ oldest: HOUR, youngest: -HOUR, limit: 9 }, (ids, more) => {
					expect([ids, more]).toEqual([[id], 0]);
					return newEntry({ kind: 'notice', once: newOnce({ key }) });
				});
			const saves: number[] = [];
			for (const day of ['first', 'first', 'second', 'third', 'fourth'])
				saves.push((await Promise.all([store, other, store, other].map(remind(day)))).filter(Boolean).length);
			expect(saves).toEqual([1, 0, 1, 1, 0]);
		});

		test('of a lead that is gone nothing is marked, judged or remembered', async () => {
			const lease = await claimed(store);
			await other.erase('ana@clinicasol.example');
			const marked = await saved(store, { channels: [], once: newOnce() });
			await store.purge({ age: -MINUTE, decisionTime: 0, cap: 9, batch: 9 });
			expect(await store.assign(await saved(store, { kind: 'notice', channels: [] }), 'Ana')).toBe(false);
			expect(await store.recordResult(lease, { state: 'sent' })).toBe(false);
			for (const id of [lease.id, marked]) {
				expect([await store.assign(id, 'Ana'), await store.judge(id, held, [])]).toEqual([false, undefined]);
				await store.train(id, { verdict: 'spam', signals: [] }, ['link']);
			}
			expect([await store.recall(['link']), await store.recall([])]).toEqual([undefined, undefined]);
			expect(await idsIn(store)).toHaveLength(1);
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

	describe('what was said of a lead that is deleted since', () => {
		/** Takes a lead that is delivered, and says something of it. */
		const train = async (name: string, verdict: 'spam' | 'clear', ...traits: string[]) => {
			const { id } = await tried({ state: 'sent' }, { email: `${name}@a.example` });
			await store.train(id, { verdict, signals: [] }, traits);
			await pass(MINUTE);
		};
		const purge = async () => {
			while (!(await store.purge({ age: 30 * DAY, decisionTime: 0, cap: 9, batch: 9 })).done);
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

		test('is kept of the newest traits, up to the cap', async () => {
			for (let turn = 0; turn < 12; turn += 1) await train('ana', 'spam', `link ${turn}`);
			await pass(31 * DAY);
			await purge();
			expect(await said('link 2', 'link 3')).toEqual([undefined, 'spam']);
		});
	});
}
