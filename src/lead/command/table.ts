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
