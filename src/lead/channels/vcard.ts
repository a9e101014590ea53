import type { Lead } from '../lead.ts';

/**
 * Returns the visitor as a contact for address books. In vCard 3.0 (RFC 2426): every mail program and phone reads that, and
 * Outlook reads no 4.0. It leaves out the message, which may hold a patient's data: address books are shared.
 */
export function vCardOf(id: string, { name, clinic, email, phone, country }: Lead): string {
	const lines = [
		'BEGIN:VCARD',
		'VERSION:3.0',
		// Address books update the contact when a person opens the card again.
		`UID:urn:uuid:${id}`,
		`FN:${escaped(name)}`,
		// Nobody can tell which part is the family name.
		`N:;${escaped(name)};;;`,
		`ORG:${escaped(clinic)}`,
		`EMAIL;TYPE=INTERNET:${escaped(email)}`,
		phone && `TEL;TYPE=WORK:${escaped(phone)}`,
		country && `ADR;TYPE=WORK:;;;;;;${escaped(country)}`,
		'END:VCARD',
	];
	return lines.map((line) => line && folded(line)).join('');
}

/** RFC 2426 section 4. The fields have one line each, and nothing in them may begin another. A stored lead may lack any field. */
const escaped = (text = '') => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replace(/[\\,;]/g, '\\$&');

/** In bytes: the longest line (RFC 2426 section 2.6). */
const LINE = 75;

/** Folds a line between characters: some programs unfold bytes, and others text. */
function folded(line: string): string {
	let [text, length] = ['', 0];
	for (const character of line) {
		const bytes = Buffer.byteLength(character);
		if (length + bytes > LINE) [text, length] = [`${text}\r\n `, 1];
		text += character;
		length += bytes;
	}
	return `${text}\r\n`;
}
