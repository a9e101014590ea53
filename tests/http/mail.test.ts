import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { lead } from '../support/post-lead.ts';
import { startServer } from '../support/server.ts';
import { startSmtpServer } from '../support/smtp-server.ts';

const privateKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' });

test('a lead goes to the sales team, signed, and a confirmation to the visitor, signed too, where the settings say so', async () => {
	await using smtp = await startSmtpServer();
	await using server = await startServer({
		...smtp.settings,
		LEAD_STORE: 'none',
		LEAD_EMAIL_DKIM_DOMAIN: 'website.test',
		LEAD_EMAIL_DKIM_SELECTOR: 'website',
		LEAD_EMAIL_DKIM_KEY: privateKey.toString(),
		LEAD_EMAIL_CONFIRM: 'on',
	});
	const body = JSON.stringify(lead);
	await fetch(`${server.url}/api/contact`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
	await smtp.received(2);
	expect(smtp.mails.map(({ from, to }) => [from, ...to])).toEqual([
		['website@website.test', 'sales@website.test'],
		['', 'ana@clinicasol.example'],
	]);
	expect(smtp.mails.map(({ raw }) => raw.includes('d=website.test'))).toEqual([true, true]);
	await server.process.printed(/Confirmed/);
	expect(server.process.output).not.toMatch(/Ana|clinicasol/);
});
