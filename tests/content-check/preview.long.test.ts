import { chmod, open, readFile, rm } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium.ts';
import { copyIn, service } from '../../src/facts/load.ts';
import type { TestProcess } from '../support/process.ts';
import { copyOfProject } from '../support/project-copy.ts';

let copy: Awaited<ReturnType<typeof copyOfProject>>;
let browser: Browser;
beforeAll(async () => {
	copy = await copyOfProject();
	await copy.write('public/line.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="9" />');
	await copy.write(
		'content/docs/half-done.mdx',
		'---\ntitle: Half done\ndescription: A page.\norder: 92\ndraft: true\n---\n\n![A line](/line.svg)\n',
	);
	browser = await chromium.launch({ executablePath: await chromiumPath(), chromiumSandbox: false });
});
afterAll(() => Promise.all([browser.close(), copy[Symbol.asyncDispose]()]));

const addressOf = async (server: TestProcess) => (await server.printed(/(http:\/\/localhost:\d+)/))[1]!;

async function openPage() {
	const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
	// For busy machines.
	page.setDefaultTimeout(60_000);
	return page;
}

test('npm run dev shows mistakes on the page that an editor looks at, and the page itself once they are corrected', async () => {
	await copy.edit('content/docs/agents.mdx', 'title: ', 'title: "');
	await using server = copy.preview();
	const url = await addressOf(server);
	const page = await openPage();
	await page.goto(`${url}/docs/half-done`);
	await page.getByText(/content\/docs\/agents\.mdx:\d+ is not valid YAML: Missing closing "quote\./).waitFor();

	await copy.edit('content/docs/agents.mdx', 'title: "', 'title: ');
	await page.getByRole('heading', { name: 'Half done' }).waitFor();
	await page.getByText('Draft: only npm run dev shows this page.').waitFor();
	// A phone folds the navigation.
	await page.locator('a', { hasText: 'Half done (draft)' }).waitFor({ state: 'attached' });
	await expect.poll(() => page.getByRole('img', { name: 'A line' }).evaluate((image) => image.clientWidth)).toBeGreaterThan(100);
	await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);

	await copy.edit('content/docs/agents.mdx', '/docs/send-a-lead', '/docs/send-a-laed');
	await copy.write('content/docs/more.md', 'x');
	await copy.edit('content/service.yaml', `identifier: ${service.identifier}`, 'identifier: Loud');
	await page
		.getByText(
			/content\/service\.yaml:\d+ identifier: found "Loud", wanted lower case letters, digits and hyphens, e\.g\. front-desk\./,
		)
		.first()
		.waitFor();
	await copy.edit('content/service.yaml', 'identifier: Loud', `identifier: ${service.identifier}`);
	await page
		.getByText(
			/agents\.mdx:\d+: found the link \/docs\/send-a-laed(#\S+)?, wanted one that exists: did you mean \/docs\/send-a-lead\?/,
		)
		.first()
		.waitFor();
	await page.getByText('content/docs/more.md: found a file that is no page, wanted the name more.mdx.').waitFor();

	await rm(copy.at('content/docs/more.md'));
	await copy.edit('content/docs/agents.mdx', '/docs/send-a-laed', '/docs/send-a-lead');
	await page.getByRole('heading', { name: 'Half done' }).waitFor();
});

test('npm run dev opens the file of a mistake in the editor, at its line, by a click', async () => {
	await copy.write('editor/code', '#!/bin/sh\necho "$@" > "$0.opened"\n');
	await chmod(copy.at('editor/code'), 0o755);
	await copy.edit('content/docs/agents.mdx', 'title: ', 'title: "');
	await using server = copy.preview({ LAUNCH_EDITOR: copy.at('editor/code') });
	const page = await openPage();
	await page.goto(`${await addressOf(server)}/docs/half-done`);
	const link = page.getByRole('link', { name: /^content\/docs\/agents\.mdx:\d+$/ });
	const place = (await link.textContent())!;
	await link.click();
	const opened = () => readFile(copy.at('editor/code.opened'), 'utf8').catch(() => '');
	await expect.poll(opened).toBe(`-r -g ${copy.at(place)}:1\n`);
	await page.getByRole('heading', { name: 'To be corrected' }).waitFor();
	await copy.edit('content/docs/agents.mdx', 'title: "', 'title: ');
});

test('npm run dev shows a link to a place that the components of another page do not make', async () => {
	await copy.edit('content/docs/agents.mdx', '(/docs/send-a-lead)', '(/docs/errors#invalid-laed)');
	await using server = copy.preview();
	const page = await openPage();
	await page.goto(`${await addressOf(server)}/docs/half-done`);
	await page
		.getByText(/agents\.mdx:\d+: found the link \/docs\/errors#invalid-laed, wanted one that exists: did you mean invalid-lead\?/)
		.waitFor();
	// Links into files that are no pages, such as /auth.md#register, are right.
	expect(await page.getByRole('listitem').count()).toBe(1);
	await copy.edit('content/docs/agents.mdx', '(/docs/errors#invalid-laed)', '(/docs/send-a-lead)');
	await page.getByRole('heading', { name: 'Half done' }).waitFor();
});

test('npm run dev shows the words of a language anew once they are edited, and what is wrong with them', async () => {
	await copy.addLanguage('nl');
	await using server = copy.preview();
	const page = await openPage();
	await page.goto(`${await addressOf(server)}/nl/contact`);
	await page.getByRole('heading', { level: 1, name: 'Ask fór á démó ór á prícé' }).waitFor();
	await copy.edit('content/nl/contact.yaml', /^title: .*/m, 'title: Schrijf ons');
	await page.getByRole('heading', { level: 1, name: 'Schrijf ons' }).waitFor();
	await copy.edit('content/nl/contact.yaml', 'title: Schrijf ons', 'title: Ask for a demo or a price');
	await page
		.getByText(/contact\.yaml:\d+ title: found the English words “Ask for a demo or a price”, wanted them in Dutch, or/)
		.waitFor();
	await copy.edit('content/nl/contact.yaml', 'title: Ask for a demo or a price', 'title: Schrijf ons');
	const corrected = await readFile(copy.at('content/nl/contact.yaml'), 'utf8');
	// Uses another page, because the first reloads meanwhile.
	const other = await openPage();
	const titleOnceSaved = async (path: string) => {
		// Saves the file again, as an editor would: on a busy machine, a change during a render can leave Astro with its error page.
		await copy.write('content/nl/contact.yaml', corrected);
		await other.goto(new URL(path, page.url()).href);
		return other.getByRole('heading', { level: 1 }).textContent({ timeout: 5000 });
	};
	const eventually = { timeout: 120_000, interval: 3000 };
	await expect.poll(() => titleOnceSaved('/nl/contact').catch(() => undefined), eventually).toBe('Schrijf ons');
	await copy.addLanguage('ja');
	await expect.poll(() => titleOnceSaved('/ja/contact').catch(() => undefined), eventually).toBe('Ask fór á démó ór á prícé');
});

test('npm run dev shows a text for programs anew once it is edited', async () => {
	await using server = copy.preview();
	const page = await openPage();
	await page.goto(`${await addressOf(server)}/auth.md`);
	await page.getByText(`# auth.md`).waitFor();
	await copy.edit('content/auth.md', /$/, '\nA last word, <b>as it is</b>.\n');
	await page.getByText('A last word, <b>as it is</b>.').waitFor();
	expect(await (await fetch(page.url())).text()).toMatch(/^#[^]*A last word, <b>as it is<\/b>\.\n$/);
});

test('npm run dev has each page in Markdown as well, for who asks for that', async () => {
	await using server = copy.preview();
	const url = await addressOf(server);
	const { title } = copyIn('en');
	for (const [path, accept] of [
		['/contact.md', '*/*'],
		['/contact', 'text/markdown'],
	]) {
		const response = await fetch(url + path!, { headers: { accept: accept! } });
		expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
		expect(await response.text()).toMatch(new RegExp(`^> Index of pages and documents: .*\n\n# ${title}\n`));
	}
	const statuses = await Promise.all(
		['/index.md', '/docs/send-a-lead.md', '/auth.md', '/nothing.md'].map(async (path) => (await fetch(url + path)).status),
	);
	expect(statuses).toEqual([200, 200, 200, 404]);
	expect(await (await fetch(`${url}/contact`, { headers: { accept: 'text/html' } })).text()).toContain('<h1');
});

test('npm run dev answers for what is not there in the language of the address', async () => {
	await copy.addLanguage('sv');
	await using server = copy.preview();
	const response = await fetch(`${await addressOf(server)}/sv/nothing`);
	expect(response.status).toBe(404);
	expect(await response.text()).toContain('<html lang="sv"');
});

test('npm run dev has what the search looks in, with the words as they stand', async () => {
	await using server = copy.preview();
	const url = await addressOf(server);
	const entries = (await (await fetch(`${url}/docs/search.json`)).json()) as { path: string; title: string }[];
	expect(entries.map(({ path }) => path)).toEqual(expect.arrayContaining(['/docs', '/docs/api', '/docs/half-done']));
});

test('npm run dev shows a change of a page, however slowly a program writes the file', async () => {
	await using server = copy.preview();
	const url = await addressOf(server);
	const page = await openPage();
	await page.goto(`${url}/docs/half-done`);
	const file = copy.at('content/docs/half-done.mdx');
	for (const gap of [5, 10, 20, 40, 80, 160]) {
		const title = `Title after ${gap} ms`;
		const text = (await readFile(file, 'utf8')).replace(/title: .*/, `title: ${title}`);
		await page.waitForLoadState('networkidle');
		// Opening the file to write empties it.
		await using handle = await open(file, 'w');
		await setTimeout(gap);
		await handle.write(text);
		await page.getByRole('heading', { name: title }).waitFor();
	}
	expect(await (await fetch(`${url}/docs/search.json`)).text()).toContain('Title after 160 ms');
});
