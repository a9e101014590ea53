import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import LinkHeader from 'http-link-header';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { operations } from '../../src/api/operations.ts';
import { documents } from '../../src/discovery/documents.ts';
import { mdxToMarkdown } from '../../src/discovery/markdown.ts';
import { linksFrom, paths, pathsIn } from '../../src/facts/links.ts';
import { copyIn, facts, languages, service } from '../../src/facts/load.ts';
import { leadFields } from '../../src/lead/lead.ts';
import { smallClient } from '../support/small-site.ts';
import { answerAt, jsonAt, keyless, links, ofIssuedKeys, origin, textAt } from './published.ts';

test.each(documents)('$path is named, with what it is for, in every list of documents for programs', ({ path, purpose }) => {
	const page = readFileSync(`${smallClient}/docs/agents.md`, 'utf8').replace(/\[(RFC \d+)\]\([^)]*\)/g, '$1');
	expect(purpose).toMatch(/^[A-Z].*\.$/);
	expect(page).toMatch(new RegExp(`\\[${RegExp.escape(path)}\\]\\(.*\\) *\\| ${RegExp.escape(purpose)}`));
	if (path !== paths.llmsTxt) expect(textAt(paths.llmsTxt)).toContain(`- [${path}](${origin}${path}): ${purpose}\n`);
});

test('where no keys are issued, no document speaks of any, and agents are told of no way to ask for one', () => {
	for (const { path } of documents) expect([path, ofIssuedKeys.exec(textAt(path, keyless))]).toEqual([path, null]);
	const { agent_auth } = jsonAt(paths.authorizationServer, keyless);
	expect(agent_auth).toEqual({ skill: links.authMd, identity_types_supported: ['anonymous'] });
	expect(jsonAt(paths.protectedResource, keyless)).toMatchObject({ api_keys: 'none' });
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
});

test('the metadata says that OAuth is planned, names no endpoint, and tells agents that keys are issued by hand', () => {
	expect(jsonAt(paths.openidConfiguration)).toEqual(jsonAt(paths.authorizationServer));
	expect(jsonAt(paths.jwks)).toEqual({ keys: [] });
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

test('the catalog has every operation, described, documented and observed (RFC 9264), and its header too (RFC 9727)', () => {
	const addresses = operations.map(({ path }) => origin + path);
	const contexts = addresses.map((anchor) => ({
		anchor,
		'service-desc': [{ href: links.openapi, type: 'application/json' }],
		'service-doc': [{ href: links.apiReference, type: 'text/html' }],
		'service-meta': [{ href: links.protectedResource, type: 'application/json' }],
		status: [{ href: links.getStatus, type: 'application/json' }],
	}));
	const items = { anchor: links.apiCatalog, item: addresses.map((href) => ({ href })) };
	expect(jsonAt(paths.apiCatalog)).toEqual({ linkset: [items, ...contexts] });
	const { headers } = answerAt(paths.apiCatalog);
	expect(headers['content-type']).toBe('application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"');
	const parsed = LinkHeader.parse(headers['link']!);
	expect(parsed.rel('api-catalog')).toMatchObject([{ uri: links.apiCatalog }]);
	expect(parsed.rel('item')).toMatchObject(addresses.map((uri) => ({ uri })));
});

test('security.txt names a contact, and expires 180 days after the day of the build', () => {
	const [first, ...others] = textAt(paths.securityTxt).split('\n');
	expect(first).toBe(`Contact: mailto:${service.emails.security}`);
	const expires = 'Expires: 2027-04-30T00:00:00.000Z';
	expect(others).toEqual([expires, 'Preferred-Languages: en', `Canonical: ${links.securityTxt}`, '']);
});

test('robots.txt gives every crawler the owner’s signals and the sitemap', () => {
	expect(textAt('/robots.txt')).toBe(
		`User-agent: *\nContent-Signal: search=yes, ai-input=yes, ai-train=no\nAllow: /\n\nSitemap: ${links.sitemap}\n`,
	);
});

test('llms.txt says in a line how a lead is sent, and that there is no MCP server, and lists pages in Markdown, but dated ones and those in other languages', () => {
	const [before, ...lists] = textAt(paths.llmsTxt).split(/^## (?:Documentation|Pages|Other languages)\n\n/m);
	expect(before).toContain('There is no MCP server here; call the HTTP API.');
	const line = before!.split('\n').find((text) => text.includes(`\`POST ${links.submitLead}\``))!;
	for (const { name, required } of leadFields) expect(line.includes(`\`${name}\``)).toBe(required);
	expect(lists.map((list) => list.trim())).toEqual([
		`- [Documentation](${links.docs}.md): How to use it.`,
		`- [Home](${links.home}index.md): The start.`,
		`- [German](${origin}/de.md): /de/contact.md`,
	]);
});

test('what the status is about stands beside it, in every document that describes it', () => {
	for (const path of [paths.llmsTxt, paths.openapi]) expect(textAt(path)).toContain('not about phone calls.');
});

test('the index names the skill as it names itself, with the digest of what is served (Agent Skills Discovery 0.2.0)', () => {
	const served = readFileSync(smallClient + paths.skill);
	const { name, description } = parse(String(served).split('---\n')[1]!) as Record<'name' | 'description', string>;
	const digest = `sha256:${createHash('sha256').update(served).digest('hex')}`;
	expect(JSON.parse(readFileSync(`${smallClient}/.well-known/agent-skills/index.json`, 'utf8'))).toEqual({
		$schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
		skills: [{ name, description, type: 'skill-md', url: linksFrom(import.meta.env.SITE).skill, digest }],
	});
	// agentskills.io/specification: the name is that of the folder, and both have their limits.
	expect(paths.skill).toContain(`/${name}/SKILL.md`);
	expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
	expect(description.length).toBeLessThanOrEqual(1024);
});

test('the skill has each field with its limit, and the words of consent in each language, with the notice in that', () => {
	const skill = textAt(paths.skill);
	for (const { name, maxLength, required } of leadFields)
		expect(skill).toMatch(new RegExp(`^- \`${name}\`${required ? ', required' : ''}.*${maxLength ?? ''}`, 'm'));
	expect(skill).toMatch(/^- `email`.* a dot in its domain/m);
	for (const language of languages) {
		const [label, notice] = [copyIn(language).fields['consent']!.label!, pathsIn(language).privacy].map(RegExp.escape);
		expect(skill).toMatch(new RegExp(`“${label}” .*${notice}[>\`]\n`));
	}
});

const markdownOf = (text: string) => mdxToMarkdown(text, 'content/auth.mdx', { origin, service, facts });

test.each([
	['---\nname: "{{name}}"\n---\n\n# <Fact name="name" />\n', `---\nname: "${service.name}"\n---\n\n# ${service.name}\n`],
	['<Link to="email.sales" />\n', `[${service.emails.sales}](mailto:${service.emails.sales})\n`],
	['[docs](/docs#a), <Link to="path.contact">*form*</Link>\n', `[docs](${origin}/docs#a), [*form*](${origin}/contact)\n`],
	['<code><Fact name="scopes" /></code>\n', `\`${facts['scopes']}\`\n`],
	['```\n{{scopes}}\n```\n', `\`\`\`\n${facts['scopes']}\n\`\`\`\n`],
	[`- a\n\n<When keys="${service.keys}">\n\n- b\n\n</When>\n\n- c\n`, '- a\n\n- b\n\n- c\n'],
	['a\n\n<When absent="name">\n\nb\n\n</When>\n\nc <When absent="name">d</When>\n', 'a\n\nc \n'],
])('a text for programs in MDX is published as Markdown: %j', (text, published) => expect(markdownOf(text)).toBe(published));

test('a component for pages is a mistake, with its line', () => {
	expect(() => markdownOf('a\n\n<Box kind="note">\n\nb\n\n</Box>\n')).toThrow(/^content\/auth\.mdx:3: found <Box>/);
});
