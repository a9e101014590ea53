import { roughTime } from '../values/time.ts';

/**
 * Text for a terminal, which would obey control characters: escape sequences among them. They are taken out of leads as they come
 * in; this holds for whatever else may be printed.
 */
export const printable = (text: string): string => text.replaceAll(/\r(?!\n)|[^\P{Cc}\n\r\t]/gu, '\uFFFD');

/** A line that stands under a row, across all columns. */
interface Under {
	under: string;
}

/** Rows under headings, each column as wide as its widest cell, with two spaces between. */
export function table(headings: string[], rows: (string[] | Under)[]): string {
	const lines = [headings.map((heading) => heading.toUpperCase()), ...rows];
	const cells = lines.filter((line) => Array.isArray(line));
	const widths = headings.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
	const lineOf = (line: string[]) => line.map((cell, column) => cell.padEnd(widths[column]!)).join('  ');
	return lines.map((line) => (Array.isArray(line) ? lineOf(line).trimEnd() : `  ${line.under}`)).join('\n');
}

/** Labels beside values. Further lines of a value stand under the first, so that none can pose as a label. */
export function aligned(rows: { label: string; value: string }[]): string {
	const width = Math.max(...rows.map(({ label }) => label.length)) + 2;
	return rows.map(({ label, value }) => label.padEnd(width) + value.replaceAll(/\n(?!\n)/g, `\n${' '.repeat(width)}`)).join('\n');
}

/** `2026-11-21 09:30:00 UTC` */
export const dateTime = (time: number) => `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** ISO 8601, for programs; null stays null. */
export const isoTime = (time: number | null) => (time === null ? null : new Date(time).toISOString());

/** In UTC, as short as a list needs it: `21 Nov 09:30`, or `21 Nov 2025` in another year. */
export function shortTime(time: number, now: number): string {
	const date = new Date(time);
	const day = `${String(date.getUTCDate()).padStart(2)} ${months[date.getUTCMonth()]}`;
	const sameYear = date.getUTCFullYear() === new Date(now).getUTCFullYear();
	return `${day} ${sameYear ? date.toISOString().slice(11, 16) : date.getUTCFullYear()}`;
}

/** How long until then: `now`, `in 30 seconds`, `in 5 minutes`. */
export function until(time: number, now: number): string {
	const seconds = Math.round((time - now) / 1000);
	return seconds <= 0 ? 'now' : `in ${roughTime(seconds)}`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
