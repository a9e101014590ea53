import { median } from './table.ts';

/** The measurements of several contenders, in rounds that took turns. */
export interface Comparison {
	what: string;
	unit: '/s' | 'ms' | 'MB';
	/** The contender to compare the others with. */
	yardstick: string;
	/** The limit for our ratio. */
	target?: { least: number } | { most: number };
	/** One value for each round, by contender. */
	values: Record<string, number[]>;
	/** Longer names of contenders for the table. */
	labels?: Record<string, string>;
}

/** Our own contender. */
export const OURS = '**ours**';
export const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);

/**
 * Measures each contender once a round, so that a slow minute hits all of them. Drops the first round, which warms up.
 */
export async function inTurns<Name extends string>(
	measures: Record<Name, () => Promise<number>>,
	rounds = ROUNDS,
): Promise<Record<Name, number[]>> {
	const names = Object.keys(measures) as Name[];
	const values = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
	for (let round = 0; round <= rounds; round += 1)
		for (const name of names) {
			const value = await measures[name]();
			if (round > 0) values[name].push(value);
		}
	return values;
}

/** The columns of a table of medians. `ratio` is the median of the rounds' ratios to the yardstick. */
export const comparisonHead = ['what', 'server', 'median', 'lowest', 'highest', 'ratio', 'target'];

export function comparisonRows({ what, unit, yardstick, target, values, labels }: Comparison): string[][] {
	return Object.entries(values).map(([name, rounds]) => {
		const ratio = median(rounds.map((value, round) => value / values[yardstick]![round]!));
		const figures = [median(rounds), Math.min(...rounds), Math.max(...rounds)].map((value) => figure(value, unit));
		return [
			what,
			labels?.[name] ?? name,
			...figures,
			ratio.toFixed(2),
			name === OURS ? verdict(ratio, target) : name === yardstick ? 'yardstick' : '',
		];
	});
}

const figure = (value: number, unit: Comparison['unit']) =>
	unit === '/s' ? `${Math.round(value).toLocaleString('en')} /s` : `${Math.round(value)} ${unit}`;

function verdict(ratio: number, target: Comparison['target']): string {
	if (target === undefined) return '';
	const [wish, met] =
		'least' in target
			? [`≥ ${target.least.toFixed(2)}`, ratio >= target.least]
			: [`≤ ${target.most.toFixed(2)}`, ratio <= target.most];
	return `${wish}: ${met ? 'met' : 'missed'}`;
}
