import { cp, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { liveOauth } from '../discovery/published.ts';
import { facts } from '../../src/service/load.ts';
import { copyOfProject } from '../support/project-copy.ts';

describe('an editor changes in one place', () => {
	let copy: Awaited<ReturnType<typeof copyOfProject>>;
	// One build for all of it: none touches what another is about.
	beforeAll(async () => {
		copy = await copyOfProject();
		await copy.edit('content/service.yaml', /payAsYouGo: \{ from: [\d.]+/, 'payAsYouGo: { from: 7.77');
		await copy.edit('content/service.yaml', /plans: \{ from: [\d.]+/, 'plans: { from: 777');
		await copy.edit('content/service.yaml', /^oauth:\n  state: planned$/m, `oauth: ${JSON.stringify(liveOauth)}`);
		await writeFile(
			copy.at('content/docs/opening-hours.mdx'),
			'---\ntitle: Opening hours\ndescription: When we answer.\norder: 90\n---\n\n## Weekdays\n\nFrom <Fact name="price.plans" />.\n',
		);
		await cp(copy.at('content/contact/en.yaml'), copy.at('content/contact/de.yaml'));
		await copy.edit('content/contact/de.yaml', 'title: Talk to us', 'title: Sprechen Sie mit uns');
		expect(await copy.build()).toMatchObject({ code: 0 });
	});
	afterAll(() => copy[Symbol.asyncDispose]());

	test.each(['index.html', 'index.md', 'contact.html', 'contact.md', 'llms.txt', 'openapi.json'])(
		'a price, in %s',
		async (file) => {
			const text = await copy.built(file);
			expect([text.includes('USD 7.77 per minute'), text.includes('USD 777 per month')]).toEqual([true, true]);
			const prices = [facts['price.payAsYouGo']!, facts['price.plans']!];
			expect(prices.filter((before) => text.includes(before))).toEqual([]);
		},
	);

	test('the pages there are', async () => {
		expect(await copy.built('docs/opening-hours.html')).toContain('From USD 777 per month.');
		expect(await copy.built('docs/opening-hours.md')).toMatch(
			/^# Opening hours\n[^]*\n## Weekdays\n\nFrom USD 777 per month\.\n$/,
		);
		for (const file of ['docs.html', 'llms.txt', 'sitemap.xml']) expect(await copy.built(file)).toContain('/docs/opening-hours');
	});

	test('the languages there are', async () => {
		expect(await copy.built('de/contact.html')).toMatch(/<html lang="de"[\s\S]*<h1[^>]*>Sprechen Sie mit uns/);
		expect(await copy.built('de/contact.md')).toMatch(/^# Sprechen Sie mit uns\n/);
		expect(await copy.built('contact.html')).toContain('href="/de/contact"');
	});

	test('that OAuth is live, and nothing says any more that it is planned', async () => {
		expect(await copy.built('docs/agents.md')).toContain('OAuth is live.');
		for (const file of ['docs.html', 'docs.md', 'docs/agents.html', 'docs/agents.md', 'docs/api.md', 'auth.md', 'llms.txt'])
			expect([file, /planned|not live|none yet/i.exec(await copy.built(file))]).toEqual([file, null]);
	});
});

test.for([
	[
		'a mistake in the facts, by file, line, field, what was found and what is wanted',
		'content/service.yaml',
		/payAsYouGo: \{ from: [\d.]+/,
		'payAsYouGo: { from: cheap',
		/content\/service\.yaml:\d+ prices\.payAsYouGo\.from: found "cheap", wanted a number above 0/,
	],
	[
		'a fact in prose that does not exist',
		'content/pages/home.mdx',
		'price.plans',
		'price.yearly',
		/found the fact price\.yearly, wanted one of .*price\.plans/,
	],
	['a page of documentation without a title', 'content/docs/agents.mdx', /^title:.*$/m, '', /agents[\s\S]*title/],
] as const)('an editor is told of %s', async ([, file, search, replacement, told]) => {
	await using copy = await copyOfProject();
	await copy.edit(file, search, replacement);
	const { code, output } = await copy.build();
	expect(code).toBe(1);
	expect(output).toMatch(told);
});
