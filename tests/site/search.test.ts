import { expect, test } from 'vitest';
import { loadIndex } from '../../src/site/docs/search.ts';
import { shared } from '../support/shared.ts';
import { startServer } from '../support/server.ts';

const server = shared(() => startServer());
const find = async (words: string) => (await loadIndex(`${server().url}/docs/search.json`))(words);

/** The words that a developer types, and the place that explains them. */
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
	'webhook signature': '/docs/webhook#check-the-signature',
	key: '/docs/authentication',
	'send a key': '/docs/authentication#send-a-key',
};

test.each(Object.entries(places))('“%s” leads first to %s', async (words, url) => {
	const hits = await find(words);
	expect(hits.map((hit) => hit.url)[0], JSON.stringify(hits.slice(0, 4), null, 1)).toBe(url);
});

test('where no place has all the words, those with one of them are found, and the excerpt of a row says what its cells say, apart', async () => {
	expect((await find('zzyzx cors'))[0]?.url).toBe('/docs/send-a-lead#from-a-browser');
	expect(await find('zzyzx')).toEqual([]);
	const [row] = await find('413');
	expect(row).toMatchObject({ heading: 'too-large', title: 'Errors' });
	expect(row!.excerpt.join('')).toMatch(/^413 · The request is too large\. /);
});
