import type { Links } from '../service/links.ts';
import { linkHeader } from './link-header.ts';
import type { Source } from './source.ts';

/** `/.well-known/api-catalog`: RFC 9727, as a linkset in JSON (RFC 9264 section 4.2). */
export function apiCatalog({ links }: Pick<Source, 'links'>) {
	return {
		linkset: [
			{ anchor: links.apiCatalog, item: operations(links).map((href) => ({ href })) },
			...operations(links).map((anchor) => context(anchor, links)),
		],
	};
}

/** What GET and HEAD of the catalog carry (RFC 9727 sections 2 and 3). */
export function apiCatalogLinks({ links }: Pick<Source, 'links'>): Record<string, string> {
	const items = operations(links).map((href) => ({ href, rel: 'item' }));
	return { link: linkHeader([{ href: links.apiCatalog, rel: 'api-catalog' }, ...items]) };
}

const operations = (links: Links) => [links.submitLead, links.getStatus];

/** One operation, with the relations of RFC 8631: each `type` is the media type that the target is served with. */
const context = (anchor: string, links: Links) => ({
	anchor,
	'service-desc': [{ href: links.openapi, type: 'application/json' }],
	'service-doc': [{ href: links.apiReference, type: 'text/html' }],
	'service-meta': [{ href: links.protectedResource, type: 'application/json' }],
	status: [{ href: links.getStatus, type: 'application/json' }],
});
