import linkHeader from 'http-link-header';
import { describe, expect, test } from 'vitest';
import { markdownPath } from '../../src/facts/links.ts';
import { defaultLanguage, languageAt, links } from '../../src/facts/load.ts';
import { fetchRaw } from '../support/fetch-raw.ts';
import { startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';

const server = shared(() => startServer());

const get = (path: string, headers: Record<string, string> = {}) => fetchRaw(server().url + path, { method: 'GET', headers });

const html = 'text/html; charset=utf-8';
const markdown = 'text/markdown; charset=utf-8';

describe('a page is served as', () => {
	test.each([
		[undefined, html],
		['text/markdown', markdown],
		['text/markdown;q=0.1', markdown],
		['text/markdown, text/html;q=0.9', markdown],
		['text/markdown, text/html, */*', markdown],
		['text/markdown;variant="a,b;q=0";charset=UTF-8;q=0.9, text/html;level=1;q=0.8', markdown],
		['text/html;q=0, */*', markdown],
		['*/*;q=0.1, text/html; q=0.000', markdown],
		['text/html; charset=utf-8, text/markdown; charset=utf-8;q=0.9', html],
		['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', html],
		['*/*', html],
		['text/*', html],
		['', html],
		['text/html, text/markdown', html],
		['text/markdown;q=0, */*', html],
		['text/markdown;q=0.5, */*', html],
		['nonsense, markdown', html],
	])('Accept: %s', async (accept, type) => {
		const { status, headers } = await get('/contact', accept === undefined ? {} : { accept });
		expect([status, headers['content-type'], headers['vary']]).toEqual([200, type, 'Accept, Accept-Encoding']);
		expect(headers['content-location']).toBe(type === markdown ? '/contact.md' : undefined);
	});
});

/** Returns the paths of the pages for people. */
const pages = async () =>
	[...String((await get('/sitemap.xml')).body).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => new URL(url!).pathname);

test('the Markdown of every page has its heading, and no tags', async () => {
	for (const path of await pages()) {
		const text = String((await get(markdownPath(path))).body);
		const [, heading] = /<h1[^>]*>(.*?)<\/h1>/s.exec(String((await get(path)).body))!;
		expect([path, ...text.split('\n\n', 2)]).toEqual([
			path,
			languageAt(path) === defaultLanguage
				? `> Send a lead for a person: ${links.skill}\n>\n> Index of pages and documents: ${links.llmsTxt}`
				: `> SKILL.md: ${links.skill}\n>\n> llms.txt: ${links.llmsTxt}`,
			`# ${heading!.trim()}`,
		]);
		expect(withoutCode(text).match(/^# /gm)).toHaveLength(1);
		expect([path, /<\/?[a-z][^>]*>|\{\{|undefined/.exec(withoutCode(text))]).toEqual([path, null]);
	}
});

const withoutCode = (text: string) => text.replace(/^```[^]*?^```|`[^`\n]*`/gm, '');

test('the page and its Markdown lead to each other', async () => {
	const relationsOf = async (path: string) => linkHeader.parse((await get(path)).headers['link']!).refs;
	expect(await relationsOf('/contact')).toContainEqual({ uri: '/contact.md', rel: 'alternate', type: 'text/markdown' });
	expect(await relationsOf('/contact.md')).toContainEqual({ uri: links.contact, rel: 'canonical' });
	expect(await relationsOf('/')).toContainEqual({ uri: '/index.md', rel: 'alternate', type: 'text/markdown' });
	expect((await relationsOf('/index.md')).map(({ rel }) => rel)).toEqual(
		expect.arrayContaining(['api-catalog', 'describedby', 'canonical']),
	);
	expect(String((await get('/docs')).body)).toContain('<link rel="alternate" type="text/markdown" href="/docs.md">');
});

test('both have validators of their own, and are not sent again to who has them', async () => {
	const accepts = ['text/html', 'text/markdown'];
	const etags = await Promise.all(accepts.map(async (accept) => (await get('/docs', { accept })).headers['etag']!));
	expect(new Set(etags).size).toBe(2);
	for (const accept of accepts)
		for (const etag of etags) {
			const { status, headers } = await get('/docs', { accept, 'if-none-match': etag });
			expect([status, headers['vary']]).toEqual([accept === accepts[etags.indexOf(etag)] ? 304 : 200, 'Accept, Accept-Encoding']);
		}
});

test('what is no page for search engines has no Markdown', async () => {
	for (const path of ['/404.md', '/contact/thanks.md', '/nothing.md'])
		expect([path, (await get(path)).status]).toEqual([path, 404]);
	const { headers } = await get('/contact/thanks', { accept: 'text/markdown' });
	expect([headers['content-type'], headers['vary']]).toEqual([html, 'Accept-Encoding']);
});
