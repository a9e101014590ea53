import { globSync, readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Manifest, notFoundPages } from '../../../src/server/manifest.ts';
import { paths } from '../../../src/facts/links.ts';
import { fetchRaw, type RawAnswer } from '../../support/fetch-raw.ts';
import { type Host, type RunningHost, usual } from './host.ts';

const dist = 'var/test/dist';
const manifest = JSON.parse(readFileSync(`${dist}/server/files.json`, 'utf8')) as Manifest;
const notFound = manifest['/404']!;
const documents = Object.fromEntries(Object.entries(manifest).filter(([path]) => !path.endsWith('/404')));
const built = (file: string) => readFileSync(`${dist}/client/${file}`);

/** Files in deployed folders that only the host or our own server may read. */
const notPublic = [
	...globSync('**/*.{br,gz}', { cwd: `${dist}/client` }).map((file) => `/${file}`),
	...globSync(['server/*', 'hosts/**'], { cwd: dist }).map((file) => `/${file.split('/').at(-1)}`),
	...'/_headers /_redirects /_routes.json /_worker.js /.assetsignore /.env /netlify.toml /vercel.json'.split(' '),
].filter((path) => !(path in documents) && !path.endsWith('.html'));

/** Tests the files of the build, and the answers where there is no file. */
export function testDocuments(host: Host, running: () => RunningHost): void {
	const ask = (path: string, method = 'GET') => fetchRaw(running().url + path, { method });
	const expected = { ...usual, ...host.otherwise };

	test('every document has the bytes and the headers that it was built with', async () => {
		const faults = Object.entries(documents).map(async ([path, { file, headers }]) =>
			faultsOf(await ask(path), built(file), declared(path, headers)).map((fault) => `${path}: ${fault}`),
		);
		expect((await Promise.all(faults)).flat()).toEqual([]);
	});

	test('a page is the same for a client that takes it compressed', async () => {
		const page = await fetch(running().url + paths.contact, { headers: { 'accept-encoding': 'br, gzip' } });
		expect(await page.text()).toBe(String(built(documents[paths.contact]!.file)));
	});

	test('HEAD of a page is answered as GET is, without the body', async () => {
		const { body, ...answer } = await ask(paths.contact, 'HEAD');
		const { file, headers } = documents[paths.contact]!;
		expect(body.length).toBe(0);
		expect(faultsOf({ ...answer, body: built(file) }, built(file), declared(paths.contact, headers))).toEqual([]);
	});

	test('a page takes no post, and says what it takes', async () => {
		const { status, headers } = await ask(paths.contact, 'POST');
		expect([status, headers['allow']].join(' ').trim()).toBe(expected.post);
	});

	test.each([
		[`${paths.contact}/`, expected.slash],
		[`${paths.contact}.html`, expected.html],
	])('a page has one address: %s is answered %s', async (path, answer) => {
		expect(leadOf(await ask(path))).toBe(answer);
	});

	test('each page is in Markdown for clients that ask for that, and in HTML for others', async () => {
		const get = (path: string, accept: string) => fetchRaw(running().url + path, { headers: { accept } });
		const typeFor = async (accept: string) => (await get(paths.contact, accept)).headers['content-type']?.replace(/;.*/, '');
		for (const accept of ['*/*', 'text/html, text/markdown'])
			expect([accept, await typeFor(accept)]).toEqual([accept, 'text/html']);
		expect(await typeFor('text/markdown')).toBe(expected.markdown);
		if (expected.markdown !== 'text/markdown') return;
		for (const [path, { markdown }] of Object.entries(documents).filter(([, page]) => page.markdown))
			for (const accept of ['text/markdown', 'text/markdown, text/html, */*']) {
				const faults = faultsOf(await get(path, accept), built(markdown!), declared(markdown!, documents[markdown!]!.headers));
				expect([path, faults]).toEqual([path, []]);
			}
	});

	test('at an address without a file the page of its part of the site says so, with every policy', async () => {
		const { 'cache-control': _cache, link: _link, vary: _vary, ...policies } = notFound.headers;
		const ofParts = notFoundPages(manifest).map(({ below, file }) => [`${below}${randomUUID()}`, file]);
		for (const [path, file] of [...ofParts, ['/constructor', '404.html'], ['/_astro/nothing.js', '404.html']]) {
			const answer = await ask(path!);
			const faults = faultsOf({ ...answer, status: 200 }, built(file!), policies);
			expect([path, answer.status, faults]).toEqual([path, 404, []]);
		}
	});

	test('nothing else is public: no compressed copy, no file for a host, nothing of the server', async () => {
		const answers = await Promise.all([...new Set(notPublic)].map(async (path) => ({ path, ...(await ask(path)) })));
		expect(answers.filter(({ status }) => status !== 404).map(({ path }) => path)).toEqual([]);
	});
}

/** Returns the status and the target of a redirect. */
const leadOf = ({ status, headers: { location } }: RawAnswer) =>
	location === undefined ? String(status) : `${status} ${new URL(location, 'https://localhost').pathname}`;

/** Returns the headers to expect, without `Vary`, to which hosts add, and without the types of assets, which hosts know. */
const declared = (path: string, { vary: _vary, 'content-type': type, ...headers }: Record<string, string>) =>
	path.startsWith('/_astro/') ? headers : { 'content-type': type!, ...headers };

/** Returns the differences between an answer and the expected one. */
function faultsOf({ status, headers, body }: RawAnswer, content: Buffer, wanted: Record<string, string>): string[] {
	if (status !== 200) return [`status ${status}`];
	const wrong = Object.entries(wanted).filter(([name, value]) => headers[name]?.toLowerCase() !== value.toLowerCase());
	return [
		...wrong.map(([name]) => `${name} ${headers[name] ?? 'is missing'}`),
		...(body.equals(content) ? [] : [`${body.length} bytes, not the ${content.length} that were built`]),
	];
}
