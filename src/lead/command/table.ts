/** Rows under headings, each column as wide as its widest cell, with two spaces between. */
export function table(headings: string[], rows: string[][]): string {
	const lines = [headings.map((heading) => heading.toUpperCase()), ...rows];
	const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
	return lines
		.map((line) =>
			line
				.map((cell, column) => cell.padEnd(widths[column]!))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}
