import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { watchIncidents } from '../../../src/lead/delivery/incidents.ts';
import { openStore } from '../../../src/lead/store/index.ts';
import { postLead } from '../../support/post-lead.ts';
import { startSalesTeam } from '../../support/sales-team.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { startSmtpServer } from '../../support/smtp-server.ts';
import { startStoring } from '../../support/storing-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';

const quick = { LEAD_RATE_LIMIT: 'off', LEAD_RETRY: Array.from({ length: 60 }, () => '1s').join(' ') };
const told = /A channel keeps failing/g;

test(
	'when mail keeps failing the webhook is told once, and again only after mail worked in between',
	{ timeout: 60_000 },
	async () => {
		let code = 450;
		await using smtp = await startSmtpServer({ judge: () => code });
		await using receiver = await startWebhookReceiver();
		await using server = await startServer({ ...quick, ...smtp.settings, LEAD_WEBHOOK_URL: receiver.url });
		for (const message of ['one', 'two', 'three']) await postLead(server.url, { message });
		await triesOf(server, 5);
		expect(noticesTo(receiver)).toHaveLength(1);
		expect(server.process.output.match(told)).toHaveLength(1);

		code = 250;
		await expect.poll(() => smtp.mails.length).toBe(3);
		code = 550;
		await postLead(server.url, { message: 'four' });
		await expect.poll(() => noticesTo(receiver).length).toBe(2);
		expect(noticesTo(receiver)[1]).toMatchObject({ type: 'channel.failing', data: { channel: 'email', parked: true } });
		expect(noticesTo(receiver)[1]!.data['reason']).toMatch(/^SMTP 550/);
	},
);

test('when a webhook refuses for good mail is told at once, with nothing of the lead', async () => {
	await using smtp = await startSmtpServer();
	await using receiver = await startWebhookReceiver({ status: 404 });
	await using server = await startServer({ ...quick, ...smtp.settings, LEAD_WEBHOOK_URL: receiver.url });
	for (const message of ['secret one', 'secret two']) await postLead(server.url, { message });
	await server.process.printed(/(parked[^]*){2}/);
	await expect.poll(() => smtp.mails.length).toBe(3);
	const notices = smtp.mails.filter(({ parsed }) => parsed.subject!.includes('do not reach'));
	expect(notices).toHaveLength(1);
	expect(notices[0]!.parsed.text).toContain('HTTP 404');
	expect(notices[0]!.raw).not.toMatch(/Ana|Clínica|clinicasol|secret/);
	expect(server.process.output).not.toMatch(/Ana|Clínica|clinicasol|secret/);
});

test('a trouble that the store cannot note is in the log, and the channel goes on', async () => {
	await using storing = await startStoring(quick, { status: 410 });
	storing.refuseNotices();
	for (const message of ['one', 'two']) await postLead(storing.server.url, { message });
	await storing.server.process.printed(/(cannot save that a channel fails[^]*){2}/);
	expect(storing.server.process.output.match(/parked/g)).toHaveLength(2);
	expect(storing.receiver.requests).toHaveLength(2);
});

test('a channel that fails alone is in the log, and nobody can be told', async () => {
	await using receiver = await startWebhookReceiver({ status: 410 });
	await using server = await startServer({ ...quick, LEAD_WEBHOOK_URL: receiver.url });
	await postLead(server.url);
	await server.process.printed(told);
	const about = { level: 'error', reason: 'HTTP 410', told: [] };
	expect(server.process.log).toContainEqual(expect.objectContaining(about));
	expect(receiver.requests).toHaveLength(1);
});

test('each trouble is told once, however many there were before', async () => {
	await using folder = await temporaryFolder();
	await using store = await openStore({ kind: 'sqlite', path: `${folder.path}/leads.db` });
	const { failed, worked } = watchIncidents(store, ['email', 'slack'], pino({ level: 'silent' }), ['email', 'slack']);
	const failure = { tries: 3, parked: false, reason: 'SMTP 450' };
	const insert = vi.spyOn(store, 'insert');
	for (let trouble = 0; trouble < 3; trouble += 1) {
		expect(await failed('email', { ...failure, tries: 2 })).toBe(false);
		expect([await failed('email', failure), await failed('email', failure)]).toEqual([true, false]);
		await worked('email');
	}
	// And again after a week.
	expect(insert.mock.calls[0]![0].once!.lifetime).toBe(7 * 24 * 3600_000);
});

test('a hiccup is nobody’s news', async () => {
	await using team = await startSalesTeam({ judge: (_, before) => (before < 2 ? 450 : 250) });
	await using server = await startServer({ ...quick, ...team.settings });
	await postLead(server.url, { message: 'one' });
	await expect.poll(() => team.missing(['one'])).toEqual([]);
	expect(server.process.output).not.toMatch(told);
});

/** Waits until a lead was tried this often by mail. */
const triesOf = (server: TestServer, tries: number) => server.process.printed(new RegExp(`"channel":"email","tries":${tries},`));

interface Event {
	type: string;
	data: Record<string, unknown>;
}

const noticesTo = ({ requests }: WebhookReceiver) =>
	requests.map(({ body }) => JSON.parse(body) as Event).filter(({ type }) => type === 'channel.failing');
