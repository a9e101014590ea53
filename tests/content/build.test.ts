import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { liveOauth } from '../discovery/published.ts';
import { facts } from '../../src/service/load.ts';
import { TestProcess } from '../support/process.ts';

/** A copy of the project that an editor has changed. It lies inside the project, whose packages it finds from there. */
let copy: string;

beforeEach(async () => {
	await mkdir('var/test', { recursive: true });
	copy = await mkdtemp(path.resolve('var/test/content-'));
	for (const part of ['content', 'public', 'src', 'astro.config.mjs', 'package.json', 'tsconfig.json'])
		await cp(part, path.join(copy, part), { recursive: true });
});
afterEach(() => rm(copy, { recursive: true }));

const edit = async (file: string, search: string | RegExp, replacement: string) => {
	const before = await readFile(path.join(copy, file), 'utf8');
	const after = before.replace(search, replacement);
	expect(after).not.toBe(before);
	await writeFile(path.join(copy, file), after);
};

const built = (file: string) => readFile(path.join(copy, 'dist/client', file), 'utf8');

async function build(): Promise<{ code: number | NodeJS.Signals; output: string }> {
	const astro = path.resolve('node_modules/astro/bin/astro.mjs');
	const env = { SITE_URL: 'https://www.anteroom.test', ASTRO_TELEMETRY_DISABLED: '1' };
	await using building = new TestProcess([astro, 'build'], { cwd: copy, env });
	return { code: await building.exit(), output: building.output };
}

describe('an editor', { timeout: 120_000 }, () => {
	test('changes a price, adds a page and a language in one place each', async () => {
		await edit('content/service.yaml', /payAsYouGo: \{ from: [\d.]+/, 'payAsYouGo: { from: 7.77');
		await edit('content/service.yaml', /plans: \{ from: [\d.]+/, 'plans: { from: 777');
		await writeFile(
			path.join(copy, 'content/docs/opening-hours.mdx'),
			'---\ntitle: Opening hours\ndescription: When we answer.\norder: 90\n---\n\n## Weekdays\n\nFrom <Fact name="price.plans" />.\n',
		);
		await cp(path.join(copy, 'content/contact/en.yaml'), path.join(copy, 'content/contact/de.yaml'));
		await edit('content/contact/de.yaml', 'title: Talk to us', 'title: Sprechen Sie mit uns');
		expect(await build()).toMatchObject({ code: 0 });

		for (const file of ['index.html', 'index.md', 'contact.html', 'contact.md', 'llms.txt', 'openapi.json']) {
			const text = await built(file);
			expect([file, text.includes('USD 7.77 per minute'), text.includes('USD 777 per month')]).toEqual([file, true, true]);
			const prices = [facts['price.payAsYouGo']!, facts['price.plans']!];
			expect([file, prices.filter((before) => text.includes(before))]).toEqual([file, []]);
		}
		expect(await built('docs/opening-hours.html')).toContain('From USD 777 per month.');
		expect(await built('docs/opening-hours.md')).toMatch(/^# Opening hours\n[^]*\n## Weekdays\n\nFrom USD 777 per month\.\n$/);
		for (const file of ['docs.html', 'llms.txt', 'sitemap.xml']) expect(await built(file)).toContain('/docs/opening-hours');
		expect(await built('de/contact.html')).toMatch(/<html lang="de"[\s\S]*<h1[^>]*>Sprechen Sie mit uns/);
		expect(await built('de/contact.md')).toMatch(/^# Sprechen Sie mit uns\n/);
		expect(await built('contact.html')).toContain('href="/de/contact"');
	});

	test('turns OAuth on in one place, and nothing says any more that it is planned', async () => {
		await edit('content/service.yaml', /^oauth:\n  state: planned$/m, `oauth: ${JSON.stringify(liveOauth)}`);
		expect(await build()).toMatchObject({ code: 0 });

		expect(await built('docs/agents.md')).toContain('OAuth is live.');
		for (const file of ['docs.html', 'docs.md', 'docs/agents.html', 'docs/agents.md', 'docs/api.md', 'auth.md', 'llms.txt'])
			expect([file, /planned|not live|none yet/i.exec(await built(file))]).toEqual([file, null]);
	});

	test('is told of a mistake in the facts by file, line, field, what was found and what is wanted', async () => {
		await edit('content/service.yaml', /payAsYouGo: \{ from: [\d.]+/, 'payAsYouGo: { from: cheap');
		const { code, output } = await build();
		expect(code).toBe(1);
		expect(output).toMatch(/content\/service\.yaml:\d+ prices\.payAsYouGo\.from: found "cheap", wanted a number above 0/);
	});

	test('is told of a fact in prose that does not exist', async () => {
		await edit('content/pages/home.mdx', 'price.plans', 'price.yearly');
		const { code, output } = await build();
		expect(code).toBe(1);
		expect(output).toMatch(/found the fact price\.yearly, wanted one of .*price\.plans/);
	});

	test('is told of a page of documentation without a title', async () => {
		await edit('content/docs/agents.mdx', /^title:.*$/m, '');
		const { code, output } = await build();
		expect(code).toBe(1);
		expect(output).toMatch(/agents[\s\S]*title/);
	});
});
