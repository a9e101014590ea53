import { describe, expect, test } from 'vitest';
import { openMailbox } from '../../src/channels/imap.ts';
import { dovecotMissing, startImapServer } from '../support/imap-server.ts';
import { startMailing } from '../support/lead-places.ts';
import type { LeadValues } from '../support/post-lead.ts';
import { disposing } from '../support/temporary-folder.ts';

/** `messageId`: that of the mail that came back. `returned`: the type of the part that has it, or its header; `type` that of the report. */
type Report = Partial<Record<'messageId' | 'recipient' | 'action' | 'status' | 'words' | 'returned' | 'type' | 'told', string>>;

/** A report as Postfix writes it (RFC 3464). */
const report = ({
	messageId,
	recipient = 'sales@website.test',
	action = 'failed',
	status = '5.2.2',
	words = 'smtp; 552 Ana Ruiz has\n    no room left',
	returned = 'message/rfc822',
	type = 'multipart/report; report-type=delivery-status',
	told = `message/delivery-status

Reporting-MTA: dns; mail.website.test

Final-Recipient: rfc822; ${recipient}
Action: ${action}
Status: ${status}
Diagnostic-Code: ${words}`,
}: Report) =>
	`From: MAILER-DAEMON@mail.website.test (Mail Delivery System)
MIME-Version: 1.0
Content-Type: ${type};
	boundary="=_the_report"

--=_the_report

I am sorry to have to inform you that your message could not be delivered.

--=_the_report
Content-Type: ${told}

--=_the_report
Content-Type: ${returned}

From: Anteroom website <website@website.test>
Message-ID:
 ${messageId}

Message-ID: <lead-00000000-0000-7000-8000-000000000000@website.test>

--=_the_report--
`.replaceAll('\n', '\r\n');

/** Starts a mailbox, and a backend that has taken a lead, and reads the mailbox whenever it starts again. */
async function startReturning(settings: Record<string, string> = {}, lead: LeadValues = {}, refuse?: Record<string, number[]>) {
	const imap = await startImapServer();
	const backend = await startMailing({ LEAD_BOUNCES_URL: imap.url, ...settings }, { refuse });
	await backend.take(lead);
	const messageId = `<lead-${(await backend.list())[0]!.id}@website.test>`;
	return {
		...backend,
		messageId,
		/** Delivers reports, by default of the lead's mail. */
		async giveBack(...reports: Report[]) {
			for (const each of reports) await imap.deliver(report({ messageId, ...each }));
			await backend.restart({});
		},
		async deliveries() {
			const [{ deliveries }] = (await backend.list()) as unknown as [{ deliveries: Record<string, string>[] }];
			return Object.fromEntries(
				deliveries.map((each) => [each['channel'], `${each['state']} ${each['lastError'] ?? ''}`.trim()]),
			);
		},
		async unseen() {
			await using mailbox = await openMailbox(new URL(imap.url));
			return await mailbox.use(async (client) => (await client.search({ seen: false })) || []);
		},
		notices: () => backend.received().flatMap(({ type }) => (type === 'lead.received' ? [] : type)),
		...disposing(backend, imap),
	};
}

const parkedBy = (status: string) => `parked the mail came back: ${status}`;

describe.skipIf(dovecotMissing)('A mail that came back', () => {
	test.each(['message/rfc822', 'text/rfc822-headers'])('parks its delivery, and the others are told (%s)', async (returned) => {
		await using team = await startReturning();
		expect(team.smtp.mails[0]!.parsed.messageId).toBe(team.messageId);
		await team.giveBack({ returned });
		expect(await team.deliveries()).toMatchObject({ email: parkedBy('5.2.2') });
		expect(team.notices()).toEqual(['channel.failing']);
		expect(await team.unseen()).toEqual([]);
		expect((await team.list('--state', 'parked')).length).toBe(1);
		expect(JSON.stringify(team.log)).not.toMatch(/Ana Ruiz|sales@|secret/);

		// It is sent again like any other, and the report that was read does not count again.
		expect((await team.leads('retry', '--parked')).code).toBe(0);
		await team.restart({});
		expect(await team.deliveries()).toMatchObject({ email: expect.stringMatching(/^delivered/) });

		// The server takes each mail of two days, and returns it: one notice is enough.
		await team.giveBack({ returned });
		expect(await team.deliveries()).toMatchObject({ email: parkedBy('5.2.2') });
		expect(team.notices()).toEqual(['channel.failing']);
	});

	test('parks the delivery to its recipient, of several, whom a header of our own tells where another mailbox stands for it', async () => {
		await using team = await startReturning({ LEAD_EMAIL_TO: 'first@website.test,second@website.test' });
		const [other, recipient] = ['other@elsewhere.test\nAction: failed\n\n', 'Second@website.test'];
		await team.giveBack({ recipient: `${other}Final-Recipient: rfc822; ${recipient}` });
		const parked = { 'email-1': 'delivered', 'email-2': parkedBy('5.2.2') };
		expect(await team.deliveries()).toMatchObject(parked);
		// The second is an alias, of which another member has no room either.
		await team.giveBack({ recipient: 'member@website.test' });
		expect(await team.deliveries()).toMatchObject(parked);
		// A notice whose mail comes back makes no other: that might come back, too.
		const notice = team.smtp.mails.find(({ parsed }) => parsed.messageId!.startsWith('<channel'))!;
		await team.giveBack({ messageId: notice.parsed.messageId!, recipient: notice.to[0]! });
		expect([team.notices(), await team.unseen()]).toEqual([['channel.failing'], []]);
		const { parsed } = team.smtp.mails.find(({ to }) => to[0] === 'first@website.test')!;
		const channel = parsed.headers.find(({ key }) => key === 'x-channel')!.value;
		await team.giveBack({ messageId: `${team.messageId}\nX-Channel: ${channel}`, recipient: 'first@elsewhere.test' });
		expect(await team.deliveries()).toMatchObject({ 'email-1': parkedBy('5.2.2') });
	});

	test('changes nothing if it is late, known by a guess, for somebody else, huge, or no report', async () => {
		// A webhook that is away keeps no report unread.
		const away = { LEAD_WEBHOOK_URL: 'http://127.0.0.1:4/', LEAD_RETRY: '1d' };
		await using team = await startReturning({ LEAD_EMAIL_TO: 'first@website.test,second@website.test', ...away });
		const before = await team.deliveries();
		const recipient = 'first@website.test';
		const id = /[\da-f]{8}-[\da-f-]{27}/.exec(team.messageId)![0];
		const guesses = [id.slice(-10), `${id.slice(0, -1)}${id.endsWith('0') ? 1 : 0}`, '%', ''];
		await team.giveBack(
			...guesses.map((guess) => ({ messageId: `<lead-${guess}@website.test>`, recipient })),
			{ recipient, action: 'delayed', status: '4.4.1' },
			{ recipient: 'third@website.test' },
			{ recipient, type: 'multipart/mixed' },
			{ recipient, words: `${'x'.repeat(100)}\n `.repeat(2700) },
		);
		expect(await team.deliveries()).toEqual(before);
		expect(team.notices()).toEqual([]);
		// The last two are somebody's mails.
		expect(await team.unseen()).toHaveLength(2);
		// It may have been deleted on delivery (`LEAD_RETENTION=0`): then the report alone has it.
		const lost = () => team.log.filter(({ level, msg }) => level === 'warn' && /no longer in the store/.test(String(msg)));
		expect(lost()).toHaveLength(1);
		// However many recipients one names, it counts once: a forged one must not fill the log.
		const told = `message/delivery-status\n\n${'Action: failed\n\n'.repeat(2000)}`;
		await team.giveBack({ messageId: `<lead-${guesses[1]}@website.test>`, told });
		expect(lost()).toHaveLength(2);
	});

	const exim = (words: string) => ({ status: '5.0.0', words: `smtp; ${words}` });
	const notification = (disposition: string) => ({
		type: 'multipart/report; report-type=disposition-notification',
		told: `message/disposition-notification\n\nFinal-Recipient: rfc822; sales@website.test\nDisposition: ${disposition}`,
	});
	test.each<[part: string, report: Partial<Report>, state: string]>([
		['a status among words', exim('550 5.1.1 <sales@website.test>: unknown'), parkedBy('5.1.1')],
		['a status behind a hyphen', exim('554-5.7.1 [192.0.2.1] refused'), parkedBy('5.7.1')],
		['what only looks like a status', exim('550 5.6.7.8 is on a list'), parkedBy('5.0.0')],
		['Sieve’s reject (RFC 5429)', notification('automatic-action/MDN-sent-automatically; deleted'), parkedBy('5.0.0')],
		['another notification', notification('automatic-action/MDN-sent-automatically; displayed'), 'delivered'],
	])('is known by what its report says, here %s', async (_, part, state) => {
		await using team = await startReturning();
		await team.giveBack(part);
		expect(await team.deliveries()).toMatchObject({ email: state });
	});

	test('is known where Amazon SES gave it another Message-ID', async () => {
		await using team = await startReturning({ LEAD_AUTOREPLY: 'on' }, { email: 'ana@clinicasol.test' });
		for (const { parsed, to } of team.smtp.mails.slice())
			await team.giveBack({
				messageId: parsed.headers.reduce(
					(own, { key, value }) => (key === 'x-entry-id' ? `${own}\nX-Entry-Id: ${value}` : own),
					'<0100018f@email.amazonses.test>',
				),
				recipient: to[0]!,
			});
		expect(await team.deliveries()).toMatchObject({ email: parkedBy('5.2.2') });
		expect(team.notices().toSorted()).toEqual(['address.returned', 'channel.failing']);
	});

	test('to a visitor is told to the team, once, with the number to call', async () => {
		const lead = { email: 'ana@clinicasol.test', phone: '+34 600 000 000' };
		await using team = await startReturning({ LEAD_AUTOREPLY: 'on' }, lead);
		const confirmation = team.smtp.mails.find(({ to }) => to[0] === 'ana@clinicasol.test')!;
		// The null sender would get nothing back.
		expect(confirmation.from).toBe(team.smtp.settings.LEAD_EMAIL_FROM);
		const back = { messageId: confirmation.parsed.messageId!, recipient: 'ana@clinicasol.test', status: '5.1.1' };
		await team.giveBack(back, back);
		expect(team.notices()).toEqual(['address.returned']);
		for (const part of ['Ana Ruiz', '+34 600 000 000', '5.1.1']) expect(team.smtp.mails.at(-1)!.parsed.text!).toContain(part);
		expect(Object.values(await team.deliveries())).toEqual(['delivered', 'delivered']);
	});

	test('of a kind that only a later version knows parks its delivery', async () => {
		await using team = await startReturning();
		using file = team.database();
		file.exec(`UPDATE lead_entries SET kind = 'later'`);
		await team.giveBack({});
		expect(await team.unseen()).toEqual([]);
		expect(file.prepare('SELECT channel FROM lead_deliveries WHERE state = ?').all('parked')).toEqual([{ channel: 'email' }]);
	});

	test('is read again later if its delivery is still on its way', async () => {
		await using team = await startReturning({ LEAD_RETRY: '1d' }, {}, { 'sales@website.test': [450] });
		await team.giveBack({});
		expect(await team.unseen()).toHaveLength(1);
		expect((await team.leads('retry', '--waiting')).code).toBe(0);
		await team.restart({});
		await team.restart({});
		expect(await team.deliveries()).toMatchObject({ email: expect.stringMatching(/^parked the mail/) });
	});

	test('is read again if the store cannot save that the team is told', async () => {
		await using team = await startReturning();
		team.refuseNotices();
		await team.giveBack({});
		expect([team.notices(), await team.unseen()]).toEqual([[], [expect.any(Number)]]);
		using file = team.database();
		file.exec('DROP TRIGGER no_notice');
		await team.restart({});
		expect([team.notices(), await team.unseen()]).toEqual([['channel.failing'], []]);
		expect(await team.deliveries()).toMatchObject({ email: parkedBy('5.2.2') });
	});

	test('stays unread where the mailbox does not open, and leads are delivered all the same', async () => {
		await using team = await startReturning();
		await team.restart({ LEAD_BOUNCES_URL: String(Object(team.env)['LEAD_BOUNCES_URL']).replace('secret', 'wr0ng') });
		await team.take({ message: 'Another lead' });
		expect(await team.deliveries()).toMatchObject({ email: 'delivered' });
		expect(team.log.filter(({ level }) => level === 'warn' || level === 40)).toHaveLength(1);
		expect(JSON.stringify(team.log)).not.toMatch(/wr0ng/);
	});
});
