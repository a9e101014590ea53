import type { Page, Source } from './source.ts';

/* The small documents at addresses that standards name. */

/** `/.well-known/oauth-protected-resource` (RFC 9728 section 2). `resource` must be the origin to the letter (section 3.3). */
export const protectedResource = ({ service, origin, links }: Source) => ({
	resource: origin,
	authorization_servers: [origin],
	scopes_supported: Object.keys(service.scopes),
	bearer_methods_supported: ['header'],
	resource_name: `${service.name} API`,
	resource_documentation: links.authMd,
	// Members of our own, which section 2 allows.
	oauth_status: 'planned',
	api_keys: service.keys,
});

/** `/robots.txt` (RFC 9309), with the owner's wishes for the use of the content (contentsignals.org). */
export function robotsTxt({ service: { contentSignals }, links }: Source): string {
	const { search, aiInput, aiTrain } = contentSignals;
	return `User-agent: *
Content-Signal: search=${yesNo(search)}, ai-input=${yesNo(aiInput)}, ai-train=${yesNo(aiTrain)}
Allow: /

Sitemap: ${links.sitemap}
`;
}

const yesNo = (allowed: boolean) => (allowed ? 'yes' : 'no');

/** RFC 9116 section 2.5.5 wants less than a year. */
const DAYS_VALID = 180;

/**
 * `/.well-known/security.txt` (RFC 9116). It expires at the start of a day, so that two builds of one day are equal. Only another
 * build renews this file: the server warns operators in time (`src/server/backend.ts`).
 */
export const securityTxt = ({ service, links, builtOn }: Source): string => `Contact: mailto:${service.emails.security}
Expires: ${expiryOf(builtOn).toISOString()}
Preferred-Languages: en
Canonical: ${links.securityTxt}
`;

/** Returns when `security.txt` of a build expires. */
export const expiryOf = (builtOn: string): Date => new Date(Date.parse(builtOn) + DAYS_VALID * 86_400_000);

/** `/sitemap.xml` (sitemaps.org 0.9): the pages that search engines may list, with their addresses in all languages. */
export function sitemap({ origin, pages }: Source): string {
	// A serialised URL has no `<` or `>`.
	const addressOf = (path: string) => new URL(path, origin).href.replaceAll('&', '&amp;');
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
