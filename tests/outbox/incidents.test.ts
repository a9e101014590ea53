import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { SendResult } from '../../src/channels/channel.ts';
import { openOutbox } from '../../src/outbox/outbox.ts';
import type { Message } from '../../src/channels/message.ts';
import { openStore } from '../../src/store/store.ts';
import { saved } from '../store/entries.ts';
import { startBackend, startMailing } from '../support/lead-places.ts';
import { receivedLead, team } from '../support/lead.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

test('when a channel keeps failing the others are told once by all instances, then weekly, and anew after it worked in between', async () => {
	await using folder = await temporaryFolder();
	const path = `${folder.path}/leads.db`;
	let result: SendResult = { ok: false, permanent: false, reason: 'HTTP 500' };
	let [tries, delivered] = [0, 0];
	const told: Message['event'][] = [];
	const options = {
		channels: [
			{ name: 'email', send: async () => (tries++, (delivered += Number(result.ok)), result) },
			{ name: 'slack', send: async ({ event }: Message) => (told.push(event), { ok: true as const }) },
		],
		schedule: Array.from({ length: 9999 }, () => 0.01),
		retention: 9999,
		team,
		scrubs: true,
		log: pino({ level: 'silent' }),
	};
	await using store = await openStore({ kind: 'sqlite', path });
	await using otherStore = await openStore({ kind: 'sqlite', path });
	const outboxes = [await openOutbox({ ...options, store }), await openOutbox({ ...options, store: otherStore })];
	const take = async () => {
		await saved(store, { payload: JSON.stringify(receivedLead()), channels: ['email', 'slack'] });
		for (const outbox of outboxes) outbox.saved();
	};
	const notices = () => told.filter(({ type }) => type === 'channel.failing');
	for (const _ of ['one', 'two']) await take();
	await expect.poll(() => tries).toBeGreaterThan(20);
	expect(notices()).toMatchObject([{ data: { channel: 'email', parked: false, reason: 'HTTP 500' } }]);
	using database = new DatabaseSync(path, { readOnly: true });
	const { last } = database.prepare('SELECT max(once_ends_at) AS last FROM lead_entries').get() as { last: number };
	expect((last - Date.now()) / 3600_000).toBeGreaterThan(7 * 24 - 1);
	expect((last - Date.now()) / 3600_000).toBeLessThanOrEqual(7 * 24);

	result = { ok: true };
	await expect.poll(() => delivered).toBe(2);
	result = { ok: false, permanent: true, reason: 'HTTP 410' };
	await take();
	await expect.poll(notices).toMatchObject([{}, { data: { channel: 'email', parked: true, reason: 'HTTP 410' } }]);
	for (const outbox of outboxes) await outbox.stop();
});

test('when a webhook refuses for good mail is told at once, with nothing of the lead', async () => {
	await using broken = await startWebhookReceiver({ status: 404 });
	await using backend = await startMailing({ LEAD_WEBHOOK_URL: broken.url });
	for (const message of ['secret one', 'secret two']) await backend.take({ message });
	expect(await backend.list()).toMatchObject([{ state: 'parked' }, { state: 'parked' }]);
	await backend.smtp.received(3);
	const notices = backend.smtp.mails.filter(({ parsed }) => parsed.subject!.includes('do not reach'));
	expect(notices).toHaveLength(1);
	expect(notices[0]!.parsed.text).toContain('HTTP 404');
	expect(notices[0]!.raw).not.toMatch(/Ana|Clínica|clinicasol|secret/);
});

test('a trouble that the store cannot note is in the log, and the channel goes on', async () => {
	await using backend = await startBackend({}, { status: 410 });
	backend.refuseNotices();
	for (const message of ['one', 'two']) await backend.take({ message });
	expect(await backend.list()).toMatchObject([{ state: 'parked' }, { state: 'parked' }]);
	const failure = { level: 'error', channel: expect.any(String) };
	expect(backend.log.filter(({ err }) => err)).toMatchObject([failure, failure]);
});

test('a channel that fails alone is in the log, and nobody can be told', async () => {
	await using backend = await startBackend({}, { status: 410 });
	await backend.take();
	expect(backend.log).toContainEqual(expect.objectContaining({ level: 'error', reason: 'HTTP 410', told: [] }));
	expect(backend.receiver.requests).toHaveLength(1);
});
