import { expect, test } from 'vitest';
import { printable, shortTime, table, timeUntil } from '../../src/command/printing.ts';

const now = Date.parse('2026-11-21T09:30:00Z');

test('columns are aligned, and nothing trails', () => {
	expect(
		table(
			['Id', 'State'],
			[
				['5f0c4f0e', 'parked'],
				['1a', ''],
			],
		),
	).toBe('ID        STATE\n5f0c4f0e  parked\n1a');
});

test('control characters do not reach the terminal', () => {
	expect(printable('a\u001B[2J\u009B31m\u0007\rb\tc\r\n')).toBe('a\uFFFD[2J\uFFFD31m\uFFFD\uFFFDb\tc\r\n');
});

test.each([
	[-5, 'now'],
	[0, 'now'],
	[30, 'in 30 seconds'],
	[300, 'in 5 minutes'],
	[50_400, 'in 14 hours'],
	[259_200, 'in 3 days'],
])('a try in %d seconds is due %s', (seconds, said) => {
	expect(timeUntil(now + seconds * 1000, now)).toBe(said);
});

test('times of this year have the hour, others the year', () => {
	expect(shortTime(Date.parse('2026-03-01T08:05:59Z'), now)).toBe(' 1 Mar 08:05');
	expect(shortTime(Date.parse('2025-12-31T23:00:00Z'), now)).toBe('31 Dec 2025');
});
