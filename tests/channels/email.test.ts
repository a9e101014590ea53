import { describe, expect, test } from 'vitest';
import { email } from '../../src/channels/smtp.ts';
import { foreignCertificate, localCertificate, trust } from '../support/certificate.ts';
import { messageWith, parties } from '../support/lead.ts';
import { type SmtpServerOptions, startSmtpServer } from '../support/smtp-server.ts';

const ours = { certificate: await localCertificate() };
const foreign = { certificate: await foreignCertificate() };

const send = (url: string, signal = new AbortController().signal) => email(url, parties).send(messageWith(), signal);

/** 0.0.0.0 reaches this machine but is no loopback name, so the channel takes it for a server elsewhere. */
const elsewhere = (url: string) => url.replace('127.0.0.1', '0.0.0.0');

const withLogin = (url: string, pass: string) => url.replace('//', `//user:${pass}@`);

async function sendTo(options: SmtpServerOptions, adapt = (url: string) => url) {
	await using server = await startSmtpServer(options);
	const delivery = await send(adapt(server.url));
	return { delivery, mails: server.mails };
}

describe('The email channel', () => {
	const plain = { delivery: { ok: true }, mails: [{ secure: false }] };
	const overTls = { delivery: { ok: true }, mails: [{ secure: true }] };
	const refusedFor = (reason: unknown) => ({ delivery: { ok: false, permanent: false, reason }, mails: [] });
	test.each<[string, SmtpServerOptions, ReturnType<typeof refusedFor> | typeof plain, ((url: string) => string)?]>([
		['on this machine without TLS', {}, plain],
		['on this machine with any certificate', foreign, plain],
		['elsewhere without STARTTLS', {}, refusedFor(expect.stringMatching(/^SMTP 50\d to STARTTLS$/)), elsewhere],
		['elsewhere without STARTTLS, which the URL allows', {}, plain, (url) => `${elsewhere(url)}?requireTLS=false`],
		['elsewhere with STARTTLS', ours, overTls, elsewhere],
		['elsewhere with a certificate for another name', foreign, refusedFor('ERR_TLS_CERT_ALTNAME_INVALID'), elsewhere],
		['with TLS from the start', { ...ours, secure: true }, overTls],
	])('sends to a server %s as is safe', async (...[, options, expected, adapt]) => {
		using _ = options.certificate && trust(options.certificate);
		expect(await sendTo(options, adapt)).toMatchObject(expected);
	});

	test('sends nothing to a server elsewhere whose certificate nobody vouches for', async () => {
		expect(await sendTo(ours, elsewhere)).toMatchObject(refusedFor('DEPTH_ZERO_SELF_SIGNED_CERT'));
	});

	test('logs in with what the URL says, percent-encoded', async () => {
		const { delivery } = await sendTo({ login: { user: 'user', pass: 'p@ss/word' } }, (url) => withLogin(url, 'p%40ss%2Fword'));
		expect(delivery).toEqual({ ok: true });
	});

	const login = { user: 'user', pass: 'right' };
	test.each<[SmtpServerOptions, boolean, string]>([
		[{ login, refuseLogin: 454 }, false, 'SMTP 454 to AUTH PLAIN'],
		[{ login, refuseLogin: 530 }, false, 'SMTP 530 to AUTH PLAIN'],
		[{ login, refuseLogin: 535 }, true, 'SMTP 535 to AUTH PLAIN'],
		[{ refuse: { 'sales@website.test': 550, 'lead@website.test': 550 } }, true, 'SMTP 550 to RCPT TO'],
		[{ refuse: { 'sales@website.test': 451, 'lead@website.test': 530 } }, false, 'SMTP 451 to RCPT TO'],
		...[530, 534, 538].map((code): [SmtpServerOptions, boolean, string] => [
			{ refuseSender: { 'website@website.test': code } },
			false,
			`SMTP ${code} to MAIL FROM`,
		]),
		[{ refuseSender: { 'website@website.test': 550 } }, true, 'SMTP 550 to MAIL FROM'],
		// An answer without a code.
		[{ refuseSender: { 'website@website.test': Infinity } }, false, 'EENVELOPE'],
		[{ fault: 'closed' }, false, 'SMTP 554 to CONN'],
		[{ judge: () => 554 }, true, 'SMTP 554 to DATA'],
		[{ judge: () => 503 }, false, 'SMTP 503 to DATA'],
		[{ judge: () => 451 }, false, 'SMTP 451 to DATA'],
		[{ fault: 'drop' }, false, 'ECONNECTION'],
	])('meets %j with permanent: %j and %j', async (options, permanent, reason) => {
		const { delivery } = await sendTo(options, (url) => (options.login ? withLogin(url, 'wrong') : url));
		expect(delivery).toEqual({ ok: false, permanent, reason });
	});

	test.each<[number, object]>([
		[450, { ok: false, permanent: false, partial: true, reason: '1 of 2 recipients were put off: SMTP 450 to RCPT TO' }],
		[550, { ok: true, note: '1 of 2 recipients were refused' }],
	])('sends to the others where one of two recipients is refused with %i', async (code, expected) => {
		const { delivery, mails } = await sendTo({ refuse: { 'lead@website.test': code } });
		expect(delivery).toEqual(expected);
		expect(mails).toMatchObject([{ to: ['sales@website.test'] }]);
	});

	test('gives up for good where there is nobody to send to', async () => {
		await using server = await startSmtpServer();
		const delivery = await email(server.url, { ...parties, to: [] }).send(messageWith(), new AbortController().signal);
		expect(delivery).toEqual({ ok: false, permanent: true, reason: 'EENVELOPE' });
	});

	test('waits for a server that lets strangers wait for its greeting', async () => {
		await using server = await startSmtpServer({ fault: 'late' });
		expect(await send(server.url, new AbortController().signal)).toEqual({ ok: true });
	});

	test('gives up on a server that never greets when the time is over', async () => {
		await using server = await startSmtpServer({ fault: 'silent' });
		const delivery = await send(server.url, AbortSignal.timeout(100));
		expect(delivery).toEqual({ ok: false, permanent: false, reason: 'TimeoutError' });
	});
});
