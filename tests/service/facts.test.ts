import { expect, test } from 'vitest';
import { fillFacts } from '../../src/service/facts.ts';
import { copyIn, facts, languageFor } from '../../src/service/load.ts';

test('prose takes facts by name', () => {
	expect(fillFacts('From {{price.payAsYouGo}}, see {{ link.contact }}.', facts, 'content/x.md')).toBe(
		`From ${facts['price.payAsYouGo']}, see https://www.website.test/contact.`,
	);
});

test('a fact that does not exist is named with its file and those that may be meant', () => {
	expect(() => fillFacts('{{price.yearly}}', facts, 'content/x.md')).toThrow(
		'content/x.md: found the fact price.yearly, wanted one of price.payAsYouGo, price.plans.',
	);
});

test.each([
	['en', 'en'],
	['en-GB', 'en'],
	['EN-gb', 'en'],
	['english', 'en'],
	['tlh', 'en'],
	['__proto__', 'en'],
	[undefined, 'en'],
	[7, 'en'],
])('a visitor who asks for %s is answered in %s', (asked, language) => {
	expect(languageFor(asked)).toBe(language);
	expect(copyIn(languageFor(asked)).submit).toBeTruthy();
});
