/** The byte order mark that stands before all rows: it tells Excel that they are UTF-8. */
export const csvHead = '\uFEFF';

/**
 * Rows as RFC 4180 has them, every cell quoted, for spreadsheets: a cell that one would take for a formula is led by `'`, which
 * they show as nothing, unless it is a number (https://owasp.org/www-community/attacks/CSV_Injection).
 */
export const csv = (rows: (string | number)[][]): string => rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

const cell = (value: string | number) =>
	typeof value === 'number' ? `"${value}"` : `"${value.replace(FORMULA, "'$&").replaceAll('"', '""')}"`;

/** Spreadsheets read the full-width signs like the others, and look past white space. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;
