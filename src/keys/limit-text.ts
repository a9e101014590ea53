import type { RateLimitPolicy } from '../lead/intake/rate-limit-policy.ts';

/** As `--limit` takes it: `200/10m`. */
export function limitText({ limit, window }: RateLimitPolicy): string {
	const [count, unit] = inLargestUnit(window);
	return `${limit}/${count}${unit[0]}`;
}

/** For people: `200 leads in 10 minutes`. */
export function limitWords({ limit, window }: RateLimitPolicy): string {
	const [count, unit] = inLargestUnit(window);
	const time = new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long', useGrouping: false }).format(count);
	return `${limit} ${limit === 1 ? 'lead' : 'leads'} in ${time}`;
}

/** The largest unit that the time is a whole number of. */
function inLargestUnit(seconds: number): [count: number, unit: string] {
	const [unit, size] = units.find(([, size]) => seconds % size === 0)!;
	return [seconds / size, unit];
}

/** With the seconds of each. A limit is for less than a month. */
const units: [string, number][] = [
	['day', 86_400],
	['hour', 3600],
	['minute', 60],
	['second', 1],
];
