import type { Message, Row } from '../message.ts';

/** The message as an HTML document: styled inline, nothing loaded from anywhere, and no link but to write or call back. */
export function mailHtml({ subject, rows, replyTo }: Message): string {
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin: 0; padding: 24px 16px; font: 16px/1.5 system-ui, 'Segoe UI', Helvetica, Arial, sans-serif">
<table style="max-width: 640px; border-collapse: collapse">
${rows.map((row) => rowHtml(row, replyTo.address)).join('\n')}
</table>
</body>
</html>
`;
}

function rowHtml(row: Row, address: string): string {
	const value = escapeHtml(row.value).replaceAll('\n', '<br>\n');
	const link = linkOf(row, address);
	return `<tr>
<th scope="row" style="padding: 6px 20px 6px 0; text-align: left; vertical-align: top; font-weight: 600">${escapeHtml(row.label)}</th>
<td dir="auto" style="padding: 6px 0; vertical-align: top">${link ? `<a href="${escapeHtml(link)}">${value}</a>` : value}</td>
</tr>`;
}

function linkOf({ name, value }: Row, address: string): string | undefined {
	if (name === 'email') return `mailto:${address.split('@').map(encodeURIComponent).join('@')}`;
	if (name === 'phone' && isGlobalNumber(value)) return `tel:+${value.replace(/\D/g, '')}`;
	return undefined;
}

/** RFC 3966 section 5.1.4: only a number with its country code means the same everywhere. In `+44 (0)20` the 0 is not dialled. */
const isGlobalNumber = (phone: string) => /^\+\d[\d ().-]{5,}$/.test(phone) && !phone.includes('(0)');

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
