import { readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import linkHeader from 'http-link-header';
import { describe, expect, test } from 'vitest';
import { problems } from '../../src/api/answer.ts';
import { documents } from '../../src/discovery/documents.ts';
import { problemNames, retryOf } from '../../src/discovery/openapi-responses.ts';
import { markdownPath, paths } from '../../src/facts/links.ts';
import { defaultLanguage, languages, links, origin, pathIn, service } from '../../src/facts/load.ts';
import { client, pagesIn } from '../support/built-files.ts';
import { fetchRaw } from '../support/fetch-raw.ts';
import { shared } from '../support/shared.ts';
import { startServer } from '../support/server.ts';

const server = shared(() => startServer());

const html = 'text/html; charset=utf-8';
const markdown = 'text/markdown; charset=utf-8';
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
	fetchRaw(server().url + path, { method, headers });
const textAt = async (path: string) => String((await get(path)).body);

/** The HTML of every page that has its own address, by that address. */
const pages = pagesIn();
pages.delete('/404');

describe('a prebuilt file', () => {
	test.each(Object.entries({ br: brotliDecompressSync, gzip: gunzipSync }))('goes out in %s', async (encoding, decompress) => {
		const plain = await get('/contact');
		expect(plain.headers).toMatchObject({ 'content-type': html, 'content-length': String(plain.body.length) });
		const encoded = await get('/contact', { 'accept-encoding': encoding });
		expect([plain.headers['content-encoding'], encoded.headers['content-encoding']]).toEqual([undefined, encoding]);
		expect(decompress(encoded.body).equals(plain.body)).toBe(true);
		expect(encoded.headers['vary']).toContain('Accept-Encoding');
		expect(encoded.headers['etag']).not.toBe(plain.headers['etag']);
	});

	test('goes out in the best encoding, and plain to who refuses them', async () => {
		for (const [accepted, encoding] of Object.entries({ 'gzip, br': 'br', 'br;q=0, gzip;q=0.5': 'gzip', identity: undefined }))
			expect((await get('/', { 'accept-encoding': accepted })).headers['content-encoding']).toBe(encoding);
	});

	test.each<[status: number, path: string, conditions: Record<string, string>]>([
		[304, '/', { 'if-none-match': 'W/"other", W/TAG' }],
		[200, '/', { 'if-none-match': '"other"' }],
		[200, '/', { 'if-match': '"other", TAG' }],
		[200, '/', { 'if-match': '*' }],
		// Compared strongly, before all other conditions.
		[412, '/', { 'if-match': 'W/TAG' }],
		[412, '/', { 'if-match': '"other"', 'if-none-match': '*', range: 'bytes=0-1' }],
		[304, '/', { 'if-match': 'TAG', 'if-none-match': 'TAG' }],
		// Conditions do not matter for missing files, and no file has a date.
		[404, '/nothing', { 'if-match': '"other"' }],
		[200, '/', { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }],
	])('is answered %i at %s under the conditions %o', async (status, path, conditions) => {
		const { etag = '' } = (await get('/')).headers;
		const headers = Object.entries(conditions).map(([name, value]) => [name, value.replace('TAG', etag)]);
		const answer = await get(path, Object.fromEntries(headers) as Record<string, string>);
		expect([answer.status, answer.headers['last-modified']]).toEqual([status, undefined]);
		expect(answer.body.length === 0).toBe([304, 412].includes(status));
		if (status === 304) expect(answer.headers['etag']).toBe(etag);
		if (status === 412) expect(answer.headers['cache-control']).toBe('no-store');
	});

	test.each([
		['bytes=0-1', 206, [0, 2]],
		['bytes=5-', 206, [5]],
		['bytes=5-5', 206, [5, 6]],
		['bytes=-10', 206, [-10]],
		['bytes=LAST-99999999', 206, [-1]],
		['bytes=LENGTH-', 416, [0, 0]],
		['bytes=-0', 416, [0, 0]],
		['bytes=5-2', 200, []],
		['bytes=0-1,5-6', 200, []],
		['lines=0-1', 200, []],
	])('is sent in parts where it is not compressed, as players ask for sound: %s', async (asked, status, part) => {
		const { headers, body } = await get('/favicon.ico');
		const { length } = body;
		const range = asked.replace('LAST', `${length - 1}`).replace('LENGTH', `${length}`);
		const answer = await get('/favicon.ico', { range });
		const wanted = body.subarray(...part);
		const from = wanted.byteOffset - body.byteOffset;
		const place = { 206: `bytes ${from}-${from + wanted.length - 1}/${length}`, 416: `bytes */${length}` }[status];
		expect([answer.status, answer.headers['content-range'], answer.body]).toEqual([status, place, wanted]);
		const ifRange = async (validator: string) => (await get('/favicon.ico', { range, 'if-range': validator })).status;
		expect(await ifRange('"another"')).toBe(200);
		expect(await ifRange(`W/${headers['etag']}`)).toBe(200);
		expect(await ifRange(headers['etag']!)).toBe(status);
	});

	test('of the contact page says to who posts to it where to go', async () => {
		expect(String((await get('/contact', {}, 'POST')).body)).toContain('https://www.website.test/auth.md');
	});

	test('is the same for readers of every language, and redirects nobody', async () => {
		const answers = await Promise.all(languages.map((language) => get('/', { 'accept-language': language })));
		expect(new Set(answers.map(({ status, body }) => `${status} ${String(body)}`)).size).toBe(1);
		expect(answers[0]!.headers['vary']).not.toMatch(/language/i);
	});

	test('is immutable where its name holds its fingerprint, and checked each time elsewhere', async () => {
		const style = /\/_astro\/[^"]+\.css/.exec(await textAt('/'))![0];
		expect((await get(style)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
		expect((await get('/')).headers['cache-control']).toBe('public, max-age=0, must-revalidate');
	});
});

const others = languages.filter((language) => language !== defaultLanguage);
test.each(others)('an unknown address of the pages in %s is answered in that language', async (language) => {
	for (const path of ['/nothing', '/contact/nothing', '/404', '/docs']) {
		const { status, body } = await get(`/${language}${path}`);
		expect([path, status, String(body)]).toEqual([path, 404, expect.stringContaining(`<html lang="${language}"`)]);
	}
	expect(await textAt(`/${language}nothing`)).toContain(`<html lang="${defaultLanguage}"`);
});

test.each([
	[undefined, html],
	['text/markdown', markdown],
	['text/markdown, text/html, */*', markdown],
	['text/markdown;variant="a,b;q=0";charset=UTF-8;q=0.9, text/html;level=1;q=0.8', markdown],
	['text/html;q=0, */*', markdown],
	['*/*;q=0.1, text/html; q=0.000', markdown],
	['text/html; charset=utf-8, text/markdown; charset=utf-8;q=0.9', html],
	['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', html],
	['text/*', html],
	['text/html, text/markdown', html],
	['text/markdown;q=0, */*', html],
	['text/markdown;q=0.5, */*', html],
	// To read it would take too long.
	[`text/markdown${', a/b'.repeat(100)}`, html],
])('a page is served as Accept: %s', async (accept, type) => {
	const { status, headers } = await get('/contact', accept === undefined ? {} : { accept });
	expect([status, headers['content-type'], headers['vary']]).toEqual([200, type, 'Accept, Accept-Encoding']);
	expect(headers['content-location']).toBe(type === markdown ? '/contact.md' : undefined);
});

const withoutCode = (text: string) => text.replace(/^```[^]*?^```|`[^`\n]*`/gm, '');

test('the Markdown of every page has its heading, and no tags', async () => {
	for (const [, url] of (await textAt('/sitemap.xml')).matchAll(/<loc>(.*?)<\/loc>/g)) {
		const path = new URL(url!).pathname;
		const text = await textAt(markdownPath(path));
		const [, heading] = /<h1[^>]*>(.*?)<\/h1>/s.exec(await textAt(path))!;
		const onwards = `> Send a lead for a person: ${links.skill}\n>\n> Index of pages and documents: ${links.llmsTxt}`;
		expect([path, ...text.split('\n\n', 2)]).toEqual([path, onwards, `# ${heading!.trim()}`]);
		expect([path, ...withoutCode(text).match(/^# |<\/?[a-z][^>]*>|\{\{|undefined/gm)!]).toEqual([path, '# ']);
	}
});

test('the contact page says before its form where keys are asked for', async () => {
	for (const language of languages) {
		const path = pathIn(language, paths.contact);
		for (const [form, first] of Object.entries({ [path]: '<form', [markdownPath(path)]: '`email`' }))
			expect((await textAt(form)).split(first)[0]).toContain(pathIn(language, paths.accessRequest));
	}
});

test('the page and its Markdown lead to each other', async () => {
	const relationsOf = async (path: string) => linkHeader.parse((await get(path)).headers['link']!).refs;
	expect(await relationsOf('/contact')).toContainEqual({ uri: '/contact.md', rel: 'alternate', type: 'text/markdown' });
	expect(await relationsOf('/contact.md')).toContainEqual({ uri: links.contact, rel: 'canonical' });
	expect((await relationsOf('/index.md')).map(({ rel }) => rel)).toEqual(expect.arrayContaining(['api-catalog', 'canonical']));
	expect(await textAt('/docs')).toContain('<link rel="alternate" type="text/markdown" href="/docs.md">');
});

test('a page and its Markdown have validators of their own, and are not sent again to who has them', async () => {
	const accepts = ['text/html', 'text/markdown'];
	const etags = await Promise.all(accepts.map(async (accept) => (await get('/docs', { accept })).headers['etag']!));
	expect(new Set(etags).size).toBe(2);
	for (const accept of accepts)
		for (const etag of etags) {
			const { status, headers } = await get('/docs', { accept, 'if-none-match': etag });
			expect([status, headers['vary']]).toEqual([accept === accepts[etags.indexOf(etag)] ? 304 : 200, 'Accept, Accept-Encoding']);
		}
});

test('a path that has nothing says so in the form that the client prefers, with the way to llms.txt', async () => {
	const problem = 'application/problem+json';
	for (const [accept, type] of [
		['text/markdown, */*', markdown],
		['text/html;q=0.5, application/json', problem],
		['text/html, application/json;q=0.9', html],
	] as const) {
		const { status, headers, body } = await get('/es/nothing', { accept });
		expect([status, headers['content-type'], headers['vary']]).toEqual([404, type, expect.stringMatching(/^Accept\b/)]);
		expect(String(body)).toContain(type === html ? `"${paths.llmsTxt}"` : links.llmsTxt);
	}
});

test('what is no page for search engines has no Markdown', async () => {
	for (const path of ['/404.md', '/contact/thanks.md', '/nothing.md'])
		expect([path, (await get(path)).status]).toEqual([path, 404]);
	const { headers } = await get('/contact/thanks', { accept: 'text/markdown' });
	expect([headers['content-type'], headers['vary']]).toEqual([html, 'Accept-Encoding']);
});

test.each(documents)('$path goes out with its media type, to any origin', async ({ path, mediaType }) => {
	const { status, headers } = await get(path);
	expect({ status, ...headers }).toMatchObject({
		status: 200,
		'content-type': mediaType,
		'access-control-allow-origin': '*',
		'cross-origin-resource-policy': 'cross-origin',
		'cache-control': 'public, max-age=300',
	});
});

test.each([...pages.keys(), '/nothing'])('%s leads programs onwards, home pages to the catalog too', async (path) => {
	const { refs } = linkHeader.parse((await get(path)).headers['link']!);
	const ofHome = [
		{ rel: 'api-catalog', uri: paths.apiCatalog, type: 'application/linkset+json' },
		{ rel: 'service-doc', uri: paths.apiReference, type: 'text/html' },
	];
	expect(refs.filter(({ rel }) => /help|service-|describedby|api-catalog/.test(rel))).toEqual([
		...(languages.some((tag) => path === pathIn(tag, '/')) ? ofHome : []),
		{ rel: 'help', uri: paths.skill, type: 'text/markdown' },
		{ rel: 'service-desc', uri: paths.openapi, type: 'application/json' },
		{ rel: 'describedby', uri: paths.llmsTxt, type: 'text/plain' },
	]);
});

test.each([
	['oauth-protected-resource', { resource: origin, authorization_servers: [origin] }],
	['oauth-authorization-server', { issuer: origin }],
	['openid-configuration', { issuer: origin }],
])('metadata of the origin is where clients look for it: %s (RFC 9728, 8414)', async (name, metadata) => {
	expect(JSON.parse(await textAt(`/.well-known/${name}`))).toMatchObject(metadata);
});

test.each([paths.llmsTxt, paths.skill])('%s leads on to the contact page', async (path) => {
	expect(await textAt(path)).toContain(links.contact);
});

test('the sitemap has every page that search engines may list', async () => {
	const listed = [...(await textAt(paths.sitemap)).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => new URL(url!).pathname);
	const listable = [...pages]
		.filter(([path, html]) => html.includes(`rel="canonical" href="${origin}${path}"`))
		.map(([path]) => path);
	expect(listed.toSorted()).toEqual(listable.toSorted());
});

const list = readFileSync(`${client}/docs/errors.md`, 'utf8').split('\n');

test.each(problemNames(service))('the problem %s has a page of 4 KB, 3 KB as Markdown, and a row in the list', async (name) => {
	const { title, status, detail } = problems[name];
	for (const [accept, most] of Object.entries({ 'text/html': 4096, 'text/markdown': 3072 })) {
		const answer = await get(`${paths.errors}/${name}`, { accept, 'accept-encoding': 'gzip' });
		// Four bytes more for each than its name and its value have.
		const headers = ['', ...Object.entries(answer.headers).flat()].join('\r\n');
		const text = String(gunzipSync(answer.body));
		expect(text).toContain(title);
		expect(answer.headers['content-type']).toContain(accept);
		if (accept === 'text/markdown') expect(text).toMatch(new RegExp(`"status": ${status}[^]*\\(${links.errors}\\)`));
		// Menus grow with pages and languages.
		const own = gzipSync(text.replaceAll(/<nav[^]*?<\/nav>/g, ''));
		expect(headers.length + own.length).toBeLessThanOrEqual(most);
	}
	const row = list.find((line) => line.startsWith(`| [${name}](${links.errors}/${name}) | \`${status}\` | `));
	for (const part of [detail, `Send it again: ${retryOf(name)}.`]) expect(row).toContain(part);
});
