import type { SendMailOptions } from 'nodemailer';
import type { Message } from '../message/message.ts';
import { isRightToLeft } from '../../facts/language.ts';
import { domainOf, mailto } from '../email-address.ts';
import { inPlaces, type Row } from '../message/field-rows.ts';
import { type MailRoute, routeOf } from './routes.ts';

/** Sender and recipients: from the settings, never from a visitor. */
export interface MailParties {
	from: MailSender;
	to: string[];
	/** Other recipients of certain leads. */
	routes?: MailRoute[] | undefined;
}

export interface MailSender {
	name: string;
	address: string;
}

/**
 * Returns the mail of a message, for nodemailer: the same bytes at each try and over each channel.
 * The visitor stands in `Reply-To` only. In `From` they would break DMARC, and in the envelope they would get the bounces.
 */
export function mailOf(message: Message, { from, to: team, routes = [] }: MailParties): SendMailOptions {
	const { id, replyTo, lead, event, spam } = message;
	const to = (lead && routeOf(lead, routes)?.to) ?? team;
	return {
		...mailFrom(from, message),
		to,
		replyTo: replyTo && { name: literal(replyTo.name), address: replyTo.address },
		envelope: { from: from.address, to },
		headers: {
			'Content-Language': message.language,
			// RFC 3834 section 5: no absence notice must answer it.
			'Auto-Submitted': 'auto-generated',
			...(event.type === 'lead.received' ? { 'X-Lead-Id': id } : {}),
			...(spam?.verdict === 'marked' ? { 'X-Lead-Spam': `marked; signals=${spam.signals.join(',')}` } : {}),
		},
		html: mailHtml(message),
	};
}

/** Returns the automatic answer to a visitor: plain text, without their name, with headers that stop automatic answers to it. */
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
		// RFC 3834 section 5. Exchange reads the last header.
		headers: {
			'Content-Language': message.language,
			'Auto-Submitted': 'auto-replied',
			'X-Auto-Response-Suppress': 'All',
		},
	};
}

/** The part that every mail has. */
function mailFrom(from: MailSender, { id, receivedAt, subject, text, event }: Message): SendMailOptions {
	const [what] = event.type.split('.');
	return {
		from,
		subject: literal(subject),
		date: new Date(receivedAt),
		messageId: `<${what}-${id}@${domainOf(from.address)}>`,
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

/** Not every mail program knows logical properties. */
const stylesIn = (language: string) => {
	const [start, end] = isRightToLeft(language) ? ['right', 'left'] : ['left', 'right'];
	const cell = `text-align: ${start}; vertical-align: top`;
	const wraps = 'overflow-wrap: anywhere; word-break: break-word';
	const tableOf = (size: number, padding: number) => ({
		table: `width: 100%; max-width: 640px; margin: 0 0 20px; border-collapse: collapse; font-size: ${size}px`,
		label: `width: 30%; padding: ${padding}px 0; padding-${end}: 16px; font-weight: 600; ${cell}`,
		value: `padding: ${padding}px 0; ${wraps}; ${cell}`,
	});
	return {
		body: "margin: 0; padding: 20px 16px; font: 16px/1.5 system-ui, 'Segoe UI', Helvetica, Arial, sans-serif",
		label: 'margin: 0; font-size: 13px; font-weight: 600',
		text: `max-width: 640px; margin: 0 0 20px; font-size: 18px; ${wraps}`,
		table: tableOf(16, 5),
		smallPrint: tableOf(13, 2),
	};
};

type TableStyles = ReturnType<typeof stylesIn>['table'];

/**
 * Returns the message as an HTML document: with inline styles, nothing loaded, and only links to write or call back.
 * It sets no colours, so that dark modes work, and no heading, because mail programs show the subject above it.
 */
function mailHtml({ language, subject, rows, replyTo }: Message): string {
	const styles = stylesIn(language);
	const [first = [], main = [], last = []] = inPlaces(rows);
	const labelOf = ({ label }: Row) => (first.length > 1 ? `<p style="${styles.label}">${escapeHtml(label)}</p>\n` : '');
	return `<!doctype html>
<html lang="${language}"${isRightToLeft(language) ? ' dir="rtl"' : ''}>
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="${styles.body}">
${first.map((row) => `${labelOf(row)}<p dir="auto" style="${styles.text}">${linesHtml(row.value)}</p>\n`).join('')}\
${tableHtml(main, styles.table, replyTo?.address)}\
${tableHtml(last, styles.smallPrint)}\
</body>
</html>
`;
}

function tableHtml(rows: Row[], styles: TableStyles, address?: string): string {
	if (rows.length === 0) return '';
	return `<table style="${styles.table}">
${rows.map((row) => rowHtml(row, styles, address)).join('\n')}
</table>
`;
}

const linesHtml = (text: string) => escapeHtml(text).replaceAll('\n', '<br>\n');

function rowHtml(row: Row, styles: TableStyles, address: string | undefined): string {
	const value = linesHtml(row.value);
	const link = linkOf(row, address);
	return `<tr>
<th scope="row" style="${styles.label}">${escapeHtml(row.label)}</th>
<td dir="auto" style="${styles.value}">${link ? `<a href="${escapeHtml(link)}">${value}</a>` : value}</td>
</tr>`;
}

function linkOf({ name, value }: Row, address: string | undefined): string | undefined {
	if (name === 'email' && address) return mailto(address);
	if (name === 'phone' && isGlobalNumber(value)) return `tel:+${value.replace(/\D/g, '')}`;
	return undefined;
}

/** RFC 3966 section 5.1.4: only a number with its country code means the same everywhere. In `+44 (0)20` the 0 is not dialled. */
const isGlobalNumber = (phone: string) => /^\+\d[\d ().-]{5,}$/.test(phone) && !phone.includes('(0)');

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
