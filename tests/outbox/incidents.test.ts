import { expect, test } from 'vitest';
import type { Channel, SendResult } from '../../src/channels/channel.ts';
import type { Message } from '../../src/channels/message.ts';
import { openStore } from '../../src/store/store.ts';
import { saved } from '../store/entries.ts';
import { startBackend, startMailing } from '../support/lead-places.ts';
import { receivedLead } from '../support/lead.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { database, openSending, path, store } from './one-store.ts';

test('when a channel keeps failing the others are told once by all instances, then weekly, and anew after it worked in between', async () => {
	let result: SendResult = { ok: false, outlook: 'passing', reason: 'HTTP 500' };
	let [tries, delivered] = [0, 0];
	const told: Message['event'][] = [];
	const options = {
		channels: [
			{ name: 'email', send: async () => (tries++, (delivered += Number(result.ok)), result) },
			{ name: 'slack', send: async ({ event }: Message) => (told.push(event), { ok: true as const }) },
		],
		schedule: Array.from({ length: 9999 }, () => 0.01),
	};
	await using otherStore = await openStore({ kind: 'sqlite', path });
	const outboxes = [openSending(options), openSending({ ...options, store: otherStore })];
	const take = async () => {
		await saved(store, { payload: JSON.stringify(receivedLead()), channels: ['email', 'slack'] });
		for (const outbox of outboxes) outbox.saved();
	};
	const notices = () => told.filter(({ type }) => type === 'channel.failing');
	for (const _ of ['one', 'two']) await take();
	await expect.poll(() => tries).toBeGreaterThan(20);
	expect(notices()).toMatchObject([{ data: { channel: 'email', parked: false, reason: 'HTTP 500' } }]);
	using file = database();
	const { last } = file.prepare('SELECT max(once_ends_at) AS last FROM lead_entries').get() as { last: number };
	expect((last - Date.now()) / 3600_000).toBeGreaterThan(7 * 24 - 1);
	expect((last - Date.now()) / 3600_000).toBeLessThanOrEqual(7 * 24);

	result = { ok: true };
	await expect.poll(() => delivered).toBe(2);
	result = { ok: false, outlook: 'final', reason: 'HTTP 410' };
	await take();
	await expect.poll(notices).toMatchObject([{}, { data: { channel: 'email', parked: true, reason: 'HTTP 410' } }]);
	for (const outbox of outboxes) await outbox.stop();
});

test.each([
	[2, false],
	[3, true],
])('that a channel has failed %i times for now is told of: %s', async (failures, isTold) => {
	const email: Channel = { name: 'email', send: async () => ({ ok: false, outlook: 'passing', reason: 'HTTP 500' }) };
	const schedule = [...Array<number>(failures - 1).fill(0.01), 9999];
	const outbox = openSending({ channels: [email], schedule });
	await saved(store, { payload: JSON.stringify(receivedLead()) });
	outbox.saved();
	const entries = () => store.list({ limit: 9 });
	await expect.poll(async () => (await entries()).at(-1)!.deliveries).toMatchObject([{ tries: failures }]);
	await outbox.stop();
	expect((await entries()).map(({ kind }) => kind)).toEqual(isTold ? ['notice', 'lead'] : ['lead']);
});

test.each([
	[404, 'waiting'],
	[410, 'parked'],
])('when a webhook answers %i the lead is %s, and mail is told at once, with nothing of the lead', async (status, state) => {
	await using broken = await startWebhookReceiver({ status });
	await using backend = await startMailing({ LEAD_WEBHOOK_URL: broken.url });
	for (const message of ['secret one', 'secret two']) await backend.take({ message });
	expect(await backend.list()).toMatchObject([{ state }, { state }]);
	await backend.smtp.received(3);
	const notices = backend.smtp.mails.filter(({ parsed }) => parsed.subject!.includes('do not reach'));
	expect(notices).toHaveLength(1);
	expect(notices[0]!.parsed.text).toContain(`HTTP ${status}`);
	expect(notices[0]!.raw).not.toMatch(/Ana|Clínica|clinicasol|secret/);
});

test('each start says how many deliveries are parked, by channel', async () => {
	await using backend = await startBackend({}, { status: 410 });
	const parked = () =>
		backend.log.filter(({ parked }) => parked).map(({ level, channel, parked }) => ({ level, channel, parked }));
	await backend.restart({});
	for (const message of ['one', 'two']) await backend.take({ message });
	expect(parked()).toEqual([]);
	for (const _ of ['one', 'two']) await backend.restart({});
	// With the notice of it.
	const line = { level: 'error', channel: expect.stringMatching(/^json:/), parked: 3 };
	expect(parked()).toEqual([line, line]);
});

test('a trouble that the store cannot note is in the log, and the channel goes on', async () => {
	await using backend = await startBackend({}, { status: 410 });
	backend.refuseNotices();
	for (const message of ['one', 'two']) await backend.take({ message });
	expect(await backend.list()).toMatchObject([{ state: 'parked' }, { state: 'parked' }]);
	const lines = backend.log.filter(({ level }) => level === 'error');
	expect(lines.filter(({ err }) => err)).toHaveLength(2);
	expect(lines.filter(({ err }) => !err)).toMatchObject([{ channel: expect.any(String) }, { channel: expect.any(String) }]);
});

test('a channel that fails alone is told of over itself, and a notice that fails makes no other, also after a success', async () => {
	let refuses = true;
	const isNotice = (body: string) => body.includes('channel.failing');
	await using backend = await startBackend({}, ({ body }) => ({ status: refuses || isNotice(body) ? 410 : 200 }));
	const failures = () => backend.log.filter(({ level, notified }) => level === 'error' && notified);
	await backend.take();
	refuses = false;
	await backend.take({ message: 'two' });
	await backend.leads('retry', '--parked');
	await backend.tryDue();
	expect((await backend.list()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
	const notices = backend.receiver.requests.filter(({ body }) => isNotice(body)).map(({ headers }) => headers['webhook-id']);
	expect(notices).toEqual([notices[0], notices[0]]);
	expect(failures()).toMatchObject([{ reason: 'HTTP 410', notified: [expect.stringMatching(/^json:/)] }]);
});

test.each([
	['whatever it says', /^message-id: <lead-/im, '4d', 'waiting', 'auto-generated'],
	['for its words', /Ana Ruiz/, '4d', 'delivered', undefined],
	// It would be deleted before somebody can look.
	['for its words', /Ana Ruiz/, '3d', 'parked', 'auto-generated'],
])('where mail is all there is, a lead refused %s (%s) is with LEAD_RETENTION=%s %s', async (_, refused, kept, state, sender) => {
	const settings = { LEAD_WEBHOOK_URL: '', LEAD_RETENTION: kept };
	await using backend = await startMailing(settings, { judge: ({ raw }) => (refused.test(raw) ? 554 : 250) });
	await backend.take();
	expect(await backend.list()).toMatchObject([{ state }]);
	expect(backend.smtp.mails).toHaveLength(1);
	const { text, headers } = backend.smtp.mails[0]!.parsed;
	expect(text!.includes('SMTP 554 to DATA')).toBe(sender !== undefined);
	expect(headers.find(({ key }) => key === 'auto-submitted')?.value).toBe(sender);
});
