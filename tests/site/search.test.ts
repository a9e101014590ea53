import { expect, test } from 'vitest';
import { loadIndex, type SearchEntry } from '../../src/site/docs/search.ts';

const load = (index: string) => loadIndex(`data:application/json,${encodeURIComponent(index)}`);
const site: SearchEntry[] = [
	{
		path: '/tea',
		title: 'Tea',
		parts: [
			{ text: 'Leaves + water.' },
			{ anchor: 'pots', heading: 'Pots', keywords: 'cups', text: 'Warm the pot first.' },
			{ anchor: 'too-hot', heading: 'too-hot', text: '95 · The water is too hot. Wait.' },
		],
	},
	{ path: '/errors', title: 'Errors', parts: [{ text: 'What goes wrong with pots and water.' }] },
];

test.each([
	['a part is found by its words, those of its heading first', 'pots', ['/tea#pots', '/errors']],
	['by other words for it', 'cups', ['/tea#pots']],
	['by a beginning, or with a letter wrong', 'leav watre', ['/tea']],
	['by one of the words, where no place has all', 'zzyzx leaves', ['/tea']],
	['by a sign that means something in a pattern', 'a/b + $', ['/tea']],
	['by nothing else', 'zzyzx', []],
])('%s', async (_, words, urls) => {
	const found = await load(JSON.stringify(site));
	expect(found(words).map(({ url }) => url)).toEqual(urls);
});

test('a result names its page, and marks what was found in its words', async () => {
	const [row] = (await load(JSON.stringify(site)))('95');
	const excerpt = ['', '95', ' · The water is too hot. Wait.'];
	expect(row).toEqual({ url: '/tea#too-hot', heading: 'too-hot', title: 'Tea', excerpt });
});
