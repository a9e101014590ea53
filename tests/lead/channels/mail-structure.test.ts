import { createTransport } from 'nodemailer';
import PostalMime, { type Email } from 'postal-mime';
import { expect, test } from 'vitest';
import { mailOf } from '../../../src/lead/channels/mail.ts';
import fc from '../../support/fast-check.ts';
import { hostileMessage } from '../../support/hostile-lead.ts';
import { messageWith } from '../../support/lead.ts';
import type { Message } from '../../../src/lead/message/message.ts';

const from = { name: 'Our website', address: 'website@website.test' };
const parties = { from, to: ['sales@website.test', 'lead@website.test'] };
const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

async function composed(message: Message): Promise<{ raw: string; read: Email }> {
	const bytes = (await composer.sendMail(mailOf(message, parties))).message as Buffer;
	return { raw: bytes.toString('latin1'), read: await PostalMime.parse(bytes) };
}

/** Returns the structure of a mail, without its words. */
const shapeOf = ({ headers, html, attachments }: Email) => ({
	fields: headers.map(({ key }) => key).filter((key) => key !== 'reply-to'),
	tags: html?.match(/<\/?(?!(?:a|br|p|tr|th|td)\b)[a-z!][^>\s]*/gi),
	attachments,
});

test('A mail of any lead is like a harmless one: complete in its text, to nobody else, and with links only to write or call back', async () => {
	const shape = shapeOf((await composed(messageWith())).read);
	expect(shape.tags).toContain('<table');
	await fc.assert(
		fc.asyncProperty(hostileMessage, async (message) => {
			const { raw, read } = await composed(message);
			expect(shapeOf(read)).toEqual(shape);
			// RFC 5322 section 2.1.1, and no line end that a mail server could read otherwise.
			expect(raw).toMatch(/^(?:[\t\x20-\x7e]{0,998}\r\n)*$/);
			const { text, from: sender, to, cc, bcc, replyTo = [] } = read;
			expect(text?.trimEnd()).toBe(message.text.trimEnd());
			expect([sender?.address, to?.map(({ address }) => address)]).toEqual([from.address, parties.to]);
			expect([cc, bcc, replyTo.length > 1]).toEqual([undefined, undefined, false]);
			for (const tag of read.html?.match(/<[a-z][^>]*>/gi) ?? [])
				expect(tag).not.toMatch(/\s(?!href="(?:mailto|tel):)(?:src|href|srcset|background|poster|on\w+)\s*=|url\(|@import/i);
		}),
		{ numRuns: 500 },
	);
});
