import { describe, expect, test } from 'vitest';
import { openMailbox } from '../../src/channels/imap.ts';
import { dovecotMissing, startImapServer } from '../support/imap-server.ts';
import { startMailing } from '../support/lead-places.ts';
import type { ReceivedMail } from '../support/smtp-server.ts';
import { disposing } from '../support/temporary-folder.ts';

/** `id` and `channel`: as the mail that came back names them. `returned`: the type of the part that has it, or its header; `type` that of the report. */
type Report = { id: string } & Partial<
	Record<'channel' | 'recipient' | 'action' | 'status' | 'words' | 'returned' | 'type' | 'told', string>
>;

/** Returns what a mail says of itself. */
const ofMail = ({ parsed }: ReceivedMail) => {
	const header = (name: string) => parsed.headers.find(({ key }) => key === name)!.value;
	return { id: header('x-entry-id'), channel: header('x-channel') };
};

/** A report as Postfix writes it (RFC 3464). */
const report = ({
	id,
	channel = 'email',
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
X-Entry-Id:
 ${id}
X-Channel: ${channel}

X-Entry-Id: 00000000-0000-7000-8000-000000000000

--=_the_report--
`.replaceAll('\n', '\r\n');

/** Starts a mailbox, and a backend that reads it whenever it starts again. */
async function startReturning(settings: Record<string, string> = {}, refuse: Record<string, number[]> = {}) {
	const imap = await startImapServer();
	const backend = await startMailing({ LEAD_BOUNCES_URL: imap.url, ...settings }, { refuse });
	return {
		...backend,
		/** Delivers reports, and reads the mailbox. */
		async giveBack(...reports: Report[]) {
			for (const each of reports) await imap.deliver(report(each));
			await backend.restart({});
		},
		/** Returns the deliveries of the newest lead: channel, state and why. */
		async deliveries() {
			const [{ deliveries }] = (await backend.list()) as unknown as [{ deliveries: Record<string, string>[] }];
			return Object.fromEntries(
				deliveries.map(({ channel, state, lastError }) => [channel, `${state} ${lastError ?? ''}`.trim()]),
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

describe.skipIf(dovecotMissing)('A mail that came back', () => {
	test.each(['message/rfc822', 'text/rfc822-headers'])('parks its delivery, and the others are told (%s)', async (returned) => {
		await using team = await startReturning();
		await team.take();
		const mail = ofMail(team.smtp.mails[0]!);
		await team.giveBack({ ...mail, returned });
		expect(await team.deliveries()).toMatchObject({ email: 'parked the mail came back: 5.2.2' });
		expect(team.notices()).toEqual(['channel.failing']);
		expect(await team.unseen()).toEqual([]);
		expect((await team.list('--state', 'parked')).length).toBe(1);
		expect(JSON.stringify(team.log)).not.toMatch(/Ana Ruiz|sales@|secret/);

		// It is sent again like any other, and the report that was read does not count again.
		expect((await team.leads('retry', '--parked')).code).toBe(0);
		await team.restart({});
		expect(await team.deliveries()).toMatchObject({ email: expect.stringMatching(/^delivered/) });

		// The server takes each mail of two days, and returns it: one notice is enough.
		await team.giveBack({ ...mail, returned });
		expect([await team.deliveries(), team.notices()]).toMatchObject([
			{ email: 'parked the mail came back: 5.2.2' },
			['channel.failing'],
		]);
	});

	test('parks the delivery to its recipient, of several, whoever it names', async () => {
		await using team = await startReturning({ LEAD_EMAIL_TO: 'first@website.test,second@website.test' });
		await team.take();
		const second = ofMail(team.smtp.mails.find(({ to }) => to[0] === 'second@website.test')!);
		// The second is an alias, or its mailbox sends mails on.
		await team.giveBack({ ...second, recipient: 'member@website.test' });
		const parked = { 'email-1': 'delivered', 'email-2': 'parked the mail came back: 5.2.2' };
		expect(await team.deliveries()).toMatchObject(parked);
		// Another member has no room either.
		await team.giveBack({ ...second, recipient: 'third@website.test' });
		expect(await team.deliveries()).toMatchObject(parked);
		// A notice whose mail comes back makes no other: that might come back, too.
		const notice = team.smtp.mails.find(({ parsed }) => parsed.messageId!.startsWith('<channel'))!;
		await team.giveBack({ ...ofMail(notice), recipient: notice.to[0]! });
		expect([team.notices(), await team.unseen()]).toEqual([['channel.failing'], []]);
	});

	test('changes nothing if it is late, known by a guess, of no channel, or no report', async () => {
		// A webhook that is away keeps no report unread.
		const away = { LEAD_WEBHOOK_URL: 'http://127.0.0.1:4/', LEAD_RETRY: '1d' };
		await using team = await startReturning({ LEAD_EMAIL_TO: 'first@website.test,second@website.test', ...away });
		await team.take();
		const mail = ofMail(team.smtp.mails[0]!);
		const { id } = mail;
		const before = await team.deliveries();
		const guesses = [id.slice(-10), `${id.slice(0, -1)}${id.endsWith('0') ? 1 : 0}`, '%', ''];
		await team.giveBack(
			...guesses.map((guess) => ({ ...mail, id: guess })),
			{ ...mail, action: 'delayed', status: '4.4.1' },
			{ ...mail, channel: 'email-3' },
			{ ...mail, type: 'multipart/mixed' },
		);
		expect(await team.deliveries()).toEqual(before);
		expect(team.notices()).toEqual([]);
		// The last is somebody's mail.
		expect(await team.unseen()).toHaveLength(1);
		// It may have been deleted on delivery (`LEAD_RETENTION=0`): then the report alone has it.
		expect(team.log.filter(({ level, msg }) => level === 'warn' && /no longer in the store/.test(String(msg)))).toHaveLength(1);
	});

	test.each([
		['smtp; 550 5.1.1 <sales@website.test>: unknown', '5.1.1'],
		['smtp; 554-5.7.1 [192.0.2.1] refused', '5.7.1'],
		['smtp; 550 5.6.7.8 is on a list', '5.0.0'],
	])('has its status among the words of Exim’s report: %s', async (words, status) => {
		await using team = await startReturning();
		await team.take();
		await team.giveBack({ ...ofMail(team.smtp.mails[0]!), status: '5.0.0', words });
		expect(await team.deliveries()).toMatchObject({ email: `parked the mail came back: ${status}` });
	});

	test.each([
		['deleted', 'parked the mail came back: 5.0.0'],
		['displayed', 'delivered'],
	])('counts where Sieve’s reject says so (RFC 5429), and no other notification: %s', async (what, state) => {
		await using team = await startReturning();
		await team.take();
		const notified = `Final-Recipient: rfc822; sales@website.test
Disposition: automatic-action/MDN-sent-automatically; ${what}`;
		const told = `message/disposition-notification\n\n${notified}`;
		const type = 'multipart/report; report-type=disposition-notification';
		await team.giveBack({ ...ofMail(team.smtp.mails[0]!), type, told });
		expect(await team.deliveries()).toMatchObject({ email: state });
	});

	test('to a visitor is told to the team, once, with the number to call', async () => {
		await using team = await startReturning({ LEAD_AUTOREPLY: 'on' });
		await team.take({ email: 'ana@clinicasol.test', phone: '+34 600 000 000' });
		const confirmation = team.smtp.mails.find(({ to }) => to[0] === 'ana@clinicasol.test')!;
		// The null sender would get nothing back.
		expect(confirmation.from).toBe(team.smtp.settings.LEAD_EMAIL_FROM);
		const back = { ...ofMail(confirmation), recipient: 'ana@clinicasol.test', status: '5.1.1' };
		await team.giveBack(back, back);
		expect(team.notices()).toEqual(['address.returned']);
		for (const part of ['Ana Ruiz', '+34 600 000 000', '5.1.1']) expect(team.smtp.mails.at(-1)!.parsed.text!).toContain(part);
		expect(Object.values(await team.deliveries())).toEqual(['delivered', 'delivered']);
	});

	test('of a kind that only a later version knows parks its delivery', async () => {
		await using team = await startReturning();
		await team.take();
		using file = team.database();
		file.exec(`UPDATE lead_entries SET kind = 'later'`);
		await team.giveBack(ofMail(team.smtp.mails[0]!));
		expect([await team.unseen(), file.prepare(`SELECT channel FROM lead_deliveries WHERE state = 'parked'`).all()]).toEqual([
			[],
			[{ channel: 'email' }],
		]);
	});

	test('is read again later if its delivery is still on its way', async () => {
		await using team = await startReturning({ LEAD_RETRY: '1d' }, { 'sales@website.test': [450] });
		await team.take();
		await team.giveBack({ id: String((await team.list())[0]!.id) });
		expect(await team.unseen()).toHaveLength(1);
		expect((await team.leads('retry', '--waiting')).code).toBe(0);
		await team.restart({});
		await team.restart({});
		expect(await team.deliveries()).toMatchObject({ email: expect.stringMatching(/^parked the mail/) });
	});

	test('is read again if the store cannot save that the team is told', async () => {
		await using team = await startReturning();
		await team.take();
		team.refuseNotices();
		await team.giveBack(ofMail(team.smtp.mails[0]!));
		expect([team.notices(), await team.unseen()]).toEqual([[], [expect.any(Number)]]);
		using file = team.database();
		file.exec('DROP TRIGGER no_notice');
		await team.restart({});
		expect([team.notices(), await team.unseen()]).toEqual([['channel.failing'], []]);
		expect(await team.deliveries()).toMatchObject({ email: 'parked the mail came back: 5.2.2' });
	});

	test('stays unread where the mailbox does not open, and leads are delivered all the same', async () => {
		await using team = await startReturning();
		await team.restart({ LEAD_BOUNCES_URL: String(Object(team.env)['LEAD_BOUNCES_URL']).replace('secret', 'wr0ng') });
		await team.take();
		expect(await team.deliveries()).toMatchObject({ email: 'delivered' });
		expect(team.log.filter(({ level }) => level === 'warn' || level === 40)).toHaveLength(1);
		expect(JSON.stringify(team.log)).not.toMatch(/wr0ng/);
	});
});
