import { createTransport } from 'nodemailer';
import PostalMime, { type Email } from 'postal-mime';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { mailOf } from '../../src/channels/mail.ts';
import { leadFields } from '../../src/lead/lead.ts';
import { nameOf } from '../../src/lead/words.ts';
import { service } from '../../src/facts/load.ts';
import { type Message, messageOf } from '../../src/channels/message.ts';
import fc from '../support/fast-check.ts';
import { hostileMessage } from '../support/hostile-lead.ts';
import { unescaped } from '../support/html.ts';
import { linkSecret, messageWith, parties, receivedLead, team } from '../support/lead.ts';

const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

async function composed(message: Message): Promise<{ raw: string; read: Email }> {
	const bytes = (await composer.sendMail(mailOf(message, parties))).message as Buffer;
	return { raw: bytes.toString('latin1'), read: await PostalMime.parse(bytes) };
}

/** Returns the mail of a lead as it is received. */
async function received(...[fields]: Parameters<typeof messageWith>) {
	const { raw, read } = await composed(messageWith(fields));
	const header = (name: string) => read.headers.filter(({ key }) => key === name).map(({ value }) => value);
	return { raw, parsed: read, header, html: read.html ?? '', text: read.text ?? '' };
}

describe('The lead’s mail', () => {
	test('has the headers that programs go by', async () => {
		const { header } = await received();
		expect(header('message-id')).toEqual(['<lead-5f0c4f0e-6f6c-4d8e-9a55-0d3c7a1b2c3d@website.test>']);
		expect(header('x-entry-id')).toEqual(['5f0c4f0e-6f6c-4d8e-9a55-0d3c7a1b2c3d']);
		// SpamAssassin's rule PDS_BRAND_SUBJ_NAKED_TO has one of the five points to a spam folder.
		expect(header('to')).toEqual([parties.to.map((address) => `${service.name} <${address}>`).join(', ')]);
		// A ticket system would set it aside.
		expect(header('auto-submitted')).toEqual([]);
	});

	test.each([
		['when the lead came', '11:30:00', '09:30:00'],
		['now, if it waited for longer than two hours', '11:30:01', '11:30:01'],
	])('is dated %s', async (_, now, dated) => {
		vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(`2026-11-21T${now}Z`) });
		onTestFinished(() => void vi.useRealTimers());
		expect((await received()).header('date')).toEqual([`Sat, 21 Nov 2026 ${dated} +0000`]);
	});

	test('has the plain text first, and the same rows in HTML, where nothing is before the lines of the visitor’s message', async () => {
		const { raw, text, html } = await received({ message: 'one\n\ntwo' });
		expect(raw.indexOf('text/plain')).toBeLessThan(raw.indexOf('text/html'));
		const shown = leadFields.filter(({ name, kind }) => name in receivedLead().lead && !['consent', 'textarea'].includes(kind));
		const labels = [...shown.map((field) => nameOf(field, 'en')), 'Consent', 'Reference', 'Received'];
		expect(text.match(/^[^\s:][^:\n]*(?=:( |$))/gm)).toEqual(['Message', ...labels]);
		expect(text).toContain('Message:\n  one\n\n  two\n');
		expect([...html.matchAll(/<th[^>]*>(.+?)</g)].map(([, label]) => label)).toEqual(labels);
		expect(html).toMatch(/<div dir="ltr"[^>]*>\n<p[^>]*>one<br>\n<br>\ntwo<\/p>\n<table/);
	});

	test('begins with the offer whose price the visitor asks for, named in the team’s language', async () => {
		const { text, html } = await received({ source: '/es/contact?topic=plans&first=%2Fes', message: '' });
		expect(text).toMatch(/^Ask for a price: Plans\n\nName: /);
		expect(html).toMatch(/<div dir="ltr"[^>]*>\n<p[^>]*>Ask for a price<\/p>\n<p[^>]*>Plans<\/p>\n<table/);
		expect((await received({ source: '/contact?topic=other' })).text).toMatch(/^Message:/);
	});

	test.each([
		['+1 (555) 010-9999', 'tel:+15550109999'],
		['+44 (0)20 7946 0000', undefined],
		['600 123 456', undefined],
		['+34 600 123 456 ext. 7', undefined],
		['javascript:alert(1)', undefined],
	])('links to the visitor’s address, of the phone %j to %j, and to nothing else', async (phone, link) => {
		const { html } = await received({ phone, source: 'https://attacker.example', message: 'https://attacker.example' });
		expect(hrefs(html).slice(1)).toEqual(['mailto:ana@clinicasol.example', link].filter((href) => href !== undefined));
	});

	test('begins with a button that opens an answer, with a subject in the visitor’s language and the message as a quotation', async () => {
		const { html } = await received({ lang: 'de', message: 'Fehlen 10 % & mehr?\n\nJa' });
		const { pathname, searchParams } = new URL(hrefs(html)[0]!);
		const subject = `Ihre Nachricht an ${service.name} (7HX1-PB1X)`;
		const body = '\r\n\r\n> Fehlen 10 % & mehr?\r\n> \r\n> Ja';
		expect([pathname, Object.fromEntries(searchParams)]).toEqual(['ana@clinicasol.example', { subject, body }]);
		const without = await received({ message: '' });
		expect([...new URL(hrefs(without.html)[0]!).searchParams.keys()]).toEqual(['subject']);
	});

	test.each([
		['in ASCII', 'x', 1500],
		['in Arabic', 'م', 250],
		['of line ends', 'x\n', 180],
		['of emoji', '👩‍⚕️', 160],
	])('quotes as much of a long message %s as Windows opens', async (_, part, atLeast) => {
		const [url = ''] = hrefs((await received({ message: `${part.repeat(5000 / [...part].length - 1)}x` })).html);
		const quoted = new URL(url).searchParams.get('body')!;
		expect(url.length).toBeLessThanOrEqual(2000);
		expect([quoted.length > atLeast, quoted.at(-1)]).toEqual([true, '…']);
	});

	test('shows what the team can do as buttons in cells with a border, except for the last: a link', async () => {
		const message = messageOf(receivedLead(), { ...team, linkSecret }, { spam: { verdict: 'marked', signals: ['links'] } });
		const { read } = await composed(message);
		const buttons = [...read.html!.matchAll(/<td style="([^"]*)"><a [^>]*>([^<]*)</g)];
		const labels = ['Write an answer', 'I’ll answer this one', 'Not spam', 'Mark as spam'];
		expect(buttons.map(([, , label]) => label)).toEqual(labels);
		expect(buttons.map(([, style]) => /border: .*mso-padding-alt: /.test(style!))).toEqual([true, true, true, false]);
		expect(hrefs(read.html!)[0]).not.toContain('lead%2F');
	});

	test('writes back in quotes to an address that needs them', async () => {
		const { header, html } = await received({ email: '.abc..def.@docomo.ne.jp' });
		expect(header('reply-to')).toEqual(['Ana Ruiz <".abc..def."@docomo.ne.jp>']);
		const address = 'mailto:%22.abc..def.%22@docomo.ne.jp';
		expect(hrefs(html)).toEqual([expect.stringMatching(`^${address}\\?subject=`), address, expect.stringMatching(/^tel:/)]);
	});

	test('has no address in its header that programs decode, for example into a line end', async () => {
		const { raw, text } = await received({ email: '=?utf-8?q?=0d=0aBcc=3a?=@clinica.example' });
		expect(raw.slice(0, raw.indexOf('\r\n\r\n'))).not.toContain('clinica.example');
		expect(text).toContain('Email: =?utf-8?q?=0d=0aBcc=3a?=@clinica.example\n');
	});
});

const hrefs = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => unescaped(href!));

/** A line is folded at white space, and what poses as an encoded word is parted. */
const withoutSpace = (text: string) => text.replace(/\s/g, '');

/** Returns the structure of a mail, without its words. */
const shapeOf = ({ headers, html, attachments }: Email) => ({
	fields: headers.map(({ key }) => key).filter((key) => key !== 'reply-to'),
	tags: html?.match(/<\/?(?!(?:a|br|p|tr|th|td)\b)[a-z!][^>\s]*/gi),
	attachments,
});

test('A mail of any lead is like a harmless one: complete in its text, to no other recipient, and with links only to write or call back', async () => {
	const shape = shapeOf((await composed(messageWith())).read);
	expect(shape.tags).toContain('<table');
	await fc.assert(
		fc.asyncProperty(hostileMessage, async (message) => {
			const { raw, read } = await composed(message);
			expect(shapeOf(read)).toEqual(shape);
			// RFC 5322 section 2.1.1, and no line end that a mail server could read otherwise.
			expect(raw).toMatch(/^(?:[\t\x20-\x7e]{0,998}\r\n)*$/);
			const { text, from: sender, to, cc, bcc, replyTo = [], subject = '' } = read;
			expect(text?.trimEnd()).toBe(message.text.trimEnd());
			expect([sender?.address, to?.map(({ address }) => address)]).toEqual([parties.from.address, parties.to]);
			const { name, email: address } = message.lead!;
			const answered = address.includes('=?') ? [] : [{ address }];
			expect([cc, bcc, replyTo]).toMatchObject([undefined, undefined, answered]);
			expect(withoutSpace(replyTo[0]?.name ?? name)).toBe(withoutSpace(name));
			expect(withoutSpace(subject)).toBe(withoutSpace(message.subject));
			for (const tag of read.html?.match(/<[a-z][^>]*>/gi) ?? [])
				expect(tag).not.toMatch(/\s(?!href="(?:mailto|tel):)(?:src|href|srcset|background|poster|on\w+)\s*=|url\(|@import/i);
		}),
		{ numRuns: 500 },
	);
});
