/** The measurements of several contenders, in rounds that took turns. */
export interface Comparison {
	what: string;
	unit: '/s' | 'ms' | 'MB';
	/** The limit for the ratio of ours, whose name is bold: a rate has at least this, anything else at most. */
	target: number | undefined;
	/** One value for each round, by contender. The first is the yardstick. */
	values: Record<string, number[]>;
}

/** Our own contender. */
export const OURS = '**ours**';
export const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);

/** Measures each contender once a round, so that a slow minute hits all of them. Drops the first round, which warms up. */
export async function inTurns(
	measures: Record<string, () => Promise<number>>,
	rounds = ROUNDS,
): Promise<Record<string, number[]>> {
	const values: Record<string, number[]> = {};
	for (let round = 0; round <= rounds; round += 1)
		for (const [name, measure] of Object.entries(measures)) {
			const value = await measure();
			if (round === 0) values[name] = [];
			else values[name]!.push(value);
		}
	return values;
}

/** Returns a table of medians. A ratio is the median of the rounds' ratios to the yardstick. */
export const comparisonTable = (comparisons: Comparison[]): string =>
	markdownTable([['what', 'server', 'median', 'lowest', 'highest', 'ratio', 'target'], ...comparisons.flatMap(rowsOf)]);

const rowsOf = ({ what, unit, target, values }: Comparison): string[][] =>
	Object.entries(values).map(([name, rounds], index) => {
		const yardstick = Object.values(values)[0]!;
		const ratio = median(rounds.map((value, round) => value / yardstick[round]!));
		const figures = [median(rounds), Math.min(...rounds), Math.max(...rounds)];
		const isMet = unit === '/s' ? ratio >= target! : ratio <= target!;
		const verdict = `${unit === '/s' ? '≥' : '≤'} ${target?.toFixed(2)}: ${isMet ? 'met' : 'missed'}`;
		return [
			what,
			name,
			...figures.map((value) => `${Math.round(value).toLocaleString('en')} ${unit}`),
			ratio.toFixed(2),
			index === 0 ? 'yardstick' : name.startsWith('**') && target !== undefined ? verdict : '',
		];
	});

const median = (values: number[]): number => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;

/** Formats rows as a Markdown table: the first is the head. */
function markdownTable(rows: string[][]): string {
	const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
	const lines = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`);
	return lines.toSpliced(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`).join('\n');
}
