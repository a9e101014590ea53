import { expect, test } from 'vitest';
import { lookupAmong } from '../../src/facts/language-lookup.ts';
import { languageFor, languages } from '../../src/facts/load.ts';

const ours = ['en', 'de', 'pt-BR', 'zh', 'zh-Hant'];

test.each<[string[], string | undefined]>([
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
