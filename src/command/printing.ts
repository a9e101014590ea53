import { roughTime } from '../values/time.ts';

/**
 * Replaces control characters, escape sequences among them, which a terminal would obey. Leads lose them when they come in; this
 * covers all other text.
 */
export const printable = (text: string): string => text.replaceAll(/\r(?!\n)|[^\P{Cc}\n\r\t]/gu, '\uFFFD');

/**
 * Prints rows under headings. Each column is as wide as its widest cell, with two spaces between columns. The text `under` a row
 * runs across all columns.
 */
export function table(headings: string[], rows: (string[] | { under: string })[]): string {
	const lines = [headings.map((heading) => heading.toUpperCase()), ...rows];
	const cells = lines.filter((line) => Array.isArray(line));
	const widths = headings.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
	const lineOf = (line: string[]) => line.map((cell, column) => cell.padEnd(widths[column]!)).join('  ');
	return lines.map((line) => (Array.isArray(line) ? lineOf(line).trimEnd() : `  ${line.under}`)).join('\n');
}

/** Prints labels beside values. Further lines of a value stand under its first, so that none can pose as a label. */
export function alignRows(rows: { label: string; value: string }[]): string {
	const width = Math.max(...rows.map(({ label }) => label.length)) + 2;
	return rows.map(({ label, value }) => label.padEnd(width) + value.replaceAll(/\n(?!\n)/g, `\n${' '.repeat(width)}`)).join('\n');
}

/** `2026-11-21 09:30:00 UTC` */
export const dateTime = (time: number) => `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** ISO 8601, for programs; null stays null. */
export const isoTime = (time: number | null) => (time === null ? null : new Date(time).toISOString());

/** Prints a time in UTC, short enough for a list: `21 Nov 09:30`, or `21 Nov 2025` in another year. */
export function shortTime(time: number, now: number): string {
	const date = new Date(time);
	const day = `${String(date.getUTCDate()).padStart(2)} ${months[date.getUTCMonth()]}`;
	const sameYear = date.getUTCFullYear() === new Date(now).getUTCFullYear();
	return `${day} ${sameYear ? date.toISOString().slice(11, 16) : date.getUTCFullYear()}`;
}

/** Prints the time left until then: `now`, `in 30 seconds`, `in 5 minutes`. */
export function timeUntil(time: number, now: number): string {
	const seconds = Math.round((time - now) / 1000);
	return seconds <= 0 ? 'now' : `in ${roughTime(seconds)}`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
