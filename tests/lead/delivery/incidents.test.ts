import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import type { SendResult } from '../../../src/lead/channels/channel.ts';
import { watchIncidents } from '../../../src/lead/delivery/incidents.ts';
import type { Message } from '../../../src/lead/message/message.ts';
import { openPipeline } from '../../../src/lead/pipeline.ts';
import { openStore } from '../../../src/lead/store/index.ts';
import { claimed } from '../store/entries.ts';
import { startBackend } from '../../support/lead-backend.ts';
import { leadWith } from '../../support/lead.ts';
import { startSmtpServer } from '../../support/smtp-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const log = pino({ level: 'silent' });

test('when a channel keeps failing the other is told once, and again only after it worked in between', async () => {
	await using folder = await temporaryFolder();
	let result: SendResult = { ok: false, permanent: false, reason: 'HTTP 500' };
	let [tries, delivered] = [0, 0];
	const told: Message['event'][] = [];
	const { intake, stop } = await openPipeline({
		store: { kind: 'sqlite', path: `${folder.path}/leads.db` },
		channels: [
			{ name: 'email', send: async () => (tries++, (delivered += Number(result.ok)), result) },
			{ name: 'slack', send: async ({ event }) => (told.push(event), { ok: true }) },
		],
		schedule: Array.from({ length: 9999 }, () => 0.01),
		retention: 9999,
		language: 'en',
		log,
	});
	const notices = () => told.filter(({ type }) => type === 'channel.failing');
	for (const message of ['one', 'two']) await intake.take(leadWith({ message }), {});
	await expect.poll(() => tries).toBeGreaterThan(20);
	expect(notices()).toMatchObject([{ data: { channel: 'email', parked: false, reason: 'HTTP 500' } }]);

	result = { ok: true };
	await expect.poll(() => delivered).toBe(2);
	result = { ok: false, permanent: true, reason: 'HTTP 410' };
	await intake.take(leadWith({ message: 'three' }), {});
	await expect.poll(notices).toMatchObject([{}, { data: { channel: 'email', parked: true, reason: 'HTTP 410' } }]);
	await stop();
});

test('when a webhook refuses for good mail is told at once, with nothing of the lead', async () => {
	await using smtp = await startSmtpServer();
	await using backend = await startBackend(smtp.settings, { status: 404 });
	for (const message of ['secret one', 'secret two']) await backend.take({ message });
	expect(await backend.list()).toMatchObject([{ state: 'parked' }, { state: 'parked' }]);
	await smtp.received(3);
	const notices = smtp.mails.filter(({ parsed }) => parsed.subject!.includes('do not reach'));
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

test('each trouble is told once, however many there were before, and ends with a delivery of any instance', async () => {
	await using folder = await temporaryFolder();
	const open = () => openStore({ kind: 'sqlite', path: `${folder.path}/leads.db` });
	await using store = await open();
	await using otherStore = await open();
	const insert = vi.spyOn(store, 'insert');
	const [one, other] = [store, otherStore].map((each) => watchIncidents(each, log, ['email', 'slack']));
	const failure = { tries: 3, parked: false, reason: 'SMTP 450' };
	for (let trouble = 0; trouble < 3; trouble += 1) {
		expect(await one!.failed('email', { ...failure, tries: 2 })).toBe(false);
		expect([await one!.failed('email', failure), await other!.failed('email', failure)]).toEqual([true, false]);
		await otherStore.mark(await claimed(otherStore), { state: 'sent', ends: other!.keyOf('email') });
	}
	// And again after a week.
	expect(insert.mock.calls[0]![0].once!.lifetime).toBe(7 * 24 * 3600_000);
});
