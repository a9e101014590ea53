import { createSocket } from 'node:dgram';
import { setServers } from 'node:dns';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { fillWords } from '../../src/facts/language.ts';
import { wordsIn } from '../../src/facts/load.ts';
import { takesNoMail } from '../../src/outbox/mail-domain.ts';
import { startMailing } from '../support/lead-places.ts';

const types = { A: 1, MX: 15, AAAA: 28 };
const codes = { 'no such name': 3, failure: 2 };
/** The data of a record. An exchange has a preference, and a name: here the one that was asked for, or none (RFC 7505). */
const data = { A: [192, 0, 2, 1], AAAA: Array.from({ length: 16 }, () => 1), MX: [0, 0, 0xc0, 12], 'null MX': [0, 0, 0] };

/** A domain's records, a response code, or no answer at all. */
type Answer = readonly (keyof typeof data)[] | keyof typeof codes | 'silence';

/** Starts a DNS server that knows these domains, and no other, and asks it from now on. */
async function startDnsServer(domains: Record<string, Answer>) {
	const socket = createSocket('udp4');
	/** Such as `MX clinicasol.example`. */
	const asked: string[] = [];
	socket.on('message', (query, { port, address }) => {
		const end = query.indexOf(0, 12);
		// No name here has a label whose length would be a letter or a hyphen.
		const domain = query
			.subarray(13, end)
			.toString()
			.replaceAll(/[^\w-]/g, '.');
		const [type, number] = Object.entries(types).find(([, number]) => number === query.readUInt16BE(end + 1))!;
		asked.push(`${type} ${domain}`);
		const answer = domains[domain] ?? 'no such name';
		if (answer === 'silence') return;
		const kind = typeof answer === 'object' && answer.find((each) => each.split(' ').at(-1) === type);
		const record = kind ? [0xc0, 12, 0, number, 0, 1, 0, 0, 0, 60, 0, data[kind].length, ...data[kind]] : [];
		const header = Buffer.from(query.subarray(0, 12));
		// A response, with recursion (RFC 1035 section 4.1.1), without the extension that the query may have.
		header.writeUInt16BE(0x81_80 + (typeof answer === 'object' ? 0 : codes[answer]), 2);
		header.writeUInt16BE(record.length > 0 ? 1 : 0, 6);
		header.writeUInt32BE(0, 8);
		socket.send(Buffer.concat([header, query.subarray(12, end + 5), Buffer.from(record)]), port, address);
	});
	await once(socket.bind(0, '127.0.0.1'), 'listening');
	setServers([`127.0.0.1:${socket.address().port}`]);
	return { asked, [Symbol.asyncDispose]: () => new Promise<void>((closed) => socket.close(closed)) };
}

const internet = { 'gmail.com': ['MX'] } as const;

test.each([
	['an exchange', ['MX'], false],
	['an exchange, and an address', ['MX', 'A'], false],
	['an address of version 4', ['A'], false],
	['an address of version 6', ['AAAA'], false],
	['a null MX', ['null MX'], true],
	['a null MX, and an address', ['null MX', 'A'], true],
	['neither', [], true],
	['no name', 'no such name', true],
	['a failure', 'failure', false],
	['no answer', 'silence', false],
] as const)('a domain with %s takes no mail: %j is %s', async (name, answer, takesNone) => {
	const domain = `${name.toLowerCase().replaceAll(/\W/g, '-')}.example`;
	await using _ = await startDnsServer({ ...internet, [domain]: answer });
	expect(await takesNoMail(domain)).toBe(takesNone);
});

test('where nobody knows a name of the internet, nothing is said of any domain', async () => {
	await using dns = await startDnsServer({});
	expect(await takesNoMail('alone.example')).toBe(false);
	expect(dns.asked).toContain('MX gmail.com');
});

test('the sales team reads in mail and chat that a domain takes no mail, with the phone if it is known, after one lookup', async () => {
	await using dns = await startDnsServer({ ...internet, 'broken.example': 'failure' });
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
