import LinkHeader from 'http-link-header';
import { expect, test } from 'vitest';
import { operations } from '../../src/api/operations.ts';
import { paths } from '../../src/facts/links.ts';
import { answerAt, jsonAt, links, origin } from './published.ts';

const addresses = operations.map(({ path }) => origin + path);

test('the catalog lists every operation as an item, described, documented and observed (RFC 9264 section 4.2)', () => {
	const contexts = addresses.map((anchor) => ({
		anchor,
		'service-desc': [{ href: links.openapi, type: 'application/json' }],
		'service-doc': [{ href: links.apiReference, type: 'text/html' }],
		status: [{ href: links.getStatus, type: 'application/json' }],
	}));
	const items = { anchor: links.apiCatalog, item: addresses.map((href) => ({ href })) };
	expect(jsonAt(paths.apiCatalog)).toEqual({
		linkset: [items, ...contexts.map((context) => expect.objectContaining(context) as object)],
	});
});

test('the catalog is a linkset whose Link header names it and its items (RFC 9727 section 2)', () => {
	const { headers } = answerAt(paths.apiCatalog);
	expect(headers['content-type']).toBe('application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"');
	const parsed = LinkHeader.parse(headers['link']!);
	expect(parsed.rel('api-catalog')).toMatchObject([{ uri: links.apiCatalog }]);
	expect(parsed.rel('item')).toMatchObject(addresses.map((uri) => ({ uri })));
});
