import { operations } from '../api/operations.ts';
import type { Links } from '../facts/links.ts';
import { linkHeader } from './link-header.ts';
import type { Source } from './source.ts';

/** `/.well-known/api-catalog`: RFC 9727, as a linkset in JSON (RFC 9264 section 4.2). */
export function apiCatalog({ links, origin }: Pick<Source, 'links' | 'origin'>) {
	const addresses = operations.map(({ path }) => origin + path);
	return {
		linkset: [
			{ anchor: links.apiCatalog, item: addresses.map((href) => ({ href })) },
			...addresses.map((anchor) => context(anchor, links)),
		],
	};
}

/** Returns the headers of GET and HEAD of the catalog (RFC 9727 sections 2 and 3). */
export function apiCatalogLinks({ links, origin }: Pick<Source, 'links' | 'origin'>): Record<string, string> {
	const items = operations.map(({ path }) => ({ href: origin + path, rel: 'item' }));
	return { link: linkHeader([{ href: links.apiCatalog, rel: 'api-catalog' }, ...items]) };
}

/** Describes one operation by the relations of RFC 8631: each `type` is the target's media type. */
const context = (anchor: string, links: Links) => ({
	anchor,
	'service-desc': [{ href: links.openapi, type: 'application/json' }],
	'service-doc': [{ href: links.apiReference, type: 'text/html' }],
	'service-meta': [{ href: links.protectedResource, type: 'application/json' }],
	status: [{ href: links.getStatus, type: 'application/json' }],
});
