import { setServers } from 'node:dns';
import { expect, test } from 'vitest';
import { fillWords } from '../../src/facts/language.ts';
import { wordsIn } from '../../src/facts/load.ts';
import { takesNoMail } from '../../src/outbox/mail-domain.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { startMailing } from '../support/lead-places.ts';

const internet = { 'gmail.com': { MX: 'mx.gmail.com' } } as const;

test.each([
	['an exchange', { MX: 'mx.other.example' }, false],
	['an exchange, and an address', { MX: 'mx.other.example', A: '192.0.2.1' }, false],
	['an address of version 4', { A: '192.0.2.1' }, false],
	['an address of version 6', { AAAA: '1' }, false],
	['a null MX', { MX: '' }, true],
	['a null MX, and an address', { MX: '', A: '192.0.2.1' }, true],
	['neither', {}, true],
	['no name', 'no such name', true],
	['a failure', 'failure', false],
	['no answer', 'silence', false],
] as const)('a domain with %s takes no mail: %j is %s', async (name, answer, takesNone) => {
	const domain = `${name.replaceAll(/\W/g, '-')}.example`;
	await using dns = await startDnsServer({ ...internet, [domain]: answer });
	setServers([dns.address]);
	expect(await takesNoMail(domain)).toBe(takesNone);
});

test('where nobody knows a name of the internet, nothing is said of any domain', async () => {
	await using dns = await startDnsServer({});
	setServers([dns.address]);
	expect(await takesNoMail('alone.example')).toBe(false);
	expect(dns.asked).toContain('MX gmail.com');
});

test('the sales team reads in mail and chat that a domain takes no mail, with the phone if it is known, after one lookup', async () => {
	await using dns = await startDnsServer({ ...internet, 'broken.example': 'failure' });
	setServers([dns.address]);
	await using team = await startMailing({ LEAD_WEBHOOK_FORMAT: 'mattermost' });
	const texts = () => team.smtp.mails.map(({ parsed }) => parsed.text);
	const { answer, checkAddress, meant, noMail, noMailCall } = wordsIn('en').team;
	const call = fillWords(noMailCall, { domain: 'gone.example', phone: '+34 600 123 456' });
	await team.take({ email: 'ana@gone.example', phone: '+34 600 123 456' });
	expect(texts()).toEqual([expect.stringContaining(`\n${checkAddress}: ${call}\n`)]);
	expect(team.receiver.requests[0]!.body).toContain(checkAddress);
	expect(dns.asked.filter((question) => question === 'MX gone.example')).toHaveLength(1);
	await team.take({ email: 'ana@GONE.example', phone: '' });
	expect(texts()[1]).toContain(`\n${checkAddress}: ${fillWords(noMail, { domain: 'GONE.example' })}\n`);
	await team.take({ email: 'ana@broken.example' });
	expect(texts()[2]).not.toContain(checkAddress);
	expect(team.smtp.mails.map(({ parsed }) => String(parsed.html).includes(answer))).toEqual([false, false, true]);
	await team.take({ email: 'ana@gmial.com' });
	const doubts = [fillWords(noMail, { domain: 'gmial.com' }), fillWords(meant, { email: 'ana@gmail.com' })];
	expect(texts()[3]).toContain(`\n${checkAddress}:\n  ${doubts.join('\n  ')}\n`);
});
