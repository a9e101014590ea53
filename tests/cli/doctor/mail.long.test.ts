import { expect, test } from 'vitest';
import { localCertificate } from '../../support/certificate.ts';
import { runDoctor } from '../../support/operator-command.ts';
import { NOBODY } from '../../support/listening.ts';
import { type SmtpServerOptions, startSmtpServer } from '../../support/smtp-server.ts';

/** Returns the doctor's finding about the mail server. Nothing answers at the origin. */
async function examineMail(smtp: SmtpServerOptions = {}, login = '') {
	await using server = await startSmtpServer(smtp);
	const SMTP_URL = server.url.replace('//', `//${login}`);
	const { findings } = await runDoctor([`http://${NOBODY}`], { ...server.settings, SMTP_URL });
	expect(server.offered).toEqual([]);
	return findings.find(({ check }) => check === 'mail: server');
}

test('a mail server that takes our login is all right, and no mail is sent to find that out', async () => {
	expect(await examineMail({ login: { user: 'website', pass: 'right' } }, 'website:right@')).toMatchObject({ outcome: 'ok' });
});

test('a mail server that does not know our password is a fault', async () => {
	const finding = await examineMail({ login: { user: 'website', pass: 'right' } }, 'website:wrong@');
	expect(finding).toMatchObject({ outcome: 'fault', found: expect.stringMatching(/^SMTP 535/) });
});

test('a mail server whose certificate is not trusted is a fault', async () => {
	expect(await examineMail({ certificate: await localCertificate(), secure: true })).toMatchObject({ outcome: 'fault' });
});
