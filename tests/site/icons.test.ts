import { expect, test } from 'vitest';
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
