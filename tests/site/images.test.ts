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

async function get(path: string) {
	const response = await fetch(server().url + path);
	return { status: response.status, headers: response.headers, bytes: await response.bytes() };
}

async function sizeOf(image: Uint8Array): Promise<string> {
	const { format, width, height } = await sharp(image).metadata();
	return `${format} ${width}x${height}`;
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

test('a page has an icon for every browser: as a drawing, and as an ICO', async () => {
	expect(linked('icon')).toEqual(['/favicon.ico', '/favicon.svg']);
	const { headers, bytes } = await get('/favicon.ico');
	expect(headers.get('content-type')).toBe('image/x-icon');
	// One image, 32 pixels wide and high, as PNG at the end of the file.
	expect([...bytes.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32]);
	const [length, offset] = [14, 18].map((at) => Buffer.from(bytes).readUInt32LE(at));
	expect(length! + offset!).toBe(bytes.length);
	expect(await sizeOf(bytes.subarray(offset!))).toBe('png 32x32');
});

test('a page has an icon for the home screens of Apple', async () => {
	const { headers, bytes } = await get(linked('apple-touch-icon')[0]!);
	expect([headers.get('content-type'), await sizeOf(bytes)]).toEqual(['image/png', 'png 180x180']);
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

test('other sites may show the image of shared links', async () => {
	const { status, headers, bytes } = await get('/shared.png');
	expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
	expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
	expect(await sizeOf(bytes)).toBe('png 1200x630');
});

test('a page that should not be found has no image', () => {
	const hidden = pages.filter(({ html }) => html.includes('content="noindex"'));
	expect(hidden.length).toBeGreaterThan(0);
	for (const { html } of hidden) expect(toldBy(html)).not.toHaveProperty('og:image');
});
