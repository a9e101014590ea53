import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { localCertificate } from '../support/certificate.ts';
import { startDns, type Zone } from '../support/dns-server.ts';
import { runDoctor } from '../support/doctor-command.ts';
import { NOBODY } from '../support/listening.ts';
import { type SmtpServerOptions, startSmtpServer } from '../support/smtp-server.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const published = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const settings = {
	LEAD_EMAIL_DKIM_DOMAIN: 'website.test',
	LEAD_EMAIL_DKIM_SELECTOR: 'leads',
	LEAD_EMAIL_DKIM_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};
const wellKept: Zone = {
	'website.test': { txt: ['some-verification=1', 'v=spf1 include:mail.example -all'], mx: ['mx.website.test'] },
	'leads._domainkey.website.test': { txt: [`v=DKIM1; k=rsa; p=${published}`] },
	'_dmarc.website.test': { txt: ['v=DMARC1; p=quarantine'] },
};

/** Returns the doctor's findings about mail, by check. Nothing answers at the origin. */
async function examineMail(zone: Zone, smtp: SmtpServerOptions = {}, env: Record<string, string> = {}, login = '') {
	await using dns = await startDns(zone);
	await using server = await startSmtpServer(smtp);
	const SMTP_URL = server.url.replace('//', `//${login}`);
	const mail = { ...server.settings, SMTP_URL, ...settings, ...env };
	const { findings } = await runDoctor([`http://${NOBODY}`, '--dns', dns.address], mail);
	expect(server.offered).toEqual([]);
	const ofMail = findings.filter(({ check }) => check.startsWith('mail: '));
	return Object.fromEntries(ofMail.map(({ check, outcome, found, advice = '' }) => [check.slice(6), { outcome, found, advice }]));
}

test('a domain that is well kept is all right, and no mail is sent to find that out', async () => {
	expect(await examineMail(wellKept)).toMatchObject({
		SPF: { outcome: 'ok', found: 'v=spf1 include:mail.example -all' },
		DKIM: { outcome: 'ok', found: 'leads._domainkey.website.test has our key' },
		DMARC: { outcome: 'ok' },
		recipients: { outcome: 'ok', found: 'website.test' },
		server: { outcome: 'ok' },
	});
});

describe('found, and named with what to do, is', () => {
	test('a mail server that does not know our password', async () => {
		const login = { user: 'website', pass: 'right' };
		const said = await examineMail(wellKept, { login }, {}, 'website:wrong@');
		expect(said['server']).toMatchObject({ outcome: 'fault', found: expect.stringMatching(/^SMTP 535/) });
	});

	test('a mail server whose certificate is not trusted', async () => {
		const certificate = await localCertificate();
		const said = await examineMail(wellKept, { certificate, secure: true });
		expect(said['server']).toMatchObject({ outcome: 'fault' });
	});
});
