import { paths } from '../facts/links.ts';

/** One link of a `Link` header (RFC 8288 section 3). */
export interface Link {
	/** A URL or a path, percent-encoded where needed. */
	href: string;
	rel: string;
	/** Media type of the target. */
	type?: string;
}

/** Returns the value of a `Link` header. */
export const linkHeader = (links: Link[]): string =>
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
