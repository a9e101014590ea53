import fc from '../../support/fast-check.ts';
import { createTransport } from 'nodemailer';
import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { mailOf, mailToVisitor } from '../../../src/lead/channels/mail.ts';
import { confirmationMessage } from '../../../src/lead/message/confirmation.ts';
import { noticeMessage } from '../../../src/lead/message/notice.ts';
import { hostileMessage } from '../../support/hostile-lead.ts';
import { type InternetMessage, readStrictly } from '../../support/internet-message.ts';
import { messageWith } from '../../support/lead.ts';

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
