import { fillWords } from '../facts/language.ts';
import { wordsIn } from '../facts/load.ts';
import type { Message } from './message.ts';
import { cutPoints, type Row, textOf } from './rows.ts';

/** Where a person finds a whole lead that chat shows in part. */
export type FullText = 'mail' | 'store' | undefined;

/**
 * Returns a message as it is written for chat. If it does not fit, cuts the longest value, then the next one if that is not enough.
 *
 * @param write also tells whether what it writes keeps the service's limits
 */
export function fitted<Written extends { fits: boolean }>(
	message: Message,
	fullText: FullText,
	write: (message: Message) => Written,
): Written {
	const whole = write(message);
	if (whole.fits) return whole;
	const longest = message.rows.reduce((a, b) => (b.value.length > a.value.length ? b : a));
	const ending = `… (${wordsIn(message.language).team.shortened}${whereOf(message, fullText, '; ')})`;
	const cutTo = (end: number) =>
		withValues(message, ({ name, value }) => (name === longest.name ? `${value.slice(0, end)}${ending}` : value));
	const nothing = cutTo(0);
	if (longest.value.length > ending.length && !write(nothing).fits) return fitted(nothing, fullText, write);

	const positions = cutPoints(longest.value);
	let [kept, tooMuch] = [0, positions.length - 1];
	while (tooMuch - kept > 1) {
		const middle = (kept + tooMuch) >> 1;
		if (write(cutTo(positions[middle]!)).fits) kept = middle;
		else tooMuch = middle;
	}
	return write(cutTo(positions[kept]!));
}

/** Returns the message without the rows that are for mail only. */
export const shownInChat = (message: Message): Message =>
	withRows(
		message,
		message.rows.filter(({ inChat = true }) => inChat),
	);

/** Returns the message without the visitor's free text, which may hold a patient's data (`LEAD_CHAT_MESSAGE=off`). */
export function withoutFreeText(message: Message, fullText: FullText): Message {
	const notShown = `${wordsIn(message.language).team.notShown}${whereOf(message, fullText, ': ')}`;
	return withValues(message, ({ freeText, value }) => (freeText ? notShown : value));
}

/** Returns the message with its subject and all values escaped. */
export const escaped = (message: Message, escape: (text: string) => string): Message => ({
	...withValues(message, ({ value }) => escape(value)),
	subject: escape(message.subject),
});

const withValues = (message: Message, valueOf: (row: Row) => string) =>
	withRows(
		message,
		message.rows.map((row) => ({ ...row, value: valueOf(row) })),
	);

const withRows = (message: Message, rows: Row[]): Message => ({ ...message, rows, text: textOf(rows) });

function whereOf({ id, language, event }: Message, fullText: FullText, introduction: string): string {
	if (fullText === undefined || event.type !== 'lead.received') return '';
	const { inMail, byCommand } = wordsIn(language).team;
	return introduction + (fullText === 'mail' ? inMail : fillWords(byCommand, { command: `npm run leads -- show ${id}` }));
}
