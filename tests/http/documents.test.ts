import { readFileSync } from 'node:fs';
import linkHeader from 'http-link-header';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { paths } from '../../src/facts/links.ts';
import { documents } from '../../src/discovery/documents.ts';
import { problemNames, retryOf } from '../../src/discovery/openapi-responses.ts';
import { problems } from '../../src/api/answer.ts';
import { languages, links, origin, pathIn, service } from '../../src/facts/load.ts';
import { client, pagesIn } from '../support/built-files.ts';
import { startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';

const server = shared(() => startServer());

/** The HTML of every page that has its own address, by that address. */
const pages = pagesIn();
pages.delete('/404');

const fetchPublished = (url: string, init?: RequestInit) =>
	fetch(url.replace(origin, server().url), { redirect: 'manual', ...init });

test.each(documents)('$path goes out with its media type, to any origin', async ({ path, mediaType }) => {
	const { status, headers } = await fetchPublished(origin + path);
	expect({ status, ...Object.fromEntries(headers) }).toMatchObject({
		status: 200,
		'content-type': mediaType,
		'access-control-allow-origin': '*',
		'cross-origin-resource-policy': 'cross-origin',
		'cache-control': 'public, max-age=300',
	});
});

test.each([...pages.keys(), '/nothing'])('%s leads programs onwards, home pages to the catalog too', async (path) => {
	const { headers } = await fetchPublished(origin + path);
	const { refs } = linkHeader.parse(headers.get('link')!);
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
	expect(await (await fetchPublished(`${origin}/.well-known/${name}`)).json()).toMatchObject(metadata);
});

test.each([links.llmsTxt, links.skill])('%s leads on to the contact page', async (url) => {
	expect(await (await fetchPublished(url)).text()).toContain(links.contact);
});

test('the sitemap has every page that search engines may list', async () => {
	const sitemap = await (await fetchPublished(links.sitemap)).text();
	const listed = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => new URL(url!).pathname);
	const listable = [...pages]
		.filter(([path, html]) => html.includes(`rel="canonical" href="${origin}${path}"`))
		.map(([path]) => path);
	expect(listed.toSorted()).toEqual(listable.toSorted());
});

const list = readFileSync(`${client}/docs/errors.md`, 'utf8').split('\n');

test.each(problemNames(service))('the problem %s has a page of 4 KB, 3 KB as Markdown, and a row in the list', async (name) => {
	const { title, status, detail } = problems[name];
	for (const [accept, most] of Object.entries({ 'text/html': 4096, 'text/markdown': 3072 })) {
		const response = await fetchPublished(`${links.errors}/${name}`, { headers: { accept, 'accept-encoding': 'gzip' } });
		const headers = [...response.headers].map(([header, value]) => `${header}: ${value}\r\n`).join('');
		const text = await response.text();
		expect(text).toContain(title);
		expect(response.headers.get('content-type')).toContain(accept);
		if (accept === 'text/markdown') expect(text).toMatch(new RegExp(`"status": ${status}[^]*\\(${links.errors}\\)`));
		// Menus grow with pages and languages.
		const own = gzipSync(text.replaceAll(/<nav[^]*?<\/nav>/g, ''));
		expect(headers.length + own.length).toBeLessThanOrEqual(most);
	}
	const row = list.find((line) => line.startsWith(`| [${name}](${links.errors}/${name}) | \`${status}\` | `));
	for (const part of [detail, `Send it again: ${retryOf(name)}.`]) expect(row).toContain(part);
});
