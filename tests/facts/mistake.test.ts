import { expect, test } from 'vitest';
import { nearest, suggestionFor } from '../../src/facts/mistake.ts';

test.each([
	['lsit', 'list'],
	['exp', 'export'],
	['shwo', 'show'],
	['deploy', undefined],
	['shw', 'show'],
	['xo', undefined],
	['', undefined],
])('for %s, %s is suggested', (word, meant) => {
	expect(nearest(word, ['list', 'show', 'export', 'erase', 'ar'])).toBe(meant);
});

test('where no name comes near, those that begin alike are suggested, or how the others begin', () => {
	const names = ['name', 'price.plans', 'price.setup', 'link.docs', 'link.api'];
	expect(suggestionFor('price.yearly', names)).toBe('one of price.plans, price.setup');
	expect(suggestionFor('opening', names)).toBe('one of link.…, name, price.…');
});
