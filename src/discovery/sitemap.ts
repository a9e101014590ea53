import type { Source } from './source.ts';

/** `/sitemap.xml` (sitemaps.org 0.9): the pages that search engines may list. */
export function sitemap({ origin, pages }: Source): string {
	const urls = pages.map(({ path, changed }) => {
		const address = `<loc>${escapeText(new URL(path, origin).href)}</loc>`;
		return `\t<url>${address}${changed ? `<lastmod>${changed.toISOString()}</lastmod>` : ''}</url>`;
	});
	return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
}

/** A serialised URL has no `<` or `>`. */
const escapeText = (url: string) => url.replaceAll('&', '&amp;');
