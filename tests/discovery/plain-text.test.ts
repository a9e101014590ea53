import { expect, test } from 'vitest';
import { leadFields } from '../../src/lead/lead.ts';
import { service } from '../../src/facts/load.ts';
import { paths } from '../../src/facts/links.ts';
import { links, origin, issued, textAt } from './published.ts';

test('security.txt names a contact, and expires 180 days after the day of the build', () => {
	expect(textAt(paths.securityTxt).split('\n')).toEqual([
		`Contact: mailto:${service.emails.security}`,
		'Expires: 2027-04-30T00:00:00.000Z',
		'Preferred-Languages: en',
		`Canonical: ${links.securityTxt}`,
		'',
	]);
});

test('robots.txt gives every crawler the owner’s signals and the sitemap', () => {
	expect(textAt('/robots.txt')).toBe(
		`User-agent: *\nContent-Signal: search=yes, ai-input=yes, ai-train=no\nAllow: /\n\nSitemap: ${links.sitemap}\n`,
	);
});

test('the sitemap lists every page once, escaped', () => {
	const listed = [...textAt(paths.sitemap).matchAll(/<loc>(.*)<\/loc>/g)].map(([, url]) => url);
	expect(listed).toEqual([`${origin}/`, `${origin}/docs`, `${origin}/docs/a&amp;b`]);
});

test('llms.txt says in a line how a lead is sent, and lists the pages under documentation or pages, in Markdown', () => {
	const [before, documentation, pages] = textAt(paths.llmsTxt).split(/^## (?:Documentation|Pages)\n\n/m);
	const line = before!.split('\n').find((text) => text.includes(`\`POST ${links.submitLead}\``))!;
	for (const { name, required } of leadFields) expect(line.includes(`\`${name}\``)).toBe(required);
	expect(documentation).toContain(
		`- [Documentation](${links.docs}.md): How to use it.\n- [A and B](${origin}/docs/a&b.md): Two letters.\n`,
	);
	expect(pages).toBe(`- [Home](${links.home}index.md): The start.\n`);
});

test('llms.txt has a line for each other language, and leaves dated pages to the list of changes', () => {
	const german = { path: '/de', title: 'Telefonassistenz', description: 'Der Anfang.', language: 'de' };
	const contact = { ...german, path: '/de/contact', title: 'Kontakt' };
	const dated = { path: '/docs/changes/first', title: 'First', description: 'One.', language: 'en', date: '2026-11-02' };
	const text = textAt(paths.llmsTxt, { ...issued, pages: [...issued.pages, german, contact, dated] });
	const [, others] = text.split('## Other languages\n\n');
	expect(others).toBe(`- [German](${origin}/de.md): /de/contact.md\n`);
	expect(text.slice(0, text.indexOf(others!))).not.toMatch(/\/de|\/docs\/changes\/first/);
});
