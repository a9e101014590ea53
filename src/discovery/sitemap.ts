import type { Page, Source } from './source.ts';

/** `/sitemap.xml` (sitemaps.org 0.9): the pages that search engines may list, with their addresses in all languages. */
export function sitemap({ origin, pages }: Source): string {
	const addressOf = (path: string) => escapeText(new URL(path, origin).href);
	const entry = ({ path, translations = [] }: Page) =>
		[
			`<loc>${addressOf(path)}</loc>`,
			...translations.map((other) => `<xhtml:link rel="alternate" hreflang="${other.tag}" href="${addressOf(other.path)}"/>`),
		].join('');
	return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${pages.map((page) => `\t<url>${entry(page)}</url>`).join('\n')}
</urlset>
`;
}

/** A serialised URL has no `<` or `>`. */
const escapeText = (url: string) => url.replaceAll('&', '&amp;');
