import { describe, expect, test } from 'vitest';
import { readSettings } from '../../../src/server/settings/settings.ts';
import { waitAfter } from '../../../src/lead/delivery/retry-schedule.ts';

const DAY = 24 * 3600;
const { schedule } = readSettings({});
/** In seconds. */
const secondsAfter = (tries: number, retryAfter?: number, waits = schedule) => waitAfter(waits, tries, retryAfter)! / 1000;

describe('the next try', () => {
	test.each(schedule.map((wait, index) => [index + 1, wait]))('after failure %i comes about %i s later', (tries, wait) => {
		const waits = Array.from({ length: 200 }, () => secondsAfter(tries));
		expect(Math.min(...waits)).toBeGreaterThanOrEqual(wait * 0.8);
		expect(Math.max(...waits)).toBeLessThanOrEqual(wait * 1.2);
		expect(new Set(waits).size).toBeGreaterThan(1);
	});

	test('does not come after the last wait, which by default is over in about three days', () => {
		expect(waitAfter(schedule, schedule.length + 1)).toBeUndefined();
		expect(schedule.reduce((sum, wait) => sum + wait, 0) / DAY).toBeCloseTo(3.15, 1);
	});

	test('never comes sooner than the receiver asked', () => {
		expect(secondsAfter(1, 90)).toBe(90);
		expect(secondsAfter(1, 0, [100])).toBeGreaterThanOrEqual(80);
	});

	test.each([1e9, 1e300, Infinity])('comes within a day where a receiver asks for %d seconds', (retryAfter) => {
		expect(secondsAfter(1, retryAfter)).toBe(DAY);
	});
});
