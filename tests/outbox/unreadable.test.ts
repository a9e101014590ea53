import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ownEntry } from '../../src/channels/entry.ts';
import { CONFIRMATION } from '../../src/channels/smtp.ts';
import { dimensions } from '../../src/cli/export.ts';
import { actionPath } from '../../src/lead/action.ts';
import { newOnce, saved } from '../store/entries.ts';
import { receivedLead } from '../support/lead.ts';
import { startLeadKeeping } from '../support/lead-places.ts';
import { hit, newLead } from '../support/post-lead.ts';
import { startServer } from '../support/server.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { disposing } from '../support/temporary-folder.ts';

/** Fills a store with two entries of each kind in each state, and makes the first of both unreadable. */
async function startBroken() {
	const smtp = await startSmtpServer();
	const settings = { LEAD_WEBHOOK_URL: '', LEAD_RETRY: '1s', LEAD_RATE_LIMIT: 'off', LEAD_SILENCE_ALERT: 'off' };
	const keeping = await startLeadKeeping({ ...smtp.settings, ...settings });
	const { store, take, tried } = keeping;
	const twice = async (make: () => Promise<string>) => [await make(), await make()] as [broken: string, whole: string];
	const takeOne = () => take({ ...newLead(), source: '/contact', country: 'Spain', lang: 'en' });
	const own = (...[kind, content, channels]: Parameters<typeof ownEntry<'notice' | 'confirmation'>>) =>
		twice(() => saved(store, ownEntry(kind, content, channels, newOnce())));
	const delivered = await twice(takeOne);
	await tried();
	const parked = await twice(takeOne);
	await tried({ state: 'parked', reason: 'SMTP 550' });
	const held = await twice(() => keeping.quarantine({ ...hit, ...newLead() }));
	const faulty = await twice(() => keeping.quarantine({ website: 'x', message: randomUUID() }));
	const waiting = await twice(takeOne);
	const notice = await own('notice', { channel: 'slack', reason: 'HTTP 500', parked: false }, ['email']);
	const address = { address: 'ana@clinicasol.example', language: 'en', receivedAt: new Date().toISOString() };
	const confirmation = await own('confirmation', address, [CONFIRMATION]);
	const canary = await twice(async () => {
		const received = { ...receivedLead(), id: randomUUID() };
		return saved(store, { id: received.id, kind: 'canary', payload: JSON.stringify(received) });
	});
	const pairs = { delivered, parked, held, faulty, waiting, notice, confirmation };
	using database = keeping.database();
	for (const [broken] of [...Object.values(pairs), canary])
		database.prepare(`UPDATE lead_entries SET payload = CAST('sealed with no key of ours' AS BLOB) WHERE id = ?`).run(broken);
	return { ...keeping, smtp, pairs, canary, ...disposing(keeping, smtp) };
}

test('An entry that cannot be unsealed is shown as unreadable, and no other suffers from it', async () => {
	await using place = await startBroken();
	const { pairs, canary, leads, keys, store, smtp, env } = place;
	const all = Object.values(pairs);
	const json = async (...args: string[]) => JSON.parse((await leads(...args, '--json')).stdout) as Record<string, unknown>;

	const { entries } = (await json('list', '--long')) as { entries: { id: string; unreadable?: string }[] };
	const unreadable = entries.filter((entry) => entry.unreadable).map(({ id }) => id);
	expect([entries.length, unreadable.toSorted()]).toEqual([2 * all.length, all.map(([broken]) => broken).toSorted()]);
	expect((await leads('list', '--long')).stdout.match(/unreadable:/g)).toHaveLength(all.length);
	for (const [broken, whole] of all) {
		expect(await json('show', broken)).toMatchObject({ id: broken, unreadable: expect.any(String) });
		expect((await leads('show', broken)).stdout).toContain('unreadable:');
		expect(await json('show', whole)).not.toHaveProperty('unreadable');
	}

	for (const by of dimensions) {
		const { counts } = (await json('stats', '--by', by)) as { counts: { value: string; leads: number }[] };
		const isOfLead = ['source', 'language', 'country'].includes(by);
		expect([by, counts.find(({ value }) => value === 'unreadable')?.leads]).toEqual([by, isOfLead ? 3 : undefined]);
	}
	const lines = (await leads('export')).stdout.trim().split('\n');
	const records = lines.map((line) => JSON.parse(line) as { id: string; receivedAt: string; state: string });
	const lost = records.filter(({ state }) => state.startsWith('unreadable')).map(({ id }) => id);
	const ofLeads = [pairs.delivered, pairs.parked, pairs.held, pairs.faulty, pairs.waiting];
	expect(lost.toSorted()).toEqual(ofLeads.map(([broken]) => broken).toSorted());
	expect(records.every(({ receivedAt }) => !Number.isNaN(Date.parse(receivedAt)))).toBe(true);
	expect((await leads('export', '--csv')).stdout.match(/"unreadable:/g)).toHaveLength(ofLeads.length);
	expect((await keys('issue', '--for', pairs.waiting[0])).code).toBe(1);

	await using server = await startServer(env);
	const deliveries = [{ tries: 2, lastError: expect.stringContaining('unreadable') }];
	await expect.poll(() => store.find(pairs.waiting[0])).toMatchObject([{ state: 'parked', deliveries }]);
	const stateOf = async (id: string) => (await store.find(id))[0]!.state;
	for (const [broken, whole] of [pairs.notice, canary]) {
		await expect.poll(() => stateOf(broken)).toBe('parked');
		await expect.poll(() => stateOf(whole)).toBe('delivered');
	}
	const notice = () => smtp.mails.map(({ parsed }) => parsed.text ?? '').find((text) => /^2\. /m.test(text));
	await expect.poll(notice).toMatch(/^2\. .{9}:\n +Name: unreadable:/m);
	expect(notice()).toContain(hit.clinic);
	expect(server.process.output).not.toContain('sealed with');

	const [broken, whole] = pairs.held;
	for (const action of ['taken', 'spam', 'not-spam'] as const)
		for (const id of [broken, pairs.delivered[0]]) {
			const link = server.url + actionPath({ action, id, end: Math.ceil(Date.now() / 1000) + 60 }, store.secret);
			expect((await fetch(link)).status).toBe(200);
			const body = new URLSearchParams({ name: 'Berta', change: '' });
			expect((await fetch(link, { method: 'POST', body, redirect: 'manual' })).status).toBe(303);
		}
	expect(await store.find(broken)).toMatchObject([{ state: 'quarantined' }]);

	const failed = [{ id: broken, reason: expect.stringContaining('unreadable') }];
	expect(JSON.parse((await leads('release', broken, whole, '--json')).stdout)).toMatchObject({ released: [whole], failed });
	expect((await leads('spam', pairs.delivered[0], pairs.delivered[1])).code).toBe(0);
	expect((await leads('spam', '--list')).code).toBe(0);
	expect((await leads('retry', '--parked')).code).toBe(0);
});
