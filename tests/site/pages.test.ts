import { globSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { urlPath } from '../../src/facts/links.ts';
import { languages, origin, service } from '../../src/facts/load.ts';
import type { Manifest } from '../../src/server/manifest.ts';
import { builtFiles } from '../support/built-files.ts';
import { htmlMistakes } from '../support/html.ts';
import { startBuilt } from '../support/server.ts';
import { SMALL_SITE, smallClient as client } from '../support/small-site.ts';
import { paletteNames } from '../../src/facts/palette.ts';

const manifest = JSON.parse(readFileSync(`${SMALL_SITE}/dist/server/files.json`, 'utf8')) as Manifest;
const pages = builtFiles('**/*.html', client).map((file) => {
	const [path, html] = [urlPath(file), readFileSync(`${client}/${file}`, 'utf8')];
	/** The properties for programs that show links, by name. */
	const told = Object.fromEntries(
		[...html.matchAll(/<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)"/g)].map((match) => match.slice(1)),
	);
	return { path, html, told };
});

test.each(pages)(
	'$path is valid HTML, without placeholder, template or anything empty, and leads to llms.txt',
	async ({ html }) => {
		expect(html).toMatch(/<a href="\/llms\.txt"[^>]*>llms\.txt<\/a>/);
		expect(await htmlMistakes(html)).toBe('');
		expect(html).not.toMatch(/<template|\{\{|<(p|li|ul|ol|h2|details|figure)>\s*<\/\1>/);
	},
);

test('the form that was not sent is valid HTML', async () => {
	await using server = await startBuilt(`${SMALL_SITE}/dist`);
	const body = new URLSearchParams({ name: '<b>Ana', email: 'no' });
	const response = await fetch(`${server.url}/api/contact`, { method: 'POST', body });

	expect(response.status).toBe(422);
	expect(await htmlMistakes(await response.text())).toBe('');
});

test('a page has an icon for every browser and for the home screens of Apple', () => {
	const icons = [...pages[0]!.html.matchAll(/<link rel="[^"]*icon" href="([^"]*)"/g)].map(([, href]) => href);
	expect(icons).toEqual(['/favicon.ico', '/favicon.svg', '/apple-touch-icon.png']);
});

test.each([
	['/favicon.ico', 32, 32],
	['/apple-touch-icon.png', 180, 180],
	['/shared.png', 1200, 630],
])('%s is a PNG, and other sites may show it', async (path, width, height) => {
	const { file, headers } = manifest[path]!;
	expect(headers).toMatchObject({ 'content-type': 'image/png', 'cross-origin-resource-policy': 'cross-origin' });
	const metadata = await sharp(readFileSync(`${client}/${file}`)).metadata();
	expect(metadata).toMatchObject({ format: 'png', width, height });
});

const found = pages.filter(({ path, html }) => html.includes(`rel="canonical" href="${origin}${path}"`));
test.each(found)('a link to $path is shown with its title and description, and with our image', ({ path, html, told }) => {
	expect(told).toMatchObject({
		'og:type': 'website',
		'og:site_name': service.name,
		'og:title': /<title>(.*)<\/title>/.exec(html)![1]!.replace(` · ${told['og:site_name']}`, ''),
		'og:description': /<meta name="description" content="([^"]*)"/.exec(html)![1],
		'og:locale': expect.stringMatching(/^[a-z]+_[A-Z]{2}$/),
		'og:url': origin + path,
		'og:image': `${origin}/shared.png`,
		'og:image:width': '1200',
		'og:image:height': '630',
		'og:image:alt': service.name,
		'twitter:card': 'summary_large_image',
	});
});

test('the page for the lawyer of a buyer, and the link to it, exist only where the facts have its answers', () => {
	const own = pages.filter(({ path }) => path.endsWith('/trust')).map(({ path }) => path);
	expect(own).toHaveLength(service.trust ? languages.length : 0);
	for (const { path, html } of pages)
		expect([path, /href="[^"]*\/trust"/.test(html)]).toEqual([path, service.trust !== undefined]);
});

test('a page that should not be found has no image', () => {
	const hidden = pages.filter(({ html }) => html.includes('content="noindex"'));
	expect(hidden.length).toBeGreaterThan(0);
	for (const { told } of hidden) expect(told).not.toHaveProperty('og:image');
});

test('styles use the names of the palette, each of them, and no other but their own', () => {
	const styles = globSync('src/site/**/*.css').map((file) => readFileSync(file, 'utf8'));
	const all = (pattern: RegExp) => new Set(styles.flatMap((css) => css.match(pattern) ?? []));
	const own = all(/(?<![\w-])--[\w-]+(?=:)/g);
	expect([...own].filter((name) => paletteNames.includes(name))).toEqual([]);
	expect([...all(/(?<=var\()--[\w-]+/g)].filter((name) => !own.has(name)).toSorted()).toEqual(paletteNames.toSorted());
});

test.each(pages)('$path has the colours of the palette in its styles', ({ html }) => {
	const files = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href]) => client + href!);
	const css = files.map((file) => readFileSync(file, 'utf8')).join();
	expect(paletteNames.filter((name) => !css.includes(`${name}:`))).toEqual([]);
});
