import type { SendMailOptions } from 'nodemailer';
import type { Message } from '../message.ts';
import { mailHtml } from './mail-html.ts';

/** Who writes to whom: configuration, never a visitor's words. */
export interface MailParties {
	from: { name: string; address: string };
	to: string[];
}

/**
 * The mail of a message, for nodemailer: the same one, to the byte, at each try and by each way.
 * The visitor stands in `Reply-To` only. In `From` they would break DMARC, and in the envelope they would get the bounces.
 */
export function mailOf(message: Message, { from, to }: MailParties): SendMailOptions {
	const { replyTo, event } = message;
	const [subject] = event.type.split('.');
	return {
		from,
		to,
		replyTo: replyTo && isMailable(replyTo.address) ? { name: literal(replyTo.name), address: replyTo.address } : undefined,
		envelope: { from: from.address, to },
		subject: literal(message.subject),
		date: new Date(message.receivedAt),
		messageId: `<${subject}-${message.id}@${domainOf(from.address)}>`,
		headers: {
			// RFC 3834 section 5: nobody's absence notice is to answer.
			'Auto-Submitted': 'auto-generated',
			...(event.type === 'lead.received' ? { 'X-Lead-Id': message.id } : {}),
		},
		text: message.text,
		html: mailHtml(message),
		baseBoundary: message.id,
		disableFileAccess: true,
		disableUrlAccess: true,
	};
}

/** What reads as an encoded word (RFC 2047) would be shown decoded, past all that was stripped from the text. */
const literal = (text: string) => text.replaceAll('=?', '= ?');

export const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1);

/** A local part beyond ASCII needs SMTPUTF8 all the way (RFC 6531); a header that a relay may refuse is not worth the lead. */
const isMailable = (address: string) => /^[!-~]+@/.test(address);
