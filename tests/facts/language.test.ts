import { expect, test } from 'vitest';
import { countText, fillParts, fillWords, lookupAmong } from '../../src/facts/language.ts';
import { languageFor, languages } from '../../src/facts/load.ts';

const ours = ['en', 'de', 'pt-BR', 'zh', 'zh-Hant'];

test.each<[unknown[], string | undefined]>([
	[['de'], 'de'],
	[['de-AT'], 'de'],
	[['zh-Hant-TW'], 'zh-Hant'],
	[['zh-TW'], 'zh'],
	[['pt-br'], 'pt-BR'],
	// A match of less would be a guess, not a lookup.
	[['pt'], undefined],
	[['de_AT'], undefined],
	[['fr', 'de-CH'], 'de'],
	[['*'], undefined],
	[[], undefined],
	[[undefined, null, 7, ['de'], { lang: 'de' }], undefined],
])('A request for %j gets %s', (asked, found) => {
	expect(lookupAmong(ours, asked)).toBe(found);
});

test('A request for none of our languages gets the first', () => {
	expect(languageFor(undefined, 'x-nothing', '*')).toBe(languages[0]);
});

test('Words take a value at each of its places, as it is, and keep a name without a value', () => {
	expect(fillWords('{a}, {b} or {a}: {c}.', { a: '$& {b}', b: '1' })).toBe('$& {b}, 1 or $& {b}: {c}.');
	expect(countText({ other: '{count} of {count}' }, 1234, 'de')).toBe('1.234 of 1.234');
	expect(fillParts('Write to {email}, or call. {email}', () => 7)).toEqual(['Write to ', 7, ', or call. ', 7, '']);
});
