import { median } from './table.ts';

/** Several contenders at one thing, in rounds that took turns. */
export interface Comparison {
	what: string;
	unit: '/s' | 'ms' | 'MB';
	/** The name of the contender that the others are measured by. */
	yardstick: string;
	/** What our ratio should be. */
	target?: { least: number } | { most: number };
	/** By contender, a value a round. */
	values: Record<string, number[]>;
	/** What to call a contender in the table, where its name does not say it all. */
	labels?: Record<string, string>;
}

/** Ours among the contenders. */
export const OURS = '**ours**';
export const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);

/**
 * Measures each contender once a round, so that a slow minute hits all of them. What the first round gives is left out: it warms up.
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

/** Rows for a table: medians, and the median of the rounds' ratios to the yardstick. */
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
