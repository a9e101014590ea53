import type { SendMailOptions } from 'nodemailer';
import { answerLinks, type Message, referenceOf, sentAt } from './message.ts';
import { fillWords, isRightToLeft } from '../facts/language.ts';
import { commandOf, service, wordsIn } from '../facts/load.ts';
import { domainOf, mailto } from '../lead/email-address.ts';
import { fullNumber, inPlaces, type Link, linkRows, type Row, rowsOf, textOf } from './rows.ts';
import { type MailParties, recipientsOf } from './routes.ts';

/**
 * Returns the mail of a message, for nodemailer: the same bytes over each channel and, for two hours, at each try.
 * The visitor is in `Reply-To` only. In `From` they would break DMARC, and in the envelope they would get the bounces.
 */
export function mailOf(message: Message, parties: MailParties): SendMailOptions {
	const { lead, event, spam } = message;
	return {
		...mailFrom(parties.from, message, {
			// A lead comes from a person: ticket systems set automatic mail aside. No program shall answer a notice (RFC 3834 section 5).
			...(event.type !== 'lead.received' && { 'Auto-Submitted': 'auto-generated' }),
			...(spam?.verdict === 'marked' ? { 'X-Lead-Spam': `marked; signals=${spam.signals.join(',')}` } : {}),
		}),
		// SpamAssassin counts a bare address against a mail whose subject begins with the name in its domain.
		to: recipientsOf(lead, parties).map((address) => ({ name: service.name, address })),
		// Some programs decode an address as well: they would read another one, or the end of the line, and fail.
		replyTo: lead && !lead.email.includes('=?') ? { name: literal(lead.name), address: lead.email } : undefined,
		html: mailHtml(message),
	};
}

/** Returns the mail to send if the server refuses one for its content: it has the command that shows the visitor's words, and not the words. */
export function mailWithoutWords(message: Message, parties: MailParties): SendMailOptions {
	const { id, lead, language, actions = [] } = message;
	const { team, actions: words } = wordsIn(language);
	const reason = 'The mail server refuses the whole message for what it says.';
	const advice = rowsOf({ Reason: reason, 'To read it': `${commandOf('leads')} show ${referenceOf(id)}` });
	const rows = [...advice, ...linkRows(words.act, actions)];
	const subject = lead ? fillWords(team.lead, { who: referenceOf(id) }) : message.subject;
	return { ...mailOf({ ...message, subject, text: textOf(rows) }, parties), replyTo: undefined, html: undefined };
}

/** Returns the automatic answer to a visitor: plain text, without their name, with headers that stop automatic answers to it. */
export function mailToVisitor(message: Message, from: MailParties['from'], envelopeFrom: string): SendMailOptions {
	return {
		// Exchange reads only the second header.
		...mailFrom(from, message, { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' }),
		to: message.to!,
		replyTo: service.emails.sales,
		envelope: { from: envelopeFrom, to: message.to! },
	};
}

function mailFrom(from: MailParties['from'], message: Message, headers: Record<string, string>): SendMailOptions {
	const { id, receivedAt, language, subject, text, event } = message;
	return {
		from,
		subject: literal(subject),
		// Spam filters count an old date against a mail, and a list that is sorted by it hides what waited or was held.
		date: new Date(sentAt(receivedAt)),
		messageId: `<${event.type.split('.')[0]}-${id}@${domainOf(from.address)}>`,
		headers: { 'Content-Language': language, 'X-Entry-Id': id, ...headers },
		text,
		// This encoding never writes `=_` (RFC 2045 section 6.7), so that no text can pose as the end of its part.
		textEncoding: 'quoted-printable',
		baseBoundary: `=_${id}`,
		disableFileAccess: true,
		disableUrlAccess: true,
	};
}

/**
 * Keeps mail programs from reading an encoded word (RFC 2047): decoded, it could show characters that were stripped. Folded, a long run
 * of spaces would be a line without a character, which RFC 5322 section 3.2.2 forbids.
 */
const literal = (text: string) => text.replaceAll('=?', '= ?').replaceAll(/ +/g, ' ');

/**
 * Returns the message as an HTML document with inline styles. It loads nothing. Its links write, call back, or act on the lead.
 * It sets no colours, so that dark modes work, and no heading, because mail programs show the subject above it.
 */
function mailHtml(message: Message): string {
	const { language, subject, rows, lead } = message;
	const [first = [], main = [], last = []] = inPlaces(rows);
	// Not every mail program knows logical properties, and webmail leaves out what <html> says.
	const [dir, start, end] = isRightToLeft(language) ? ['rtl', 'right', 'left'] : ['ltr', 'left', 'right'];
	const cell = `text-align: ${start}; vertical-align: top`;
	const wraps = 'overflow-wrap: anywhere; word-break: break-word';

	const paragraph = ({ label, value, freeText }: Row) =>
		(first.length > 1 || !freeText ? `<p style="margin: 0; font-size: 13px; font-weight: 600">${escapeHtml(label)}</p>\n` : '') +
		`<p dir="auto" style="max-width: 640px; margin: 0 0 20px; font-size: 18px; ${wraps}">${linesHtml(value)}</p>\n`;

	const table = (group: Row[], size: number, padding: number) => {
		if (group.length === 0) return '';
		const items = group.map(
			(row) => `<tr>
<th scope="row" style="width: 30%; padding: ${padding}px 0; padding-${end}: 16px; font-weight: 600; ${cell}">${escapeHtml(row.label)}</th>
<td dir="auto" style="padding: ${padding}px 0; ${wraps}; ${cell}">${valueHtml(row, lead?.email)}</td>
</tr>`,
		);
		const style = `width: 100%; max-width: 640px; margin: 0 0 20px; border-collapse: collapse; font-size: ${size}px`;
		return `<table style="${style}">\n${items.join('\n')}\n</table>\n`;
	};

	const answer = buttonsHtml(answerLinks(message, lead?.message));

	return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin: 0; padding: 20px 16px; font: 16px/1.5 system-ui, 'Segoe UI', Helvetica, Arial, sans-serif">
<div dir="${dir}" style="text-align: start">
${first.map(paragraph).join('')}${answer}${table(main, 16, 5)}${table(last, 13, 2)}</div>
</body>
</html>
`;
}

/** Returns links as buttons, which a thumb hits. The last of several weighs less. Outlook for Windows pads cells alone, by a property of its own. */
const buttonsHtml = (links: Link[]): string =>
	links
		.map(({ label, url }, index) => {
			const isPlain = index > 0 && index === links.length - 1;
			const cell = isPlain ? '' : 'border: 1px solid; border-radius: 8px; mso-padding-alt: 6px 16px';
			const link = anchor(url, label, ` style="display: inline-block; padding: 6px ${isPlain ? 0 : 16}px"`);
			const table = '<table role="presentation" cellspacing="0" style="margin: 0 0 8px; border-collapse: separate">';
			return `${table}<tr><td style="${cell}">${link}</td></tr></table>\n`;
		})
		.join('');

/** Returns a value in HTML: its links, or a link by which people can write or call. @param address of the person to answer */
function valueHtml({ name, value, links }: Row, address: string | undefined): string {
	if (links) return buttonsHtml(links);
	if (name === 'email' && address) return anchor(mailto(address), value);
	// In `+44 (0)20` the 0 is not dialled.
	const isCallable = name === 'phone' && fullNumber.test(value) && !value.includes('(0)');
	return isCallable ? anchor(`tel:+${value.replace(/\D/g, '')}`, value) : linesHtml(value);
}

const anchor = (url: string, text: string, style = '') => `<a${style} href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;

const linesHtml = (text: string) => escapeHtml(text).replaceAll('\n', '<br>\n');

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
