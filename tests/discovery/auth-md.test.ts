import { expect, test } from 'vitest';
import { paths } from '../../src/facts/links.ts';
import { facts } from '../../src/facts/load.ts';
import { issued, keyless, links, ofIssuedKeys, textAt } from './published.ts';

const text = textAt(paths.authMd);

test('auth.md has the sections of auth.md v0.1, in their order', () => {
	expect([...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading)).toEqual([
		'auth.md',
		'Discover',
		'Pick a method',
		'Register',
		'Claim',
		'Use the credential',
		'Scopes',
		'Errors and retry',
		'Revocation',
		'Contact',
	]);
});

test.each([
	['which version of the convention it follows', /follow version 0\.1\.0 of\s+\[the auth\.md convention\]/],
	['that keys are issued by hand', /issued by hand, by email/],
	['that no token endpoint exists', /No token endpoint exists\./],
	['that the contact page is a form for people', /is a form for people/],
	[
		'what it means that grant types are left out',
		/`grant_types_supported` is absent\. Here that means that no grant is supported/,
	],
	['that no credential is needed', /need no credential/],
	['that an agent must not consent', /An agent must not\s+set it without asking/],
	['how to have a limit of one’s own', /To have your own limit[^]*as the section “Register” describes/],
	['how to try it out', `Authorization: Bearer ${facts['key.test']}`],
	['what scanners find keys by', facts['key.pattern']!],
	['what each scope allows', /- `contact:write`: Send a sales lead\n- `status:read`: /],
	['the lowest prices', `${facts['price.payAsYouGo']} as you go, or ${facts['price.plans']}`],
])('auth.md says %s', (_, statement) => {
	expect(text).toMatch(statement);
});

test.each(['protectedResource', 'authorizationServer', 'openapi', 'apiCatalog', 'privacy', 'contact'] as const)(
	'auth.md links to %s',
	(name) => {
		expect(text).toContain(`<${links[name]}>`);
	},
);

test('auth.md names no endpoint of OAuth and claims no conformance', () => {
	expect(text).not.toMatch(/login\.clinic-phone|RFC 8414|OpenID Connect|complian/i);
});

test('where no keys are issued, auth.md says so, offers none, and says what becomes of a key all the same', () => {
	const changed = textAt(paths.authMd, keyless);
	expect(changed).toContain('No API keys are issued, and no program needs one.');
	expect(changed).not.toMatch(ofIssuedKeys);
	for (const credential of [
		'No `Authorization`, or another scheme',
		'`Bearer` and the public test key',
		'`Bearer` and anything else',
	])
		expect(changed).toContain(`\n- ${credential}`);
});

test.each([issued, keyless])('no mark and no placeholder is left, keys $service.keys', (source) => {
	expect(textAt(paths.authMd, source)).not.toMatch(/<!--|\{\{|undefined/);
});

test('paragraphs stay apart where a state’s text was left out', () => {
	expect(text).toMatch(/[^\n]\n\n## Scopes/);
});
