import { describe, expect, test } from 'vitest';
import { email } from '../../../src/channels/smtp.ts';
import { foreignCertificate, localCertificate, trust } from '../../support/certificate.ts';
import { messageWith } from '../../support/lead.ts';
import { arrivedIn, readMaildir } from '../../support/maildir.ts';
import { postfixMissing, startPostfix } from '../../support/postfix.ts';

const certificate = await localCertificate();
const from = { name: 'Our website', address: 'website@website.test' };
/** 0.0.0.0 reaches this machine but is no loopback name, so the channel takes it for a server elsewhere. */
const elsewhere = (url: string) => url.replace('127.0.0.1', '0.0.0.0');

const send = (url: string, to = ['sales@website.test'], message = messageWith()) =>
	email(url, { from, to }).send(message, new AbortController().signal);

describe.skipIf(postfixMissing)('With Postfix, mail is safe:', () => {
	test('what arrives is what was sent', async () => {
		await using server = await startPostfix();
		await expect(send(server.url)).resolves.toEqual({ ok: true });
		const [mail] = await arrivedIn(server.mailbox, 1);
		expect(mail?.parsed.subject).toBe(messageWith().subject);
		expect(mail?.parsed.text?.trimEnd()).toBe(messageWith().text);
		expect(mail?.parsed.replyTo).toEqual([{ name: 'Ana Ruiz', address: 'ana@clinicasol.example' }]);
	});

	test('goes over TLS, by STARTTLS and from the start', async () => {
		using _ = trust(certificate);
		await using server = await startPostfix({ certificate });
		await expect(send(elsewhere(server.url))).resolves.toEqual({ ok: true });
		await expect(send(elsewhere(server.tlsUrl))).resolves.toEqual({ ok: true });
		const mails = await arrivedIn(server.mailbox, 2);
		expect(mails.map(({ raw }) => /with (ESMTPS|esmtps)/.test(raw))).toEqual([true, true]);
	});

	test('that the server wants by TLS is not taken without', async () => {
		await using server = await startPostfix({ certificate });
		const delivery = await send(server.url);
		expect(delivery).toEqual({ ok: false, permanent: false, reason: 'SMTP 530 to MAIL FROM' });
		await expect(readMaildir(server.mailbox)).resolves.toEqual([]);
	});

	test.each(['url', 'tlsUrl'] as const)(
		'does not go to a server that nobody vouches for, or for another name (%s)',
		async (url) => {
			const foreign = await foreignCertificate();
			using _ = trust(foreign);
			await using stranger = await startPostfix({ certificate });
			await using other = await startPostfix({ certificate: foreign });
			const deliveries = await Promise.all([stranger, other].map((server) => send(elsewhere(server[url]))));
			expect(deliveries).toEqual([
				{ ok: false, permanent: false, reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
				{ ok: false, permanent: false, reason: 'ERR_TLS_CERT_ALTNAME_INVALID' },
			]);
			await expect(readMaildir(other.mailbox)).resolves.toEqual([]);
		},
	);
});

describe.skipIf(postfixMissing)('With Postfix, mail is understood:', { concurrent: true }, () => {
	test.each([
		['büro@website.test', true],
		['büro@website.test', false],
		['.abc..def.@website.test', false],
	])('%s gets its mail (SMTPUTF8: %j)', async (address, smtpUtf8) => {
		await using server = await startPostfix({ smtpUtf8 });
		await expect(send(server.url, [address])).resolves.toEqual({ ok: true });
		const [mail] = await arrivedIn(server.mailbox, 1);
		expect(mail?.parsed.to?.map((to) => to.address?.replaceAll('"', ''))).toEqual([address]);
	});

	test('a visitor’s domain in all letters stands in the text, and needs no SMTPUTF8', async () => {
		await using server = await startPostfix({ smtpUtf8: false });
		await expect(send(server.url, undefined, messageWith({ email: 'ana@clínica.example' }))).resolves.toEqual({ ok: true });
		const [mail] = await arrivedIn(server.mailbox, 1);
		expect(mail?.parsed.text).toContain('Email: ana@clínica.example (xn--clnica-4va.example)');
	});

	test('a mail that is too large is refused for good', async () => {
		await using server = await startPostfix({ sizeLimit: 20_000 });
		const delivery = await send(server.url, undefined, messageWith({ message: '🦷'.repeat(5000) }));
		expect(delivery).toMatchObject({ ok: false, permanent: true, reason: expect.stringMatching(/SMTP 552|EMESSAGE/) });
		await expect(readMaildir(server.mailbox)).resolves.toEqual([]);
	});
});
