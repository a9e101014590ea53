/** The measurements of several contenders, in rounds that took turns. */
export interface Comparison {
	what: string;
	unit: '/s' | 'ms' | 'µs' | 'MB';
	/** The limit for the ratio of the last: a rate has at least this, anything else at most. */
	target: number | undefined;
	/** One value for each round, by contender. The first is the yardstick. */
	values: Record<string, number[]>;
}

export const OURS = 'ours';
export const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);

/** Measures each contender once a round, so that a slow minute hits all of them. Drops the first round, which warms up. */
export async function inTurns(measures: Record<string, () => Promise<number>>, rounds = ROUNDS) {
	const values: Comparison['values'] = {};
	for (let round = 0; round <= rounds; round += 1)
		for (const [name, measure] of Object.entries(measures)) (values[name] ??= []).push(await measure());
	for (const measured of Object.values(values)) measured.shift();
	return values;
}

/** Prints a table of medians. A ratio is the median of the rounds' ratios to the yardstick. */
export const printTable = (comparisons: Comparison[]) => console.table(comparisons.flatMap(rowsOf));

const rowsOf = ({ what, unit, target, values }: Comparison) =>
	Object.entries(values).map(([server, rounds], index, { length }) => {
		const yardstick = Object.values(values)[0]!;
		const ratio = median(rounds.map((value, round) => value / yardstick[round]!));
		const [middle, lowest, highest] = [median(rounds), Math.min(...rounds), Math.max(...rounds)].map(Math.round);
		const figures = { what, server, unit, median: middle, lowest, highest, ratio: Number(ratio.toFixed(2)) };
		if (target === undefined || index < length - 1) return figures;
		const isMet = unit === '/s' ? ratio >= target : ratio <= target;
		return { ...figures, goal: `${target.toFixed(2)}: ${isMet ? 'met' : 'missed'}` };
	});

const median = (values: number[]): number => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
