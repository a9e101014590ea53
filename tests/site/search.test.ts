import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadIndex, type SearchEntry } from '../../src/site/docs/search.ts';

const load = (index: string) => loadIndex(`data:application/json,${encodeURIComponent(index)}`);
const find = await load(readFileSync('var/test/dist/client/docs/search.json', 'utf8'));

/** The words that a developer types into our own search, and the place that explains them. */
const places: Record<string, string> = {
	'required fields': '/docs/send-a-lead#what-to-send',
	'bearer token': '/docs/authentication#send-a-key',
	swagger: '/docs#machine-readable-description',
	'health check': '/docs/api#read-whether-the-api-is-up',
	honeypot: '/docs/api#submitLead-website',
	'rate limit': '/docs/send-a-lead#limits',
	idempotency: '/docs/send-a-lead#sending-again',
	'429': '/docs/errors#rate-limited',
	email_invalid: '/docs/api#submitLead-email',
	'llms.txt': '/docs/agents#the-documents',
	pricing: '/#prices',
	install: '/docs/send-a-lead',
	rest: '/docs/api#basics',
	gdpr: '/privacy',
	'privacy notice': '/privacy',
	'limits per minute': '/docs/send-a-lead#limits',
	webhook: '/docs/send-a-lead',
};

test.each(Object.entries(places))('“%s” leads first to %s', (words, url) => {
	const [first] = find(words);
	const advice = `Give the heading of ${url} other words or “keywords” in the front matter of its page in content/, or expect another place here.`;
	expect(first?.url, advice).toBe(url);
});

const site: SearchEntry[] = [
	{
		path: '/tea',
		title: 'Tea',
		parts: [
			{ text: 'Leaves and water.' },
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
	['by nothing else', 'zzyzx', []],
])('%s', async (_, words, urls) => {
	const found = await load(JSON.stringify(site));
	expect(found(words).map(({ url }) => url)).toEqual(urls);
});

test('a result names its page, and marks what was found in its words', async () => {
	const [row] = (await load(JSON.stringify(site)))('95');
	expect(row).toEqual({
		url: '/tea#too-hot',
		heading: 'too-hot',
		title: 'Tea',
		excerpt: ['', '95', ' · The water is too hot. Wait.'],
	});
});
