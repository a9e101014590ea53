import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { visitorMail } from '../../src/channels/smtp.ts';
import { confirmationMessage } from '../../src/channels/entry.ts';
import { referenceOf } from '../../src/channels/message.ts';
import { neverConfirmed } from '../../src/outbox/confirming.ts';
import { openStore } from '../../src/store/store.ts';
import { fillWords } from '../../src/facts/language.ts';
import { copyIn, languages, links, service } from '../../src/facts/load.ts';
import { HOUR, newOnce, saved } from '../store/entries.ts';
import { startMailing } from '../support/lead-places.ts';
import { leadWith, receivedLead } from '../support/lead.ts';
import { spam } from '../support/post-lead.ts';
import { type SmtpServerOptions, startSmtpServer } from '../support/smtp-server.ts';

const sender = { name: 'Our team', address: 'website@website.test' };
const { signal } = new AbortController();
const lasting = { ok: false, outlook: 'lasting' };
const language = languages[0]!;

async function confirm(options: SmtpServerOptions = {}, receivedAt = new Date().toISOString()) {
	await using server = await startSmtpServer(options);
	const message = confirmationMessage({ id: 'id', address: leadWith().email, language, receivedAt, about: receivedLead().id });
	const delivery = await visitorMail(server.url, sender).send(message, signal);
	return { delivery, mails: server.mails };
}

const startConfirming = () => startMailing({ LEAD_AUTOREPLY: 'on' });

const confirmed = ({ smtp }: Awaited<ReturnType<typeof startMailing>>) =>
	smtp.mails.map(({ to }) => to[0]!).filter((address) => address !== smtp.settings.LEAD_EMAIL_TO);

describe('The confirmation', () => {
	test('is a fixed text with what the facts say, to the visitor, and an answer reaches the sales team', async () => {
		const { delivery, mails } = await confirm();
		const { parsed, from, to, raw } = mails[0]!;
		expect(delivery).toEqual({ ok: true });
		expect(mails).toHaveLength(1);
		expect(to).toEqual(['ana@clinicasol.example']);
		const reference = referenceOf(receivedLead().id);
		const subject = fillWords(copyIn(language).confirmation.subject, { reference });
		expect([parsed.subject, parsed.html]).toEqual([subject, undefined]);
		// Outlook and others put what has one subject together: replies of two visitors.
		expect(subject).toContain(reference);
		for (const text of [` ${reference}.\n`, `: ${links.privacy}\n`, `\n\n${service.legalName ?? service.company}\n`])
			expect(parsed.text).toContain(text);
		expect(parsed.replyTo).toMatchObject([{ address: service.emails.sales }]);
		// No program answers it, and nothing comes back.
		expect(from).toBe('');
		expect(parsed.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-replied' }));
		// No word of the visitor's but the address.
		const { name, clinic, phone, message, country } = leadWith();
		for (const word of [name, clinic, phone, message, country]) expect(raw).not.toContain(word);
	});

	const toVisitor = (...refusals: (string | number)[]) => ({ refuse: { 'ana@clinicasol.example': refusals } });
	const fromUs = { ok: true, from: ['website@website.test'] };
	test.each<[SmtpServerOptions, result: object, late?: number]>([
		[{ refuse: { '': 550 } }, fromUs],
		[{ refuse: { '': 451 } }, fromUs],
		[{ judge: ({ from }) => (from === '' ? 550 : 250) }, fromUs],
		[{ judge: ({ from }) => (from === '' ? 451 : 250) }, fromUs],
		...[451, 554, '550 5.7.509', '550 5.1.8', '553 5.1.7'].map((first) => [toVisitor(first), fromUs] as [object, object]),
		...[550, 551, 553, '550 5.1.1', '556 5.1.10'].map((first): [SmtpServerOptions, object] => [
			toVisitor(first),
			{ ok: true, note: `not sent: SMTP ${first} to RCPT TO`, from: [] },
		]),
		[{ judge: () => 554 }, { ok: true, note: 'not sent: SMTP 554 to DATA', from: [] }],
		[toVisitor(451, 451), { ok: false, outlook: 'passing', reason: 'SMTP 451 to RCPT TO', from: [] }],
		[{ refuse: { '': 550, 'website@website.test': 553 } }, { ...lasting, reason: 'SMTP 553 to MAIL FROM', from: [] }],
		[{}, { ok: true, from: [''] }, 3590_000],
		[{}, { ok: true, note: 'not sent: it is too late', from: [] }, 3601_000],
	])('meets %j with %j', async (options, result, late = 0) => {
		const { delivery, mails } = await confirm(options, new Date(Date.now() - late).toISOString());
		expect({ ...delivery, from: mails.map(({ from }) => from) }).toEqual(result);
	});

	test('goes to no address that leads elsewhere, to a program or to many, and to every other', () => {
		const elsewhere = ['victim%other.example@relay.example', 'other.example!victim@relay.example', '|id@clinica.example'];
		const encoded = '=?utf-8?q?victim=40other.example=3e?=@relay.example';
		const programs = ['mailer-daemon@clinica.example', 'No-Reply@clinica.example', 'news-request@clinica.example'];
		const people = ["o'neill+web@clinica.example", 'ana_ruiz@xn--clnica-4va.example'];
		const isUnsafe = (address: string) => neverConfirmed.test(address);
		expect([encoded, ...elsewhere, ...programs, ...people].filter(isUnsafe)).toEqual([encoded, ...elsewhere, ...programs]);
	});
});

test('A mailbox gets one confirmation, a domain that may take all mail five, and no program gets one', async () => {
	// At midnight, UTC, another day begins.
	vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-02T12:00:00Z') });
	onTestFinished(() => void vi.useRealTimers());
	await using confirming = await startConfirming();
	const send = (email: string) => confirming.send({ email, message: email });
	const names = Array.from({ length: 7 }, (_, turn) => `ana${turn}`);
	const emails = names.flatMap((name) => [`ana@${name}.catchall.co.uk`, `${name}@gmx.de`]);
	const results = await Promise.all([...emails, 'mailer-daemon@clinica.example'].map(send));
	for (const variant of ['ana1@googlemail.com', 'a.na1+x@gmail.com', 'ana2+x@gmx.de', 'ANA3@Gmx.de', 'ana0@catchall.co.uk'])
		results.push(await send(variant));
	expect(new Set(results)).toEqual(new Set(['accepted']));
	const countAt = (domain: string) => confirmed(confirming).filter((address) => address.endsWith(domain)).length;
	const domains = ['catchall.co.uk', 'gmx.de', 'googlemail.com', 'gmail.com', 'clinica.example'];
	expect(domains.map(countAt)).toEqual([5, 7, 1, 0, 0]);
	using database = confirming.database();
	const ends = database.prepare(`SELECT max(once_ends_at) AS last FROM lead_entries WHERE kind = 'confirmation'`);
	expect(ends.get()).toEqual({ last: Date.now() + 24 * HOUR });
});

test('A lead that is held is confirmed when it was released, and not before', async () => {
	await using confirming = await startConfirming();
	await confirming.quarantine({ ...leadWith(), email: 'eve@clinicasol.example', website: 'x' });
	await confirming.take(spam);
	const [held] = await confirming.list('--state', 'quarantined');
	expect(confirmed(confirming)).toEqual([]);
	expect((await confirming.leads('release', held!.id)).code).toBe(0);
	await confirming.tryDue();
	expect(confirmed(confirming)).toEqual(['ana@clinicasol.example']);
});

test('The team is told, once, of an address that the mail server does not know', async () => {
	const refuse = { 'ana@clinicasol.example': ['550 5.1.1'] };
	await using confirming = await startMailing({ LEAD_AUTOREPLY: 'on' }, { refuse });
	await confirming.take({ phone: '+34 600 000 000' });
	await confirming.tryDue();
	const notices = confirming.smtp.mails.filter(({ parsed }) => parsed.messageId!.startsWith('<address'));
	expect(notices).toHaveLength(1);
	for (const part of ['+34 600 000 000', '550 5.1.1']) expect(notices[0]!.parsed.text).toContain(part);
});

test('All visitors together get a hundred confirmations an hour, and the log warns once', async () => {
	await using confirming = await startConfirming();
	await using store = await openStore({ kind: 'sqlite', path: `${confirming.folder}/leads.db` });
	const saveEarlier = async (number: number, receivedAt: number) => {
		for (let turn = 0; turn < number; turn += 1)
			await saved(store, { kind: 'confirmation', receivedAt, channels: [], once: newOnce({ lifetime: 24 * HOUR }) });
	};
	const now = Date.now();
	await saveEarlier(50, now - HOUR / 2);
	// They count, although nothing but their mark is left.
	await store.purge({ age: 1000, decisionTime: 0, cap: 0, batch: 99 });
	await saveEarlier(48, now);
	await saveEarlier(1, now - HOUR);
	const warnings = () => confirming.log.filter(({ level, confirmations }) => level === 'warn' && confirmations).length;
	await confirming.take({ email: 'ana1@gmx.de' });
	expect([confirmed(confirming).length, warnings()]).toEqual([1, 0]);
	await Promise.all(['ana2@gmx.de', 'ana3@gmx.de', 'ana4@gmx.de'].map((email) => confirming.take({ email })));
	expect([confirmed(confirming).length, warnings()]).toEqual([2, 1]);
});
