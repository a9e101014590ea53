import { paths } from '../facts/links.ts';

/** One link of a `Link` header (RFC 8288 section 3). */
export interface Link {
	/** A URL or a path, percent-encoded where needed. */
	href: string;
	rel: string;
	/** Media type of the target. */
	type?: string;
}

/** The value of a `Link` header. */
export const linkHeader = (links: Link[]): string =>
	links.map(({ href, rel, type }) => `<${href}>; rel="${rel}"${type ? `; type="${type}"` : ''}`).join(', ');

/** What the home page has beside: where programs find all that there is (RFC 9727 section 3, RFC 8631). */
export const homeLinks = linkHeader([
	{ href: paths.apiCatalog, rel: 'api-catalog', type: 'application/linkset+json' },
	{ href: paths.apiReference, rel: 'service-doc', type: 'text/html' },
]);

/** What the `Link` header of every page has: the index for programs (RFC 8288), and the description of the API (RFC 8631). */
export const pageLinks = linkHeader([
	{ href: paths.openapi, rel: 'service-desc', type: 'application/json' },
	{ href: paths.llmsTxt, rel: 'describedby', type: 'text/plain' },
]);
