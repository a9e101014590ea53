import { expect, test } from 'vitest';
import { nearest } from '../../src/facts/mistake.ts';

test.each([
	['lsit', 'list'],
	['exp', 'export'],
	['shwo', 'show'],
	['deploy', undefined],
	['', undefined],
])('for %s, %s is suggested', (word, meant) => {
	expect(nearest(word, ['list', 'show', 'export', 'erase'])).toBe(meant);
});
