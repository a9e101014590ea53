import { isRightToLeft } from '../../service/direction.ts';
import type { Message } from '../delivery/message.ts';
import type { Row } from '../delivery/row.ts';
import { mailto } from './mailto.ts';

/** Not every mail program knows logical properties. */
const stylesIn = (language: string) => {
	const [start, end] = isRightToLeft(language) ? ['right', 'left'] : ['left', 'right'];
	const cell = 'border-top: 1px solid #cccccc; vertical-align: top';
	return {
		body: "margin: 0; padding: 24px 16px; font: 16px/1.5 system-ui, 'Segoe UI', Helvetica, Arial, sans-serif",
		heading: 'margin: 0 0 12px; font-size: 20px; line-height: 1.3',
		table: 'max-width: 640px; border-collapse: collapse',
		label: `padding: 8px 0; padding-${end}: 24px; text-align: ${start}; font-weight: 600; ${cell}`,
		value: `padding: 8px 0; ${cell}`,
	};
};

type Styles = ReturnType<typeof stylesIn>;

/**
 * The message as an HTML document: styled inline, nothing loaded from anywhere, and no link but to write or call back.
 * It sets no colours of text and ground, so that dark modes work.
 */
export function mailHtml({ language, subject, rows, replyTo }: Message): string {
	const styles = stylesIn(language);
	return `<!doctype html>
<html lang="${language}"${isRightToLeft(language) ? ' dir="rtl"' : ''}>
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="${styles.body}">
<h1 dir="auto" style="${styles.heading}">${escapeHtml(subject)}</h1>
<table style="${styles.table}">
${rows.map((row) => rowHtml(row, styles, replyTo?.address)).join('\n')}
</table>
</body>
</html>
`;
}

function rowHtml(row: Row, styles: Styles, address: string | undefined): string {
	const value = escapeHtml(row.value).replaceAll('\n', '<br>\n');
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
