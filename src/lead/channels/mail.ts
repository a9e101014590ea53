import type { SendMailOptions } from 'nodemailer';
import type { Message } from '../delivery/message.ts';
import { mailHtml } from './mail-html.ts';

/** Who writes to whom: configuration, never a visitor's words. */
export interface MailParties {
	from: MailSender;
	to: string[];
}

export interface MailSender {
	name: string;
	address: string;
}

/**
 * The mail of a message, for nodemailer: the same one, to the byte, at each try and by each way.
 * The visitor stands in `Reply-To` only. In `From` they would break DMARC, and in the envelope they would get the bounces.
 */
export function mailOf(message: Message, { from, to }: MailParties): SendMailOptions {
	const { replyTo, event } = message;
	return {
		...mailFrom(from, message),
		to,
		replyTo: replyTo && { name: literal(replyTo.name), address: replyTo.address },
		envelope: { from: from.address, to },
		headers: {
			'Content-Language': message.language,
			// RFC 3834 section 5: nobody's absence notice is to answer.
			'Auto-Submitted': 'auto-generated',
			...(event.type === 'lead.received' ? { 'X-Lead-Id': message.id } : {}),
		},
		html: mailHtml(message),
	};
}

/** The mail that answers a visitor by itself: plain text, without their name, and nothing that would answer it by itself. */
export function mailToVisitor(
	message: Message,
	{ from, replyTo, envelopeFrom }: { from: MailSender; replyTo: string; envelopeFrom: string },
): SendMailOptions {
	const to = message.to ?? [];
	return {
		...mailFrom(from, message),
		to,
		replyTo,
		envelope: { from: envelopeFrom, to },
		// RFC 3834 section 5; the second is what Exchange goes by.
		headers: {
			'Content-Language': message.language,
			'Auto-Submitted': 'auto-replied',
			'X-Auto-Response-Suppress': 'All',
		},
	};
}

/** The mail that gives somebody their API key: plain text. Somebody of ours sends it, so nothing says that a program answers. */
export function mailToOwner(
	letter: Letter,
	{ from, to, replyTo }: { from: MailSender; to: string; replyTo: string },
): SendMailOptions {
	return { ...mailFrom(from, letter), to: [to], replyTo, envelope: { from: from.address, to: [to] } };
}

/** What all our mails are made from. */
type Letter = Pick<Message, 'id' | 'receivedAt' | 'subject' | 'text'> & { event: { type: string } };

/** What all our mails have. */
function mailFrom(from: MailSender, { id, receivedAt, subject, text, event }: Letter): SendMailOptions {
	const [what] = event.type.split('.');
	return {
		from,
		subject: literal(subject),
		date: new Date(receivedAt),
		messageId: `<${what}-${id}@${domainOf(from.address)}>`,
		text,
		// `=_` is nothing that this encoding writes (RFC 2045 section 6.7): no text can pose as the end of its part.
		textEncoding: 'quoted-printable',
		baseBoundary: `=_${id}`,
		disableFileAccess: true,
		disableUrlAccess: true,
	};
}

/** Text in which mail programs see no encoded word (RFC 2047): decoded, it could show what was stripped from the text. */
const literal = (text: string) => text.replaceAll('=?', '= ?');

export const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1);

/**
 * Whether DMARC counts a signature of the domain for mail of the sender (RFC 7489 section 3.1.1): it is the sender's domain, or above it.
 * Whether a domain above belongs to the same owner is not asked: `co.uk` passes for `clinic.co.uk`.
 */
export const signsFor = (domain: string, sender: string) => `.${domainOf(sender).toLowerCase()}`.endsWith(`.${domain}`);
