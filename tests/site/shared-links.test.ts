import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { urlPath } from '../../src/facts/links.ts';
import { origin, service } from '../../src/facts/load.ts';
import { pngSize } from '../support/png.ts';
import { startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';

const server = shared(() => startServer());
const client = 'var/test/dist/client';
const pages = globSync('**/*.html', { cwd: client }).map((file) => ({
	path: urlPath(file),
	html: readFileSync(`${client}/${file}`, 'utf8'),
}));
const found = pages.filter(({ path, html }) => html.includes(`rel="canonical" href="${origin}${path}"`));

/** Returns a page's properties for programs that show links, by name. */
const toldBy = (html: string) =>
	Object.fromEntries(
		[...html.matchAll(/<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)"/g)].map((match) => match.slice(1)),
	);

test.each(found)('a link to $path is shown with its title, and with our image', async ({ path, html }) => {
	const told = toldBy(html);
	expect(told).toMatchObject({
		'og:type': 'website',
		'og:site_name': service.name,
		'og:title': expect.stringMatching(/./),
		'og:description': expect.stringMatching(/./),
		'og:locale': expect.stringMatching(/^[a-z]+_[A-Z]{2}$/),
		'og:url': origin + path,
		'og:image': expect.stringMatching(/^https:/),
		'og:image:width': '1200',
		'og:image:height': '630',
		'og:image:alt': service.name,
		'twitter:card': 'summary_large_image',
	});
	const image = await fetch(told['og:image'].replace(origin, server().url));
	expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
	expect(pngSize(await image.bytes())).toEqual([1200, 630]);
	expect(image.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
});

test('a page that should not be found has no image', () => {
	const hidden = pages.filter(({ html }) => html.includes('content="noindex"'));
	expect(hidden.length).toBeGreaterThan(0);
	for (const { html } of hidden) expect(toldBy(html)).not.toHaveProperty('og:image');
});
