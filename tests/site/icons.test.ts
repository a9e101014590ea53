import { expect, test } from 'vitest';
import { service } from '../../src/facts/load.ts';
import { pngSize } from '../support/png.ts';
import { startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';

const server = shared(() => startServer());
async function get(path: string) {
	const response = await fetch(server().url + path);
	return { status: response.status, type: response.headers.get('content-type'), bytes: await response.bytes() };
}

/** Returns the targets of a page's links with a `rel`. */
async function linked(rel: string): Promise<string[]> {
	const html = await (await fetch(`${server().url}/contact`)).text();
	return [...html.matchAll(/<link rel="([^"]*)" href="([^"]*)"/g)].filter(([, name]) => name === rel).map(([, , href]) => href!);
}

test('a page has an icon for every browser: as a drawing, and as an ICO', async () => {
	expect(await linked('icon')).toEqual(['/favicon.ico', '/favicon.svg']);
	const { type, bytes } = await get('/favicon.ico');
	expect(type).toBe('image/x-icon');
	// The header of a file with one icon, 32 pixels wide and high.
	expect([...bytes.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32]);
});

test('a page has an icon for the home screens of Apple', async () => {
	const [path] = await linked('apple-touch-icon');
	const { type, bytes } = await get(path!);
	expect([type, pngSize(bytes)]).toEqual(['image/png', [180, 180]]);
});

test('the web manifest has our name, and icons that are as it says', async () => {
	const [path] = await linked('manifest');
	const { type, bytes } = await get(path!);
	expect(type).toBe('application/manifest+json');
	const manifest = JSON.parse(String(Buffer.from(bytes))) as {
		name: string;
		icons: { src: string; sizes: string; type: string; purpose?: string }[];
	};
	expect(manifest.name).toBe(service.name);
	expect(manifest.icons.map(({ sizes, purpose = 'any' }) => `${sizes} ${purpose}`)).toEqual([
		'any any',
		'192x192 any',
		'512x512 any',
		'512x512 maskable',
	]);
	for (const { src, sizes, type } of manifest.icons) {
		const icon = await get(src);
		expect([icon.status, icon.type]).toEqual([200, type]);
		if (type === 'image/png') expect(pngSize(icon.bytes).join('x')).toBe(sizes);
	}
});
