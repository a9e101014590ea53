import { defaultLanguage } from '../service/language.ts';
import type { Page, Source } from './source.ts';

/** `/sitemap.xml` (sitemaps.org 0.9): the pages that search engines may list, each with those that are the same in another language. */
export function sitemap({ origin, pages }: Pick<Source, 'origin' | 'pages'>): string {
	const addressOf = ({ path }: Page) => escapeText(new URL(path, origin).href);
	const urls = pages.map((page) =>
		[
			`<loc>${addressOf(page)}</loc>`,
			...(page.changed ? [`<lastmod>${page.changed.toISOString()}</lastmod>`] : []),
			...translationsOf(page, pages).map(
				([tag, other]) => `<xhtml:link rel="alternate" hreflang="${tag}" href="${addressOf(other)}"/>`,
			),
		].join(''),
	);
	return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls.map((url) => `\t<url>${url}</url>`).join('\n')}
</urlset>
`;
}

/** By what search engines call them: a reader of any other language gets the default one. */
function translationsOf({ original }: Page, pages: Page[]): [tag: string, page: Page][] {
	const same = pages.filter((page) => original !== undefined && page.original === original);
	if (same.length < 2) return [];
	const inDefault = same.filter(({ language }) => language === defaultLanguage);
	return [...same.map(tagged), ...inDefault.map((page): [string, Page] => ['x-default', page])];
}

const tagged = (page: Page): [tag: string, page: Page] => [page.language, page];

/** A serialised URL has no `<` or `>`. */
const escapeText = (url: string) => url.replaceAll('&', '&amp;');
