import { expect, test } from 'vitest';
import { lookupAmong } from '../../src/facts/language-lookup.ts';
import { languageFor, languages } from '../../src/facts/load.ts';

const ours = ['en', 'de', 'pt-BR', 'zh', 'zh-Hant', 'sr-Latn'];

test.each<[string[], string | undefined]>([
	[['de'], 'de'],
	[['DE'], 'de'],
	[['de-AT'], 'de'],
	[['de-latn-at-1996'], 'de'],
	[['de-x-clinic'], 'de'],
	[['de-a-b-c'], 'de'],
	[['zh-Hant-TW'], 'zh-Hant'],
	[['ZH-hant'], 'zh-Hant'],
	[['zh-Hans-CN'], 'zh'],
	[['zh-TW'], 'zh'],
	[['pt-br'], 'pt-BR'],
	// A match of less would be a guess, not a lookup.
	[['pt'], undefined],
	[['sr'], undefined],
	[['den'], undefined],
	[['d'], undefined],
	[['de_AT'], undefined],
	[['fr', 'de-CH'], 'de'],
	[['fr', 'nl', 'zh', 'de'], 'zh'],
	[['*', 'de'], 'de'],
	[['*'], undefined],
	[[''], undefined],
	[[], undefined],
	[[`de${'-a'.repeat(20)}`], undefined],
])('Who asks for %j gets %s', (asked, found) => {
	expect(lookupAmong(ours)(asked)).toBe(found);
});

test('What is no text asks for no language', () => {
	expect(lookupAmong(ours)([undefined, null, 7, ['de'], { lang: 'de' }])).toBeUndefined();
});

test('Who asks for none that there is gets the first of ours', () => {
	expect(languageFor(undefined, 'x-nothing', '*')).toBe(languages[0]);
});
