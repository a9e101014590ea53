import { expect, test } from 'vitest';
import { campaignNames } from '../../src/lead/campaign.ts';
import { completeSource, sourceGroup, sourceText } from '../../src/lead/source.ts';

const visited = '/contact?topic=plans&first=%2Fde&from=google.com&utm_source=google&utm_medium=cpc&utm_campaign=spring%202';

test.each([
	['/contact', '/contact', '/contact'],
	['/contact?topic=plans&first=%2F', '/contact?topic=plans', '/contact?topic=plans, first page /'],
	[visited, 'spring 2', '/contact?topic=plans, came from google.com, campaign google / cpc / spring 2, first page /de'],
	['/contact?utm_source=news', 'news', '/contact, campaign news'],
	['/contact?utm_campaign=%0Da%1B%5B31m%00%E2%80%AE%0Ab%E2%80%A8c&topic=%0B', 'a[31m b c', '/contact?topic=, campaign a[31m b c'],
	['/contact?gclid=abc', '/contact', '/contact, campaign abc'],
	['spring?utm_campaign=x', 'spring?utm_campaign=x', 'spring?utm_campaign=x'],
])('a lead from %s counts as one from %s, and is told of as from %s', (source, group, text) => {
	expect([sourceGroup(source), sourceText(source, 'en')]).toEqual([group, text]);
});

test('what the address of the form says completes its source, replaces nothing, and is left out where it does not fit', () => {
	const address = new URLSearchParams('utm_campaign=spring&msclkid=&topic=plans&other=1');
	address.set('gclid', 'x'.repeat(470));
	const complete = (source: string) => completeSource(source, address, ['topic', ...campaignNames]);
	expect(complete('/contact')).toBe('/contact?topic=plans&utm_campaign=spring');
	expect(complete('/contact?utm_campaign=winter')).toBe('/contact?utm_campaign=winter&topic=plans');
	address.set('gclid', 'x'.repeat(500 - '/contact?topic=plans&utm_campaign=spring&gclid='.length - 1));
	expect(complete('/contact')).toMatch(/&gclid=x+$/);
	// All behind so many characters counts as absent: each parameter of a robot takes time.
	const [last, beyond] = [5000, 5001].map((length) => complete(`/?${'a'.repeat(length - '/?&b'.length)}&b`));
	expect([last, beyond].map((source) => source!.includes('b='))).toEqual([true, false]);
});
