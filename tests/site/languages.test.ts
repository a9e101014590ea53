import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isRightToLeft } from '../../src/facts/language.ts';
import { languages, origin, pathIn, wordsIn } from '../../src/facts/load.ts';
import { pagesIn } from '../support/built-files.ts';
import { smallClient as client } from '../support/small-site.ts';

const htmlOf = pagesIn(client);
/** The pages that every language has, by their paths in the default one. */
const translated = ['/', '/contact', '/contact/api-access', '/contact/thanks', '/privacy', '/404'];
const pages = languages.flatMap((language) => translated.map((path) => ({ language, path, address: pathIn(language, path) })));

test.each(pages)('$address has its language, direction, and a menu to the same page in each, by its own name', (page) => {
	const { language, path, address } = page;
	const html = htmlOf.get(address)!;
	const [, lang, dir = 'ltr'] = /<html lang="(.*?)"(?: dir="(.*?)")?>/.exec(html)!;
	expect([lang, dir]).toEqual([language, isRightToLeft(language) ? 'rtl' : 'ltr']);
	const menu = /<nav id="languages".*?<\/nav>/s.exec(html)![0];
	const links = [...menu.matchAll(/<a href="(.*?)" lang="(.*?)" hreflang="\2"( aria-current="true")?[^>]*>(.*?)<\/a>/gs)];
	const target = path === '/404' ? '/' : path;
	expect(links.map(([, href, tag, current, name]) => [href, tag, current !== undefined, name!.trim()])).toEqual(
		languages.map((tag) => [pathIn(tag, target), tag, tag === language, wordsIn(tag).language]),
	);
});

const found = pages.filter(({ path }) => ['/', '/contact', '/privacy'].includes(path));
test.each(found)('$address names the same page in every language, and so does the sitemap', ({ address, path }) => {
	const alternates = {
		...Object.fromEntries(languages.map((tag) => [tag, origin + pathIn(tag, path)])),
		'x-default': origin + path,
	};
	const alternatesIn = (text: string) =>
		Object.fromEntries([...text.matchAll(/rel="alternate" hreflang="(.*?)" href="(.*?)"/g)].map((match) => match.slice(1)));
	expect(alternatesIn(htmlOf.get(address)!)).toEqual(alternates);
	const entries = readFileSync(`${client}/sitemap.xml`, 'utf8').split('\n');
	expect(alternatesIn(entries.find((entry) => entry.includes(`<loc>${origin}${address}</loc>`))!)).toEqual(alternates);
});

test('pages that only the default language has name no other, and their menu leads to the start pages', () => {
	const docs = [...htmlOf].filter(([path]) => path.startsWith('/docs'));
	expect(docs.length).toBeGreaterThan(0);
	for (const [path, html] of docs) {
		const links = Array.from(html.matchAll(/(?:href="(\S*)" lang="\S*" )?hreflang=/g), ([, href]) => href);
		expect([path, ...links]).toEqual([path, ...languages.map((tag) => pathIn(tag, '/'))]);
	}
});
