import { globSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { urlPath } from '../../src/facts/links.ts';
import { origin, service } from '../../src/facts/load.ts';
import { startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';

const server = shared(() => startServer());
const client = 'var/test/dist/client';
const pages = globSync('**/*.html', { cwd: client }).map((file) => ({
	path: urlPath(file),
	html: readFileSync(`${client}/${file}`, 'utf8'),
}));
const found = pages.filter(({ path, html }) => html.includes(`rel="canonical" href="${origin}${path}"`));

/** Returns the media type, the format and the size of an image, which begins at a place in the file. */
async function imageAt(path: string, startOf: (bytes: Buffer) => number = () => 0) {
	const response = await fetch(server().url + path);
	const bytes = Buffer.from(await response.bytes());
	const { format, width, height } = await sharp(bytes.subarray(startOf(bytes))).metadata();
	expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
	return `${response.headers.get('content-type')}: ${format} ${width}x${height}`;
}

/** Returns the targets of a page's links with a `rel`. */
const linked = (rel: string) =>
	[...found[0]!.html.matchAll(/<link rel="([^"]*)" href="([^"]*)"/g)]
		.filter(([, name]) => name === rel)
		.map(([, , href]) => href!);

/** Returns a page's properties for programs that show links, by name. */
const toldBy = (html: string) =>
	Object.fromEntries(
		[...html.matchAll(/<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)"/g)].map((match) => match.slice(1)),
	);

test('a page has an icon for every browser and for the home screens of Apple, and other sites may show its shared image', async () => {
	expect(linked('icon')).toEqual(['/favicon.ico', '/favicon.svg']);
	// One PNG at the end of the file, after its length and its place.
	const startOf = (bytes: Buffer) => {
		expect([...bytes.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32]);
		expect(bytes.readUInt32LE(14) + bytes.readUInt32LE(18)).toBe(bytes.length);
		return bytes.readUInt32LE(18);
	};
	expect(await imageAt('/favicon.ico', startOf)).toBe('image/x-icon: png 32x32');
	expect(await imageAt(linked('apple-touch-icon')[0]!)).toBe('image/png: png 180x180');
	expect(await imageAt('/shared.png')).toBe('image/png: png 1200x630');
});

test.each(found)('a link to $path is shown with its title, and with our image', ({ path, html }) => {
	expect(toldBy(html)).toMatchObject({
		'og:type': 'website',
		'og:site_name': service.name,
		'og:title': expect.stringMatching(/./),
		'og:description': expect.stringMatching(/./),
		'og:locale': expect.stringMatching(/^[a-z]+_[A-Z]{2}$/),
		'og:url': origin + path,
		'og:image': `${origin}/shared.png`,
		'og:image:width': '1200',
		'og:image:height': '630',
		'og:image:alt': service.name,
		'twitter:card': 'summary_large_image',
	});
});

test('a page that should not be found has no image', () => {
	const hidden = pages.filter(({ html }) => html.includes('content="noindex"'));
	expect(hidden.length).toBeGreaterThan(0);
	for (const { html } of hidden) expect(toldBy(html)).not.toHaveProperty('og:image');
});
