import { fillWords } from '../../facts/language.ts';
import { wordsIn } from '../../facts/load.ts';
import type { Message } from '../message/message.ts';
import { cutPoints } from '../message/truncate.ts';
import { textOf } from '../message/field-rows.ts';

/** Where a person finds a whole lead that chat shows in part. */
export type FullText = 'mail' | 'store' | undefined;

/**
 * Returns the body that a chat service gets for a message. If the service does not take all of it, cuts the longest value, then
 * the next one if that is not enough.
 *
 * @param body makes the body of a message
 * @param fits whether a body keeps the service's published limits
 */
export function fitBody<Body>(
	message: Message,
	fullText: FullText,
	body: (message: Message) => Body,
	fits: (body: Body) => boolean,
): Body {
	const whole = body(message);
	if (fits(whole)) return whole;
	const longest = message.rows.reduce((a, b) => (b.value.length > a.value.length ? b : a));
	const { team } = wordsIn(message.language);
	const ending = `… (${team.shortened}${whereOf(message, fullText, '; ')})`;
	const shortened = (end: number) => withValue(message, longest.name, `${longest.value.slice(0, end)}${ending}`);
	const cutTo = (end: number) => body(shortened(end));
	if (longest.value.length > ending.length && !fits(cutTo(0))) return fitBody(shortened(0), fullText, body, fits);

	const positions = cutPoints(longest.value);
	let [kept, tooMuch] = [0, positions.length - 1];
	while (tooMuch - kept > 1) {
		const middle = (kept + tooMuch) >> 1;
		if (fits(cutTo(positions[middle]!))) kept = middle;
		else tooMuch = middle;
	}
	return cutTo(positions[kept]!);
}

/** Returns the message without the rows that are for mail only. */
export function chatMessage(message: Message): Message {
	const rows = message.rows.filter(({ inChat = true }) => inChat);
	return rows.length < message.rows.length ? { ...message, rows, text: textOf(rows) } : message;
}

/** Returns the message without the visitor's free text, which may hold a patient's data (`LEAD_CHAT_MESSAGE=off`). */
export function withoutFreeText(message: Message, fullText: FullText): Message {
	const value = `${wordsIn(message.language).team.notShown}${whereOf(message, fullText, ': ')}`;
	return message.rows.filter(({ freeText }) => freeText).reduce((hidden, { name }) => withValue(hidden, name, value), message);
}

/** Writes `&`, `<` and `>` as entities. */
export const withEntities = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function withValue(message: Message, name: string, value: string): Message {
	const rows = message.rows.map((row) => (row.name === name ? { ...row, value } : row));
	return { ...message, rows, text: textOf(rows) };
}

function whereOf({ id, language, event }: Message, fullText: FullText, introduction: string): string {
	if (fullText === undefined || event.type !== 'lead.received') return '';
	const { inMail, byCommand } = wordsIn(language).team;
	return introduction + (fullText === 'mail' ? inMail : fillWords(byCommand, { command: `npm run leads -- show ${id}` }));
}
