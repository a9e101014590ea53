import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { visitorMail } from '../../../src/lead/channels/smtp.ts';
import { mailboxOf } from '../../../src/lead/mail-provider.ts';
import { confirmationMessage, confirmationOf } from '../../../src/lead/message/confirmation.ts';
import type { Lead } from '../../../src/lead/lead.ts';
import { receivedNow } from '../../../src/lead/message/message.ts';
import { openStore, type StorePlace } from '../../../src/lead/store/index.ts';
import { copyIn, languages, links, service } from '../../../src/facts/load.ts';
import { newEntry } from '../store/entries.ts';
import { startBackend } from '../../support/lead-backend.ts';
import { leadWith } from '../../support/lead.ts';
import { type SmtpServerOptions, startSmtpServer } from '../../support/smtp-server.ts';
import { openTaking, type TakingOptions } from '../../support/open-taking.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const sender = { name: 'Our team', address: 'website@website.test' };
const { signal } = new AbortController();
const language = languages[0]!;
const words = copyIn(language).confirmation;
const fileIn = (folder: string): StorePlace => ({ kind: 'sqlite', path: `${folder}/leads.db` });

const confirmationFor = (fields: Partial<Lead>) => confirmationOf(receivedNow(leadWith(fields)));

/** Returns the result of one confirmation at such a server. */
async function confirm(options: SmtpServerOptions = {}, receivedAt = new Date().toISOString()) {
	await using server = await startSmtpServer(options);
	const message = confirmationMessage({ ...confirmationFor({ lang: language })!, receivedAt });
	const delivery = await visitorMail(server.url, sender).send(message, signal);
	return { delivery, mails: server.mails };
}

/** Takes leads with one real channel, which takes each, and with confirmations by this server. */
async function startTaking(store: StorePlace, smtpUrl: string, options: Partial<TakingOptions> = {}) {
	const channels = [{ name: 'real', send: () => Promise.resolve({ ok: true as const }) }];
	const { take, quarantine, stop } = await openTaking({ store, channels, visitorMail: visitorMail(smtpUrl, sender), ...options });
	let stopped: Promise<void> | undefined;
	return { take, quarantine, [Symbol.asyncDispose]: () => (stopped ??= stop()) };
}

describe('The confirmation', () => {
	test('is a fixed text with what the facts say, to the visitor, and an answer reaches the sales team', async () => {
		const { delivery, mails } = await confirm();
		const { parsed, to } = mails[0]!;
		expect(delivery).toEqual({ ok: true });
		expect(mails).toHaveLength(1);
		expect(to).toEqual(['ana@clinicasol.example']);
		expect([parsed.subject, parsed.html]).toEqual([words.subject, undefined]);
		for (const text of [`: ${links.privacy}\n`, `\n\n${service.company}\n`]) expect(parsed.text).toContain(text);
		expect(parsed.replyTo).toMatchObject([{ address: service.emails.sales }]);
	});

	test('says that a program sent it, and where nothing is to come back to', async () => {
		const [mail] = (await confirm()).mails;
		expect(mail?.from).toBe('');
		expect(mail?.parsed.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-replied' }));
	});

	test('has no word of the visitor’s but the address', async () => {
		const [mail] = (await confirm()).mails;
		const { name, clinic, phone, message, country } = leadWith();
		for (const word of [name, clinic, phone, message, country]) expect(mail?.raw).not.toContain(word);
	});

	test('comes from our address where the server takes none without a sender', async () => {
		const { delivery, mails } = await confirm({ refuseSender: { '': 550 } });
		expect([delivery, mails[0]?.from]).toEqual([{ ok: true }, 'website@website.test']);
	});

	test.each<[SmtpServerOptions, object]>([
		[{ refuse: { 'ana@clinicasol.example': 550 } }, { ok: true, note: 'not sent: SMTP 550 to RCPT TO' }],
		[{ refuse: { 'ana@clinicasol.example': 451 } }, { ok: false, permanent: false, reason: 'SMTP 451 to RCPT TO' }],
		[{ refuseSender: { '': 450 } }, { ok: false, permanent: false, reason: 'SMTP 450 to MAIL FROM' }],
		[{ refuseSender: { '': 550, 'website@website.test': 553 } }, { ok: true, note: 'not sent: SMTP 553 to MAIL FROM' }],
	])('meets %j with %j', async (options, expected) => {
		expect((await confirm(options)).delivery).toEqual(expected);
	});

	test('is not sent an hour late', async () => {
		const { delivery, mails } = await confirm({}, new Date(Date.now() - 3601_000).toISOString());
		expect([delivery, mails]).toEqual([{ ok: true, note: 'not sent: it is too late' }, []]);
	});

	test.each([
		'victim%other.example@relay.example',
		'other.example!victim@relay.example',
		'|id@clinica.example',
		'mailer-daemon@clinica.example',
		'No-Reply@clinica.example',
		'news-request@clinica.example',
	])('does not go to %s', (email) => {
		expect(confirmationFor({ email })).toBeUndefined();
	});

	test.each(["o'neill+web@clinica.example", 'ana_ruiz@xn--clnica-4va.example', 'a.b-c@x.co'])('goes to %s', (email) => {
		expect(confirmationFor({ email, lang: language })).toMatchObject({ address: email, language });
	});

	test.each([
		['ANA@clinica.example', 'ana@clinica.example'],
		['ana+1@Clinica.example', 'ana@clinica.example'],
		['a.n.a@clinica.example', 'ana@clinica.example'],
		['A.na+news@GoogleMail.com', 'ana@gmail.com'],
	])('counts %s as %s', (address, mailbox) => {
		expect(mailboxOf(address)).toBe(mailbox);
	});
});

describe('A confirmation', () => {
	test('goes once to an address, however many leads name it, and to each other one', async () => {
		await using folder = await temporaryFolder();
		await using server = await startSmtpServer();
		await using taking = await startTaking(fileIn(folder.path), server.url);
		for (const email of ['ana@clinica.example', 'a.na+news@clinica.example', 'ANA@clinica.example', 'eve@clinica.example'])
			await taking.take(leadWith({ email, message: email }));
		await server.received(2);
		await taking[Symbol.asyncDispose]();
		expect(server.mails.map(({ to }) => to[0]).toSorted()).toEqual(['ana@clinica.example', 'eve@clinica.example']);
	});

	test('goes to five mailboxes of a domain that may take all mail, and to every one of a provider', async () => {
		await using folder = await temporaryFolder();
		await using server = await startSmtpServer();
		await using taking = await startTaking(fileIn(folder.path), server.url);
		const names = Array.from({ length: 20 }, (_, turn) => `ana${turn}`);
		const take = (email: string) => taking.take(leadWith({ email, message: email }));
		const verdicts = await Promise.all(names.flatMap((name) => [take(`ana@${name}.catchall.co.uk`), take(`${name}@gmx.de`)]));
		for (const variant of ['ana1@googlemail.com', 'a.na1+x@gmail.com', 'ana2+x@gmx.de', 'ana0@catchall.co.uk'])
			verdicts.push(await take(variant));
		expect(new Set(verdicts)).toEqual(new Set(['accepted']));
		await server.received(26);
		await taking[Symbol.asyncDispose]();
		const domains = Object.groupBy(server.mails, ({ to }) => to[0]!.replace(/^.*[@.](?=catchall|gmx)/, ''));
		expect(domains['catchall.co.uk']).toHaveLength(5);
		expect(domains['gmx.de']).toHaveLength(20);
		expect(server.mails).toHaveLength(26);
	});

	test('that no program should send is not sent, and the lead is taken', async () => {
		await using folder = await temporaryFolder();
		await using server = await startSmtpServer();
		await using taking = await startTaking(fileIn(folder.path), server.url);
		await expect(taking.take(leadWith({ email: 'mailer-daemon@clinica.example' }))).resolves.toBe('accepted');
		await taking[Symbol.asyncDispose]();
		expect(server.mails).toEqual([]);
	});

	test('that is being sent when the process stops is sent to its end', async () => {
		const held = Promise.withResolvers<void>();
		await using folder = await temporaryFolder();
		await using server = await startSmtpServer({ judge: () => held.promise });
		await using taking = await startTaking(fileIn(folder.path), server.url);
		await taking.take(leadWith());
		await expect.poll(() => server.offered.length).toBe(1);
		const stopped = taking[Symbol.asyncDispose]();
		held.resolve();
		await stopped;
		expect(server.mails).toHaveLength(1);
	});

	test('that does not end fails no lead, and is cut off when the process stops', async () => {
		await using folder = await temporaryFolder();
		await using server = await startSmtpServer({ judge: () => new Promise(() => {}) });
		await using taking = await startTaking(fileIn(folder.path), server.url, { stopGrace: 100 });
		expect(await taking.take(leadWith())).toBe('accepted');
		await expect.poll(() => server.offered.length).toBe(1);
		await taking[Symbol.asyncDispose]();
		await using store = await openStore({ kind: 'sqlite', path: `${folder.path}/leads.db` });
		const deliveries = [{ channel: 'confirmation', state: 'waiting', tries: 0 }];
		expect(await store.list({ state: 'waiting', limit: 9 })).toMatchObject([{ kind: 'confirmation', deliveries }]);
	});
});

test('A mailbox that got a confirmation is left alone for a day', async () => {
	await using folder = await temporaryFolder();
	await using server = await startSmtpServer();
	await using taking = await startTaking(fileIn(folder.path), server.url);
	await taking.take(leadWith());
	await server.received(1);
	using database = new DatabaseSync(`${folder.path}/leads.db`, { readOnly: true });
	const { last } = database.prepare('SELECT max(once_ends_at) AS last FROM lead_entries').get() as { last: number };
	expect((last - Date.now()) / 3600_000).toBeGreaterThan(23);
	expect((last - Date.now()) / 3600_000).toBeLessThanOrEqual(24);
});

test('A restart does not send a confirmation again', async () => {
	await using folder = await temporaryFolder();
	await using server = await startSmtpServer();
	for (const message of ['one', 'two']) {
		await using taking = await startTaking(fileIn(folder.path), server.url);
		await taking.take(leadWith({ message }));
		await server.received(1);
	}
	expect(server.mails).toHaveLength(1);
});

test('A submission that filled the honeypot is not confirmed', async () => {
	await using folder = await temporaryFolder();
	await using server = await startSmtpServer();
	await using taking = await startTaking(fileIn(folder.path), server.url);
	await taking.quarantine({ ...leadWith(), website: 'x' });
	await taking[Symbol.asyncDispose]();
	expect(server.mails).toEqual([]);
});

test('A lead that is held is confirmed when it was released, and not before', async () => {
	await using server = await startSmtpServer();
	await using backend = await startBackend({ ...server.settings, LEAD_EMAIL_CONFIRM: 'on' });
	const confirmed = () => server.mails.filter(({ to }) => to[0] === 'ana@clinicasol.example').length;
	await backend.take({ email: 'ana@clinicasol.example', name: 'https://win.example/now XkQzBvTrPlWs', clinic: 'hGtRnMwQpLzXc' });
	const [held] = await backend.list('--state', 'quarantined');
	expect(confirmed()).toBe(0);
	expect((await backend.leads('release', held!.id)).code).toBe(0);
	await backend.tryDue();
	expect(confirmed()).toBe(1);
});

test('All visitors together get a hundred confirmations an hour, and the log warns once', async () => {
	await using server = await startSmtpServer();
	await using backend = await startBackend({ ...server.settings, LEAD_EMAIL_CONFIRM: 'on', LEAD_EMAIL_TO: 'sales@website.test' });
	await using store = await openStore(fileIn(backend.folder));
	const saveEarlier = (number: number, receivedAt: number) =>
		Promise.all(Array.from({ length: number }, () => store.insert(confirmationEntry(receivedAt))));
	const [now, HOUR] = [Date.now(), 3600_000];
	await saveEarlier(50, now - HOUR / 2);
	// They count, although nothing but their mark is left.
	await store.purge({ age: 1000, decisionTime: 0, cap: 0, batch: 99 });
	await saveEarlier(48, now);
	await saveEarlier(1, now - HOUR);
	const confirmed = () => server.mails.filter(({ to }) => to[0]!.endsWith('@gmx.de')).length;
	const warnings = () => backend.log.filter(({ level, confirmations }) => level === 'warn' && confirmations).length;
	for (const [turn, expected] of [
		[1, [1, 0]],
		[2, [2, 1]],
		[3, [2, 1]],
	] as const) {
		await backend.take({ email: `ana${turn}@gmx.de` });
		expect([confirmed(), warnings()]).toEqual(expected);
	}
});

function confirmationEntry(receivedAt: number) {
	const id = randomUUID();
	return newEntry({
		id,
		kind: 'confirmation',
		receivedAt,
		channels: [],
		once: { key: id, fingerprint: id, lifetime: 86_400_000 },
	});
}
