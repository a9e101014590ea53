/** Formats rows as a table for a terminal: the first is the head, numbers are on the right. */
export function table(rows: (string | number)[][]): string {
	const cells = rows.map((row) => row.map(String));
	const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
	const lines = cells.map((row, index) =>
		row
			.map((cell, column) =>
				typeof rows.at(-1)![column] === 'number' ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
			)
			.join('  ')
			.trimEnd()
			.concat(index === 0 ? `\n${widths.map((width) => '-'.repeat(width)).join('  ')}` : ''),
	);
	return lines.join('\n');
}

/** Formats rows as a Markdown table: the first is the head. */
export function markdownTable(rows: string[][]): string {
	const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
	const lines = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`);
	return lines.toSpliced(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`).join('\n');
}

export const median = (values: number[]): number => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
