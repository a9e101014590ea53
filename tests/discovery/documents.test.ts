import { readFileSync } from 'node:fs';
import LinkHeader from 'http-link-header';
import { expect, test } from 'vitest';
import { operations } from '../../src/api/operations.ts';
import { documents } from '../../src/discovery/documents.ts';
import { paths } from '../../src/facts/links.ts';
import { facts, service } from '../../src/facts/load.ts';
import { answerAt, jsonAt, keyless, links, ofIssuedKeys, origin, textAt } from './published.ts';

test.each(documents)('$path is named, with what it is for, in every list of documents for programs', ({ path, purpose }) => {
	const page = readFileSync('var/test/dist/client/docs/agents.md', 'utf8').replace(/\[(RFC \d+)\]\([^)]*\)/g, '$1');
	expect(purpose).toMatch(/^[A-Z].*\.$/);
	expect(page).toMatch(new RegExp(`\\[${RegExp.escape(path)}\\]\\(.*\\) *\\| ${RegExp.escape(purpose)}`));
	if (path !== paths.authMd) expect(textAt(paths.authMd)).toContain(`- <${origin}${path}>: ${purpose}\n`);
	if (path !== paths.llmsTxt) expect(textAt(paths.llmsTxt)).toContain(`- [${path}](${origin}${path}): ${purpose}\n`);
});

test('where no keys are issued, no document speaks of any, and agents are told of no way to ask for one', () => {
	for (const { path } of documents) expect([path, ofIssuedKeys.exec(textAt(path, keyless))]).toEqual([path, null]);
	const { agent_auth } = jsonAt(paths.authorizationServer, keyless);
	expect(agent_auth).toEqual({ skill: links.authMd, identity_types_supported: ['anonymous'] });
});

test.each([
	['that keys are issued by hand', /issued by hand, by email/],
	['that no token endpoint exists', /No token endpoint exists\./],
	['that no credential is needed', /need no credential/],
	['how many leads a client may send without a key', /may send 20 leads in 10 minutes, .* no daily limit: up to 2,880 a day/],
	['what a client does that looks for OAuth first', /without credentials, or with the key in `Authorization`/],
	['that a key needs one scope', /^Scopes: contact:write$/m],
	['what the entry for authorization_servers is', `that entry is ${origin}`],
	['that register_uri leads to the form for keys', `\`register_uri\` is <${links.contact}>, which links to the form for keys`],
	['how to try it out', `Authorization: Bearer ${facts['key.test']}`],
	['the lowest prices', `${facts['price.payAsYouGo']} as you go, or ${facts['price.plans']}`],
])('auth.md says %s', (_, statement) => {
	expect(textAt(paths.authMd)).toMatch(statement);
});

test('where no keys are issued, auth.md says so, and says what becomes of a key all the same', () => {
	const changed = textAt(paths.authMd, keyless);
	expect(changed).toContain('No API keys are issued, and no program needs one.');
	for (const credential of [
		'No `Authorization`, or another scheme',
		'`Bearer` and the public test key',
		'`Bearer` and anything else',
	])
		expect(changed).toContain(`\n- ${credential}`);
	for (const text of [textAt(paths.authMd), changed]) expect(text).not.toMatch(/<!--|\{\{|undefined|complian/);
});

test('the protected resource is the origin, to the letter', () => {
	expect(jsonAt(paths.protectedResource)).toEqual({
		resource: origin,
		authorization_servers: [origin],
		scopes_supported: Object.keys(service.scopes),
		bearer_methods_supported: ['header'],
		resource_name: `${service.name} API`,
		resource_documentation: links.authMd,
		oauth_status: 'planned',
		api_keys: 'issued',
	});
	expect(jsonAt(paths.protectedResource, keyless)).toMatchObject({ oauth_status: 'planned', api_keys: 'none' });
});

test('the metadata says that OAuth is planned, names no endpoint, and tells agents that keys are issued by hand', () => {
	expect(jsonAt(paths.openidConfiguration)).toEqual(jsonAt(paths.authorizationServer));
	expect(jsonAt(paths.jwks)).toEqual({ keys: [] });
	// `claim_uri` leads there.
	expect(textAt(paths.authMd)).toMatch(/^## Claim$/m);
	expect(jsonAt(paths.authorizationServer)).toEqual({
		issuer: origin,
		jwks_uri: links.jwks,
		scopes_supported: Object.keys(service.scopes),
		service_documentation: links.authMd,
		status: 'planned',
		available: false,
		token_endpoint_available: false,
		agent_auth: {
			skill: links.authMd,
			register_uri: links.contact,
			claim_uri: `${links.authMd}#claim`,
			identity_types_supported: ['anonymous'],
			anonymous: { credential_types_supported: ['api_key'] },
			registration: 'manual',
			automated_registration: false,
		},
	});
});

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
