import { describe, expect, test } from 'vitest';
import { type KindName, kinds } from '../../src/store/kinds.ts';
import type { NewEntry } from '../../src/store/store.ts';
import { newApiKey } from '../support/api-key.ts';
import { announced, HOUR, idsIn, MINUTE, newEntry, newOnce, quarantined, saved } from './entries.ts';
import { aged, ask, marked, other, pass, store, tell } from './opened.ts';

export function describeDeleting(): void {
	describe('erasing', () => {
		const nothing = { entries: 0, keys: 0, fingerprints: 0 };

		test('takes all of a person, whatever the case of the address, the form of its domain and the state of the entries', async () => {
			const once = newOnce();
			await marked('parked', { email: 'ÉVA@Clínica.example', once });
			await saved(store, quarantined('held', { email: 'éva@xn--clnica-4va.EXAMPLE' }));
			const [bystander, notice] = [await saved(store), await saved(store, { kind: 'notice', email: null })];
			const [owned, stranger] = [newApiKey({ email: 'ÉVA@clínica.example' }), newApiKey()];
			for (const key of [owned, stranger]) await store.keys.insert(key);
			expect(await store.countOf('éva@XN--CLNICA-4VA.example')).toEqual({ ...nothing, entries: 2, keys: 1 });
			expect(await other.erase('Éva@CLÍNICA.example')).toEqual({ ...nothing, entries: 2, keys: 1 });
			expect(await store.keys.list()).toMatchObject([{ id: stranger.id }]);
			expect((await idsIn(store)).toSorted()).toEqual([bystander, notice].toSorted());
			expect(await store.countOf('éva@clínica.example')).toEqual(nothing);
			expect(await store.retry('stuck', ['email'])).toEqual({ due: 0, left: [] });
			expect(await store.insert(newEntry({ once }))).toMatchObject({ outcome: 'inserted' });
		});

		test('takes what is remembered of a person whose entries were purged before', async () => {
			const [once, others] = [newOnce({ lifetime: 24 * HOUR }), newOnce({ lifetime: 24 * HOUR })];
			const [lead] = [await marked('sent', { once, email: 'Eva@clinic.example' }), await marked('sent', { once: others })];
			await store.train(lead, { verdict: 'spam', signals: [] }, ['sender', 'link']);
			await pass(HOUR);
			expect(await store.purge({ age: 0, decisionTime: 0, cap: 9, batch: 9 })).toMatchObject({ aged: 2 });
			const fingerprints = { ...nothing, fingerprints: 3 };
			expect(await store.countOf('eva@CLINIC.example')).toEqual(fingerprints);
			expect(await store.erase('eva@CLINIC.example')).toEqual(fingerprints);
			expect(await store.countOf('eva@CLINIC.example')).toEqual(nothing);
			expect(await store.insert(newEntry({ once }))).toMatchObject({ outcome: 'inserted' });
			expect(await store.insert(newEntry({ once: others }))).toMatchObject({ outcome: 'duplicate' });
		});
	});

	describe('purging', () => {
		const limits = { age: HOUR, decisionTime: 3 * HOUR, cap: 100, batch: 50 };
		const nothing = { aged: 0, excess: 0, done: true };

		test('deletes what is delivered, in quarantine, a confirmation that nobody sends, or a key, past its time, and nothing else', async () => {
			await saved(store, quarantined('held'));
			await tell(3 * HOUR);
			expect(await store.purge({ ...limits, age: 4 * HOUR })).toEqual(nothing);
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
			// A process saved it whose clock is behind.
			kept.push(await saved(store, { kind: 'confirmation', ...aged(25 * HOUR) }));
			const keys = [HOUR, -HOUR / 2, -2 * HOUR].map((time) => newApiKey({ endsAt: Date.now() + time }));
			for (const key of keys) await store.keys.insert(key);
			expect(await store.purge(limits)).toEqual({ ...nothing, aged: 5 });
			expect((await idsIn(store)).toSorted()).toEqual(kept.toSorted());
			expect((await store.keys.list()).map(({ id }) => id).toSorted()).toEqual([keys[0]!.id, keys[1]!.id].toSorted());
		});

		test('leaves nothing of a person after 400 days, of any kind and in any state, but a lead that nobody got or was told of', async () => {
			const names = Object.keys(kinds) as KindName[];
			const once = () => newOnce({ lifetime: HOUR });
			const waiting = await Promise.all(names.map((kind) => saved(store, { kind, once: once() })));
			for (const kind of names) await marked('sent', { kind, channels: [`of ${kind}`], once: once() });
			const park = (kind: KindName) => marked('parked', { kind, channels: [`of ${kind}`], once: once() });
			const parked = await Array.fromAsync(names, park);
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
			const insert = (quarantine: NewEntry['quarantine'], ages: number[]) =>
				Array.fromAsync(ages, (age) => saved(store, quarantined(quarantine, aged(age * MINUTE))));
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

		test('ends the mark of a notice that reached nobody, so that the same news is told again', async () => {
			const channels = ['email', 'slack'];
			const once = Array.from({ length: 4 }, () => newOnce({ lifetime: 7 * 24 * HOUR }));
			const notice = (index: number) => ({ kind: 'notice', email: null, channels, once: once[index] }) as const;
			await marked('parked', notice(0));
			await saved(store, notice(1));
			await marked('sent', notice(2));
			await store.dismiss(await marked('parked', notice(3)));
			await pass(25 * HOUR);
			expect(await store.purge(limits)).toMatchObject({ aged: 4 });
			const insertions = await Array.fromAsync(once.keys(), (index) => store.insert(newEntry(notice(index))));
			expect(insertions.map(({ outcome }) => outcome)).toEqual(['inserted', 'inserted', 'duplicate', 'duplicate']);
		});

		test('takes steps of limited size, also for keys that have outlived their entries', async () => {
			for (let turn = 0; turn < 3; turn += 1) await saved(store, { once: newOnce({ lifetime: 2 * HOUR }), channels: [] });
			const step = () => store.purge({ ...limits, batch: 2 });
			await pass(HOUR + MINUTE);
			expect(await step()).toEqual({ ...nothing, aged: 2, done: false });
			expect(await step()).toEqual({ ...nothing, aged: 1 });
			await pass(HOUR);
			expect([await step(), await step()]).toEqual([{ ...nothing, done: false }, nothing]);
		});
	});
}
