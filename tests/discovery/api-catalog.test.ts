import LinkHeader from 'http-link-header';
import { expect, test } from 'vitest';
import { operations } from '../../src/operations/operations.ts';
import { paths } from '../../src/facts/links.ts';
import { answerAt, jsonAt, links, origin } from './published.ts';

interface Linkset {
	linkset: Record<string, string | { href: string; type?: string }[]>[];
}
const catalog = jsonAt(paths.apiCatalog) as unknown as Linkset;

test('the catalog is a linkset and nothing beside it (RFC 9264 section 4.2)', () => {
	expect(Object.keys(catalog)).toEqual(['linkset']);
	expect(answerAt(paths.apiCatalog).headers['content-type']).toBe(
		'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
	);
});

const addresses = operations.map(({ path }) => origin + path);

test('the catalog lists every operation as an item', () => {
	expect(catalog.linkset[0]).toEqual({ anchor: links.apiCatalog, item: addresses.map((href) => ({ href })) });
});

test.each(addresses)('%s is described, documented and observed', (anchor) => {
	const context = catalog.linkset.find((candidate) => candidate['anchor'] === anchor);
	expect(context).toMatchObject({
		'service-desc': [{ href: links.openapi, type: 'application/json' }],
		'service-doc': [{ href: links.apiReference, type: 'text/html' }],
		status: [{ href: links.getStatus, type: 'application/json' }],
	});
});

test('the catalog’s Link header names the catalog and its items (RFC 9727 section 2)', () => {
	const parsed = LinkHeader.parse(answerAt(paths.apiCatalog).headers['link']!);
	expect(parsed.rel('api-catalog')).toMatchObject([{ uri: links.apiCatalog }]);
	expect(parsed.rel('item')).toMatchObject(addresses.map((uri) => ({ uri })));
});
