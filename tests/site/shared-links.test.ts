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

test.each(found)('a link to $path is shown with its title, and with an image of its own', async ({ path, html }) => {
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
		'og:image:alt': expect.stringContaining(told['og:title']),
		'twitter:card': 'summary_large_image',
	});
	expect(told['og:image:alt'].split(service.name)).toHaveLength(2);
	const image = await fetch(told['og:image'].replace(origin, server().url));
	expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
	expect(pngSize(await image.bytes())).toEqual([1200, 630]);
	expect(image.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
	expect(found.filter((other) => toldBy(other.html)['og:image'] === told['og:image'])).toHaveLength(1);
});

test('a page that should not be found has no image', () => {
	const hidden = pages.filter(({ html }) => html.includes('content="noindex"'));
	expect(hidden.length).toBeGreaterThan(0);
	for (const { html } of hidden) expect(toldBy(html)).not.toHaveProperty('og:image');
});
