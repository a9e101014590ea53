import { roughTime } from '../lead/values.ts';

/** Replaces what a terminal would obey, and leads lose when they come in: controls, which begin escape sequences, and what reverses text. */
export const printable = (text: string): string =>
	text.replaceAll(/\r(?!\n)|[^\P{Cc}\n\r\t]|[\u2028-\u202E\u2066-\u2069]/gu, '\uFFFD');

/** The cells of a row, or a text that runs across all columns. An empty text is left out. */
export type TableRow = (string | number | null | undefined)[] | string;

/** Prints a table. Each column is as wide as its widest cell, with two spaces between columns. */
export function table(headings: string[], rows: TableRow[]): string {
	const textsOf = (row: TableRow) => (typeof row === 'string' ? row : row.map((cell) => String(cell ?? '')));
	const lines = [headings.map((heading) => heading.toUpperCase()), ...rows.filter((row) => row !== '').map(textsOf)];
	const cells = lines.filter((line) => typeof line !== 'string');
	const widths = headings.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
	const padded = (line: string[]) => line.map((cell, column) => cell.padEnd(widths[column]!)).join('  ');
	return lines.map((line) => (typeof line === 'string' ? `  ${line}` : padded(line).trimEnd())).join('\n');
}

/** `1 lead`, `2 leads` */
export const counted = (count: number, one: string, more = `${one}s`) => `${count} ${count === 1 ? one : more}`;

/** `2026-11-21 09:30:00 UTC` */
export const dateTime = (time: Date | number | string) => `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** A time in UTC, short enough for a list: `21 Nov 09:30`, or `21 Nov 2025` in another year. */
export function shortTime(time: Date | number): string {
	const [, day, month, year, clock] = new Date(time).toUTCString().split(' ');
	return `${day} ${month} ${year === String(new Date().getUTCFullYear()) ? clock!.slice(0, 5) : year}`;
}

/** Prints the time left until then: `now`, `in 30 seconds`, `in 5 minutes`. */
export function timeUntil(time: Date): string {
	const seconds = Math.round((time.getTime() - Date.now()) / 1000);
	return seconds <= 0 ? 'now' : `in ${roughTime(seconds)}`;
}
