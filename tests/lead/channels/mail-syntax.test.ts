import fc from '../../support/fast-check.ts';
import ICAL from 'ical.js';
import { createTransport } from 'nodemailer';
import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { mailOf, mailToVisitor } from '../../../src/lead/channels/mail.ts';
import { vCardOf } from '../../../src/lead/channels/vcard.ts';
import { confirmationMessage } from '../../../src/lead/message/confirmation.ts';
import { messageOf } from '../../../src/lead/message/message.ts';
import { noticeMessage } from '../../../src/lead/message/notice.ts';
import { hostileLead, hostileMessage } from '../../support/hostile-lead.ts';
import { type InternetMessage, readStrictly } from '../../support/internet-message.ts';
import { leadWith, messageWith, receivedLead } from '../../support/lead.ts';

const from = { name: 'Our website', address: 'website@website.test' };
const parties = { from, to: ['sales@website.test', 'lead@website.test'] };
const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

async function bytesOf(mail: ReturnType<typeof mailOf>): Promise<Buffer> {
	return (await composer.sendMail(mail)).message as Buffer;
}

/** Returns the structure of a mail, without its words. */
const shapeOf = ({ fields, parts }: InternetMessage) => ({
	fields: fields.map(({ name }) => name).filter((name) => name !== 'Reply-To'),
	parts: parts.map(({ type }) => type),
	tags: parts[1]?.content.match(/<\/?(?!(?:a|br|p|tr|th|td)\b)[a-z!][^>\s]*/gi),
});

/** Returns the properties of a vCard, each with its value. Checks the form of the lines, which the library forgives. */
function readCard(card: string): [name: string, value: unknown][] {
	expect(card).not.toMatch(/\r(?!\n)|(?<!\r)\n/);
	for (const line of card.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
	const [name, properties, components] = ICAL.parse(card) as [string, [string, object, string, unknown][], unknown[]];
	expect([name, components]).toEqual(['vcard', []]);
	// RFC 2426 section 4 escapes each semicolon, but the library reads `\;` in structured values only.
	return properties.map(([name, , , value]) => [name, typeof value === 'string' ? value.replaceAll('\\;', ';') : value]);
}

describe('The visitor as a contact', () => {
	const { id, lead } = receivedLead({
		name: 'Ruiz, Ana; Dr. \\n',
		clinic: `Clínica Sol ${'🦷'.repeat(40)}`,
		phone: '+34 600 123 456',
	});

	test('is attached where the settings say so, and nowhere else', async () => {
		const message = messageOf({ ...receivedLead(), lead });
		const read = async (vCard: boolean) =>
			readStrictly((await bytesOf(mailOf(message, { ...parties, vCard }))).toString('latin1'));
		expect((await read(false)).parts.map(({ type }) => type)).toEqual(['text/plain', 'text/html']);
		const { parts } = await read(true);
		expect(parts.map(({ type }) => type)).toEqual(['text/plain', 'text/html', 'text/vcard']);
		expect(readCard(parts[2]!.content)).toEqual([
			['version', '3.0'],
			['uid', `urn:uuid:${id}`],
			['fn', lead.name],
			['n', ['', lead.name, '', '', '']],
			['org', lead.clinic],
			['email', lead.email],
			['tel', lead.phone],
			['adr', ['', '', '', '', '', '', lead.country]],
		]);
		expect(await bytesOf(mailOf(message, { ...parties, vCard: true }))).toEqual(
			await bytesOf(mailOf(message, { ...parties, vCard: true })),
		);
	});

	test('has no more than the lead gives', () => {
		const names = readCard(vCardOf(id, leadWith({ phone: '', country: '' }))).map(([name]) => name);
		expect(names).toEqual(['version', 'uid', 'fn', 'n', 'org', 'email']);
	});

	test('stays one contact where a field that was stored without being cleaned has several lines', () => {
		const card = readCard(vCardOf(id, { ...lead, name: 'Ana\r\nTEL:1\nEND:VCARD' }));
		expect(card.map(([name]) => name)).toEqual(['version', 'uid', 'fn', 'n', 'org', 'email', 'tel', 'adr']);
		expect(card[2]).toEqual(['fn', 'Ana TEL:1 END:VCARD']);
	});

	test('has the same properties whatever the lead holds, each with what it holds', () => {
		fc.assert(
			fc.property(hostileLead, (lead) => {
				const card = new Map(readCard(vCardOf(id, lead)));
				const { name, clinic, email, phone, country } = lead;
				const given = [...(phone ? ['tel'] : []), ...(country ? ['adr'] : [])];
				expect([...card.keys()]).toEqual(['version', 'uid', 'fn', 'n', 'org', 'email', ...given]);
				expect([card.get('fn'), card.get('org'), card.get('email')]).toEqual([name, clinic, email]);
			}),
			{ numRuns: 500 },
		);
	});
});

describe('A mail', () => {
	test.each([
		['of a lead', mailOf(messageWith(), parties)],
		[
			'of a notice',
			mailOf(
				noticeMessage({
					id: '1',
					receivedAt: '2026-11-21T09:30:00.000Z',
					channel: 'slack:hooks.slack.com',
					reason: 'HTTP 500',
					parked: false,
				}),
				parties,
			),
		],
		[
			'to a visitor',
			mailToVisitor(
				confirmationMessage({ id: '1', receivedAt: '2026-11-21T09:30:00.000Z', address: 'ana@clinica.example', language: 'en' }),
				{ from, replyTo: 'sales@website.test', envelopeFrom: '' },
			),
		],
	])('%s is as RFC 5322 and RFC 2045 want it', async (_, mail) => {
		const { fields } = readStrictly((await bytesOf(mail)).toString('latin1'));
		expect(fields.map(({ name }) => name)).toContain('Auto-Submitted');
	});

	test('of any lead is like a harmless one: complete in its text, to nobody else, and with links only to write or call back', async () => {
		const shape = shapeOf(readStrictly((await bytesOf(mailOf(messageWith(), parties))).toString('latin1')));
		await fc.assert(
			fc.asyncProperty(hostileMessage, async (message) => {
				const bytes = await bytesOf(mailOf(message, parties));
				const read = readStrictly(bytes.toString('latin1'));
				expect(shapeOf(read)).toEqual(shape);
				const { text, from: sender, to, cc, bcc, replyTo = [] } = await PostalMime.parse(bytes);
				expect(text?.trimEnd()).toBe(message.text.trimEnd());
				expect([sender?.address, to?.map(({ address }) => address)]).toEqual([from.address, parties.to]);
				expect([cc, bcc, replyTo.length > 1]).toEqual([undefined, undefined, false]);
				for (const tag of read.parts[1]!.content.match(/<[a-z][^>]*>/gi) ?? [])
					expect(tag).not.toMatch(/\s(?!href="(?:mailto|tel):)(?:src|href|srcset|background|poster|on\w+)\s*=|url\(|@import/i);
			}),
			{ numRuns: 500 },
		);
	});
});
