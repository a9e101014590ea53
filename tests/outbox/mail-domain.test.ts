import { createSocket } from 'node:dgram';
import { setServers } from 'node:dns';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { fillWords } from '../../src/facts/language.ts';
import { wordsIn } from '../../src/facts/load.ts';
import { takesNoMail } from '../../src/outbox/mail-domain.ts';
import { startMailing } from '../support/lead-places.ts';

/** The data of a record, by its type. `MX`: the exchange, `''` for none. */
type Records = Partial<Record<keyof typeof numbers, string>>;
/** A domain's records, a response code, or no answer at all. */
type Answer = Records | 'no such name' | 'failure' | 'silence';

const numbers = { A: 1, MX: 15, AAAA: 28 };
const codes = { 'no such name': 3, failure: 2 };

/** Starts a DNS server that knows these domains, and no other, and asks it from now on. */
async function startDnsServer(domains: Record<string, Answer>) {
	const socket = createSocket('udp4');
	/** Such as `MX clinicasol.example`. */
	const asked: string[] = [];
	socket.on('message', (query, { port, address }) => {
		const end = query.indexOf(0, 12);
		const domain = nameIn(query.subarray(12, end));
		const types = Object.keys(numbers) as (keyof Records)[];
		const type = types.find((name) => numbers[name] === query.readUInt16BE(end + 1))!;
		asked.push(`${type} ${domain}`);
		const answer = domains[domain] ?? 'no such name';
		if (answer === 'silence') return;
		const data = typeof answer === 'object' ? answer[type] : undefined;
		const record = data === undefined ? Buffer.alloc(0) : recordOf(type, data);
		const header = Buffer.from(query.subarray(0, 12));
		// A response, with recursion (RFC 1035 section 4.1.1), without the extension that the query may have.
		header.writeUInt16BE(0x81_80 + (typeof answer === 'string' ? codes[answer] : 0), 2);
		header.writeUInt16BE(record.length > 0 ? 1 : 0, 6);
		header.writeUInt32BE(0, 8);
		socket.send(Buffer.concat([header, query.subarray(12, end + 5), record]), port, address);
	});
	await once(socket.bind(0, '127.0.0.1'), 'listening');
	setServers([`127.0.0.1:${socket.address().port}`]);
	return { asked, [Symbol.asyncDispose]: () => new Promise<void>((closed) => socket.close(closed)) };
}

/** No name here has a label whose length would be a letter or a hyphen. */
const nameIn = (labels: Buffer) =>
	labels
		.toString()
		.slice(1)
		.replaceAll(/[^\w-]/g, '.');

const labelsOf = (name: string) =>
	Buffer.concat([...name.split('.').filter(Boolean), ''].map((label) => Buffer.from([label.length, ...Buffer.from(label)])));

/** Returns a record of the name that was asked for. */
function recordOf(type: keyof Records, value: string): Buffer {
	const data = {
		A: () => Buffer.from(value.split('.').map(Number)),
		AAAA: () => Buffer.from(value.padStart(32, '0'), 'hex'),
		MX: () => Buffer.concat([Buffer.alloc(2), labelsOf(value)]),
	}[type]();
	const header = Buffer.from([0xc0, 12, 0, numbers[type], 0, 1, 0, 0, 0, 60, 0, data.length]);
	return Buffer.concat([header, data]);
}

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
