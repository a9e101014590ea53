import { paths } from '../facts/links.ts';

/** Returns the value of a `Link` header (RFC 8288 section 3). `href` is a percent-encoded URL or path, `type` the target's media type. */
export const linkHeader = (links: { href: string; rel: string; type?: string }[]): string =>
	links.map(({ href, rel, type }) => `<${href}>; rel="${rel}"${type ? `; type="${type}"` : ''}`).join(', ');

/** Additional links of the home page: they lead programs to the catalog and the reference (RFC 9727 section 3, RFC 8631). */
export const homeLinks = linkHeader([
	{ href: paths.apiCatalog, rel: 'api-catalog', type: 'application/linkset+json' },
	{ href: paths.apiReference, rel: 'service-doc', type: 'text/html' },
]);

/** The links of every page: how an agent sends a lead, the index for programs (RFC 8288), and the description of the API (RFC 8631). */
export const pageLinks = linkHeader([
	{ href: paths.skill, rel: 'help', type: 'text/markdown' },
	{ href: paths.openapi, rel: 'service-desc', type: 'application/json' },
	{ href: paths.llmsTxt, rel: 'describedby', type: 'text/plain' },
]);
