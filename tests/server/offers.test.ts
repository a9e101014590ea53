import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { accessRequestPage, paths } from '../../src/service/links.ts';
import { languages, pathIn, service, wordsIn } from '../../src/service/load.ts';
import { offeringPage } from '../../src/server/offer.ts';
import { fetchRaw } from '../support/fetch-raw.ts';
import { startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';

const server = shared(() => startServer());

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
	fetchRaw(server().url + path, { method, headers });

/** The offers in a page that are not hidden. */
const shown = (body: Buffer) =>
	[...String(body).matchAll(/<p class="offer" lang="([^"]+)"[^>]*?( hidden)?>\s*<a href="([^"]+)"[^>]*>\s*([^<]*?)\s*<\/a>/g)]
		.filter(([, , hidden]) => hidden === undefined)
		.map(([, language, , href, text]) => ({ language, href, text }));

const pages = [paths.home, paths.contact, paths.privacy];
const pairs = languages.flatMap((own) => languages.filter((tag) => tag !== own).map((other) => [own, other] as const));

test.each(pairs)('a page in %s offers itself to who prefers %s, in one line of that language', async (own, other) => {
	for (const path of pages) {
		const page = await get(pathIn(own, path), { 'accept-language': `${other}-x-home, ${own};q=0.5` });
		expect(shown(page.body)).toEqual([{ language: other, href: pathIn(other, path), text: wordsIn(other).offer }]);
	}
});

describe.each(pairs.slice(0, 1))('a page in %s', (own, other) => {
	const path = pathIn(own, paths.contact);
	const prefers = { 'accept-language': other };

	test.each([
		undefined,
		'',
		'*',
		own,
		`${own}-XX, ${other}`,
		`${other};q=0.5, ${own}`,
		`${other};q=0, *`,
		'x-nothing',
		`nonsense;;=, ${'a'.repeat(600)}, ${other}`,
	])('is the same for everybody else, who sends Accept-Language: %s', async (accepted) => {
		const [plain, page] = [await get(path), await get(path, accepted === undefined ? {} : { 'accept-language': accepted })];
		expect(page.body.equals(plain.body)).toBe(true);
		expect({ ...page.headers, date: '' }).toEqual({ ...plain.headers, date: '' });
		expect(page.headers).toMatchObject({
			'cache-control': 'public, max-age=0, must-revalidate',
			vary: expect.not.stringMatching(/language/i),
		});
	});

	test('is kept by no shared cache where it offers another', async () => {
		const [plain, page] = [await get(path), await get(path, prefers)];
		expect(page.headers['cache-control']).toBe('private, no-cache');
		expect(page.headers['vary']).toMatch(/^Accept-Language, .*Accept-Encoding$/);
		expect(page.headers['etag']).not.toBe(plain.headers['etag']);
		const own = new Set(['cache-control', 'vary', 'etag', 'content-length', 'date']);
		const others = Object.entries(page.headers).filter(([name]) => !own.has(name));
		expect(plain.headers).toMatchObject(Object.fromEntries(others));
	});

	test('has a validator of its own, and a cache that has the plain one still does no harm', async () => {
		const [plain, page] = [await get(path), await get(path, prefers)];
		const again = (headers: Record<string, string>, etag = '') => get(path, { ...headers, 'if-none-match': etag });
		const same = await again(prefers, page.headers['etag']);
		expect([same.status, same.body.length, same.headers['cache-control']]).toEqual([304, 0, 'private, no-cache']);
		expect((await again(prefers, plain.headers['etag'])).status).toBe(200);
		expect((await again({}, page.headers['etag'])).status).toBe(200);
		expect((await again({}, plain.headers['etag'])).status).toBe(304);
	});

	test.each([
		['br', brotliDecompressSync],
		['gzip', gunzipSync],
	])('is as small in %s, with its offer', async (encoding, decompress) => {
		const [plain, page] = [await get(path, prefers), await get(path, { ...prefers, 'accept-encoding': encoding })];
		expect(page.headers['content-encoding']).toBe(encoding);
		expect(decompress(page.body).equals(plain.body)).toBe(true);
		expect(page.headers['etag']).not.toBe(plain.headers['etag']);
		const built = await get(path, { 'accept-encoding': encoding });
		expect(page.body.length).toBeLessThan(built.body.length * 1.15);
	});

	test('answers HEAD as GET', async () => {
		const [got, head] = [await get(path, prefers), await get(path, prefers, 'HEAD')];
		expect(head.body).toHaveLength(0);
		expect({ ...head.headers, date: '' }).toEqual({ ...got.headers, date: '' });
	});

	test('offers nothing in Markdown', async () => {
		const page = await get(path, { ...prefers, accept: 'text/markdown' });
		expect(String(page.body)).not.toContain(wordsIn(other).offer);
		expect(page.headers['cache-control']).toBe('public, max-age=0, must-revalidate');
	});

	test.runIf(service.keys === 'issued')('offers a request for API access as one', async () => {
		const page = await get(`${path}?for=api-access`, prefers);
		expect(shown(page.body)).toMatchObject([{ href: pathIn(other, accessRequestPage) }]);
	});
});

test('a page that only one language has offers nothing, and redirects nobody', async () => {
	for (const path of [paths.docs, paths.apiReference, '/nothing'])
		for (const tag of languages) {
			const page = await get(path, { 'accept-language': tag });
			expect([page.status, shown(page.body)]).toEqual([path === '/nothing' ? 404 : 200, []]);
		}
	for (const tag of languages) expect((await get('/', { 'accept-language': tag })).status).toBe(200);
});

test('a page that offers itself in Breton, br, is told from the page in Brotli', () => {
	const entry = { file: 'contact.html', headers: {}, etag: '"page"', bodies: {} };
	expect(offeringPage(entry, Buffer.from(' hidden'), 'br', 0).etag).not.toBe('"page-br"');
});
