import { Resolver } from 'node:dns';
import { describe, expect, test, vi } from 'vitest';
import { channelsFor, type Failure, namesOf } from '../../src/channels/channel.ts';
import { messageOf, referenceOf } from '../../src/channels/message.ts';
import { channelsOf } from '../../src/server/channels.ts';
import { email } from '../../src/channels/smtp.ts';
import { readSettings } from '../../src/server/settings/settings.ts';
import { expiredCertificate, foreignCertificate, localCertificate, trust } from '../support/certificate.ts';
import { linkSecret, messageWith, parties, receivedLead, team } from '../support/lead.ts';
import { type ReceivedMail, type SmtpServerOptions, startSmtpServer } from '../support/smtp-server.ts';

const ours = { certificate: await localCertificate() };
const foreign = { certificate: await foreignCertificate() };
const expired = { certificate: await expiredCertificate() };

const send = (url: string, signal = new AbortController().signal) => email(url, parties, 1).send(messageWith(), signal);

/** 0.0.0.0 reaches this machine but is no loopback name, so the channel takes it for a server elsewhere. */
const elsewhere = (url: string) => url.replace('127.0.0.1', '0.0.0.0');

const overTlsAtOnce = (url: string) => url.replace('smtp:', 'smtps:');

const withLogin = (url: string, pass: string) => url.replace('//', `//user:${pass}@`);

async function sendTo(options: SmtpServerOptions, adapt = (url: string) => url) {
	await using server = await startSmtpServer(options);
	const delivery = await send(adapt(server.url));
	return { delivery, mails: server.mails };
}

describe('The email channel', () => {
	const plain = { delivery: { ok: true }, mails: [{ secure: false }] };
	const overTls = { delivery: { ok: true }, mails: [{ secure: true }] };
	const login = { user: 'user', pass: 'right' };
	const signs = { user: 'user', pass: 'p@ss/word' };
	const loggedIn = (url: string) => withLogin(url, 'right');
	const lasting = { ok: false, outlook: 'lasting' };
	const refusedFor = (reason: RegExp) => ({ delivery: { ...lasting, reason: expect.stringMatching(reason) }, mails: [] });
	const unsafe = refusedFor(/^SMTP 50\d to STARTTLS$/);
	test.each<[string, SmtpServerOptions, result: object, adapt?: (url: string) => string, trusted?: boolean]>([
		['on this machine without TLS', {}, plain],
		['on this machine with STARTTLS and any certificate', foreign, overTls],
		['on this machine that greets strangers late', { fault: 'late' }, plain],
		['on this machine that wants a login over TLS', { ...foreign, login }, overTls, loggedIn],
		['on this machine that wants a password with signs', { login: signs }, plain, (url) => withLogin(url, 'p%40ss%2Fword')],
		['on this machine that cannot do the STARTTLS it offers', { fault: 'unready' }, plain],
		['on this machine that cannot, where a login needs it', { fault: 'unready' }, unsafe, loggedIn],
		['on this machine without TLS at an smtps: URL', {}, refusedFor(/^ERR_SSL_\w+: ./), overTlsAtOnce],
		['elsewhere without STARTTLS', {}, unsafe, elsewhere],
		['elsewhere without STARTTLS, which the URL allows', {}, plain, (url) => `${elsewhere(url)}?requireTLS=false`],
		['elsewhere without STARTTLS, which the URL ignores', {}, unsafe, (url) => `${elsewhere(url)}?ignoreTLS=true`],
		['elsewhere with STARTTLS', ours, overTls, elsewhere],
		['elsewhere with a certificate for another name', foreign, refusedFor(/^ERR_TLS_CERT_ALTNAME_INVALID: ./), elsewhere],
		['elsewhere with a certificate that has ended', expired, refusedFor(/^CERT_HAS_EXPIRED: ./), elsewhere],
		['elsewhere with a certificate of no authority', ours, refusedFor(/^DEPTH_ZERO_SELF_SIGNED_CERT: ./), elsewhere, false],
		['with TLS from the start', { ...ours, secure: true }, overTls],
	])('sends to a server %s as is safe', async (...[, options, expected, adapt, trusted = true]) => {
		using _ = trusted && options.certificate ? trust(options.certificate) : undefined;
		expect(await sendTo(options, adapt)).toMatchObject(expected);
	});

	test('finds the server on localhost without the DNS, which could name another', async () => {
		const asked = vi.spyOn(Resolver.prototype, 'resolve4');
		const localhost = (url: string) => url.replace('127.0.0.1', 'localhost');
		using _ = trust(ours.certificate);
		for (const [options, expected] of [
			[{}, plain],
			[foreign, overTls],
			[{ ...ours, secure: true }, overTls],
		] as const)
			expect(await sendTo(options, localhost)).toMatchObject(expected);
		expect(asked).not.toHaveBeenCalled();
	});

	type Refused = [SmtpServerOptions, Failure['outlook'], reason: string];
	const atRecipient = (outlook: Failure['outlook'], ...codes: (number | string)[]) =>
		codes.map((code): Refused => [{ refuse: { 'sales@website.test': code } }, outlook, `SMTP ${code} to RCPT TO`]);
	const atSender = (outlook: Failure['outlook'], ...codes: number[]) =>
		codes.map((code): Refused => [{ refuse: { 'website@website.test': code } }, outlook, `SMTP ${code} to MAIL FROM`]);
	test.each<Refused>([
		[{ login, refuse: { user: 454 } }, 'passing', 'SMTP 454 to AUTH PLAIN'],
		[{ login, refuse: { user: 530 } }, 'lasting', 'SMTP 530 to AUTH PLAIN'],
		[{ login }, 'lasting', 'SMTP 535 to AUTH PLAIN'],
		...atRecipient('passing', 451),
		...atRecipient('lasting', 530, 534, 535, 538),
		// Postfix says only here whom it does not let send (`smtpd_delay_reject`).
		...atRecipient('lasting', '553 5.7.1', '550 5.1.8'),
		...atRecipient('final', 550, '550 5.1.1', '552 5.2.2'),
		...atSender('passing', 451),
		...atSender('lasting', 530, 534, 535, 538, 550, 554),
		// An answer without a code.
		[{ refuse: { 'website@website.test': Infinity } }, 'passing', 'EENVELOPE'],
		[{ fault: 'closed' }, 'lasting', 'SMTP 554 to CONN'],
		[{ judge: () => 554 }, 'final', 'SMTP 554 to DATA'],
		[{ judge: () => 503 }, 'passing', 'SMTP 503 to DATA'],
		[{ judge: () => 451 }, 'passing', 'SMTP 451 to DATA'],
		[{ fault: 'drop' }, 'passing', 'ECONNECTION'],
	])('meets %j with a failure that is %s: %s', async (options, outlook, reason) => {
		const { delivery } = await sendTo(options, (url) => (options.login ? withLogin(url, 'wrong') : url));
		expect(delivery).toEqual({ ok: false, outlook, reason });
	});

	test('sends to the one recipient of its place, names all of the list, and has none where the list is shorter', async () => {
		await using server = await startSmtpServer();
		const [first, second] = parties.to;
		// This list has one address twice.
		const settings = { ...server.settings, LEAD_EMAIL_TO: [...parties.to, first].join() };
		const LEAD_EMAIL_ROUTES = 'lang=de:a@website.test,b@website.test,c@website.test';
		const { channels } = channelsOf(readSettings({ ...settings, LEAD_EMAIL_ROUTES }));
		expect(namesOf(channels)).toEqual(['email', 'email-1', 'email-2', 'email-3']);
		const german = { lang: 'de' };
		expect(channelsFor(channels, german)).toHaveLength(3);
		for (const lead of [{}, undefined]) expect(namesOf(channelsFor(channels, lead))).toEqual(['email-1', 'email-2']);
		const { signal } = new AbortController();
		const results = [];
		for (const channel of channels.slice(1)) results.push(await channel.send(messageWith(), signal));
		expect(results).toEqual([{ ok: true }, { ok: true }, { ok: false, outlook: 'final', reason: 'EENVELOPE' }]);
		await channels[3]!.send(messageWith(german), signal);
		// What an earlier version saved for all at once.
		await channels[0]!.send(messageWith(), signal);
		expect(server.mails.map(({ to }) => to)).toEqual([[first], [second], ['c@website.test'], [first], [second]]);
		expect(server.mails[1]!.parsed.to!.map(({ address }) => address)).toEqual([first, second]);
	});

	test('sends a lead that is refused for what it says without the visitor’s words, with what the team needs to act', async () => {
		const judge = ({ parsed }: ReceivedMail) => (parsed.replyTo || parsed.html ? 554 : 250);
		await using server = await startSmtpServer({ judge });
		const received = receivedLead();
		const message = { ...messageOf(received, { ...team, linkSecret }), kept: true };
		const delivery = await email(server.url, parties, 1).send(message, new AbortController().signal);
		expect(delivery).toEqual({ ok: true, note: `without the visitor's words: SMTP 554 to DATA` });
		const [{ raw, parsed } = {}] = server.mails;
		for (const word of Object.values(received.lead).filter((value) => value && value.length > 2)) expect(raw).not.toContain(word);
		const { messageId } = server.offered[0]!.parsed;
		expect([parsed!.messageId, parsed!.replyTo, parsed!.html]).toEqual([messageId, undefined, undefined]);
		const urls = message.actions!.map(({ url }) => url);
		for (const text of [`npm run leads -- show ${referenceOf(received.id)}`, ...urls]) expect(parsed!.text).toContain(text);
	});

	test('that is refused even without the visitor’s words is refused for our sake, and tried again', async () => {
		// Exchange judges the sender after DATA (WWBN/AVideo#1017), as Gmail does how much we send.
		await using server = await startSmtpServer({ judge: () => 550 });
		const channel = email(server.url, parties, 1);
		const delivery = await channel.send({ ...messageWith(), kept: true }, new AbortController().signal);
		expect(delivery).toEqual({ ok: false, outlook: 'lasting', reason: 'SMTP 550 to DATA' });
	});

	test('gives up on a server that never greets when the time is over', async () => {
		await using server = await startSmtpServer({ fault: 'silent' });
		const delivery = await send(server.url, AbortSignal.timeout(100));
		expect(delivery).toEqual({ ok: false, outlook: 'passing', reason: 'TimeoutError' });
	});
});
