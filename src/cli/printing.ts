import { roughTime } from '../lead/values.ts';

/** Replaces control characters, escape sequences among them, which a terminal would obey. Leads lose them when they come in. */
export const printable = (text: string): string => text.replaceAll(/\r(?!\n)|[^\P{Cc}\n\r\t]/gu, '\uFFFD');

/** The headings of a table, and what stands under each for a row. */
export type Columns<Row> = Record<string, (row: Row) => string | number | null | undefined>;

/**
 * Prints a table. Each column is as wide as its widest cell, with two spaces between columns.
 *
 * @param under returns a text that runs across all columns under a row, if there is any
 */
export function table<Row>(columns: Columns<Row>, rows: Row[], under?: (row: Row) => string | undefined): string {
	const cells = rows.map((row) => Object.values(columns).map((cell) => String(cell(row) ?? '')));
	const lines = [Object.keys(columns).map((heading) => heading.toUpperCase()), ...cells];
	const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
	const below = ['', ...rows.map((row) => under?.(row))].map((text) => (text ? `\n  ${text}` : ''));
	const padded = lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column]!)).join('  '));
	return padded.map((line, index) => line.trimEnd() + below[index]!).join('\n');
}

/** Prints labels beside values. Further lines of a value stand under its first, so that none can pose as a label. */
export function alignRows(rows: { label: string; value: string }[]): string {
	const width = Math.max(...rows.map(({ label }) => label.length)) + 2;
	return rows.map(({ label, value }) => label.padEnd(width) + value.replaceAll(/\n(?!\n)/g, `\n${' '.repeat(width)}`)).join('\n');
}

/** `1 lead`, `2 leads` */
export const counted = (count: number, one: string, more = `${one}s`) => `${count} ${count === 1 ? one : more}`;

/** ISO 8601, for programs. */
export const isoTime = (time: number) => new Date(time).toISOString();

/** `2026-11-21 09:30:00 UTC` */
export const dateTime = (time: number | string) => `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** A time in UTC, short enough for a list: `21 Nov 09:30`, or `21 Nov 2025` in another year. */
export function shortTime(time: number | string): string {
	const [, day, month, year, clock] = new Date(time).toUTCString().split(' ');
	return `${day} ${month} ${year === String(new Date().getUTCFullYear()) ? clock!.slice(0, 5) : year}`;
}

/** Prints the time left until then: `now`, `in 30 seconds`, `in 5 minutes`. */
export function timeUntil(time: string): string {
	const seconds = Math.round((Date.parse(time) - Date.now()) / 1000);
	return seconds <= 0 ? 'now' : `in ${roughTime(seconds)}`;
}
