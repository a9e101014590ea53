import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { describe, expect, test } from 'vitest';
import { paths } from '../../src/facts/links.ts';
import { type Manifest, notFoundPages } from '../../src/server/manifest.ts';
import { answersAnywhere, testAnswers } from '../support/answers.ts';
import { fetchRaw, type RawAnswer } from '../support/fetch-raw.ts';
import { listening } from '../support/listening.ts';
import { runDoctor } from '../support/operator-command.ts';
import { leadOf, newLead, postBody, postForm } from '../support/post-lead.ts';
import { postgresMissing, startPostgres } from '../support/postgres.ts';
import { startSalesTeam } from '../support/sales-team.ts';
import { shared } from '../support/shared.ts';

/** With its origin. */
type RunningHost = AsyncDisposable & { url: string };

/** A runtime that the build supports, run on this machine by its own tools. */
export interface Host {
	/** Its name in `handbook/hosts.md`. */
	name: string;
	/** Says whether it serves the files too, or only `/api/`. */
	serves: 'everything' | 'operations';
	/** Starts the host with these settings only. */
	start(settings: Record<string, string>): Promise<RunningHost>;
	/** The header in which the host's network names the client. The network overwrites it; the tools on this machine do not. */
	trusted?: string;
	/** What it does otherwise than other hosts. `handbook/hosts.md` has it too. */
	otherwise?: Partial<typeof usual>;
}

/** The behaviour of every host, for each point in which some hosts differ. */
const usual = {
	/** The answer to a page's address with a trailing slash. */
	slash: `308 ${paths.contact}`,
	/** The answer to a page's address with `.html` at the end. */
	html: '404',
	/** The answer to POST at a page's address. */
	post: '405 GET, HEAD',
	/** The media type of a page requested in Markdown. */
	markdown: 'text/markdown',
};

const newMessages = (length: number) => Array.from({ length }, () => randomUUID());

/** Tests everything that the build does on every host, on one of them. */
export const testHost = (host: Host) =>
	describe(host.name, () => {
		const team = shared(() => startSalesTeam());
		const running = shared(() => host.start({ ...team().settings, LEAD_RATE_LIMIT: 'off' }));
		if (host.serves === 'everything') testDocuments(host, running);
		describe('to', () => testAnswers(running, answersAnywhere));

		test.each([
			['leads', postBody, 200],
			['forms without JavaScript', postForm, 303],
		])('of six %s at once each is taken, and delivered once by webhook and by mail', async (_, post, status) => {
			const messages = newMessages(6);
			const answers = await Promise.all(messages.map((message) => post(running().url, leadOf({ message }))));
			for (const answer of answers) expect(answer.status).toBe(status);
			await expect.poll(() => team().missing(messages)).toEqual([]);
			const { mails, webhooks } = team();
			const copies = messages.map((message) => [mails.get(message)?.length, webhooks.get(message)?.length]);
			expect(copies).toEqual(messages.map(() => [1, 1]));
		});

		test('the doctor finds nothing to complain of', async () => {
			const { complaints } = await runDoctor([running().url]);
			// A host for the API only does not serve the rest.
			const concerns = host.serves === 'everything' ? complaints : complaints.filter(({ check }) => check.startsWith('API'));
			expect(concerns).toEqual([]);
		});

		test('a client is counted by its address, whatever it says of itself', async () => {
			await using limited = await host.start({ ...team().settings, LEAD_RATE_LIMIT: '2/10m' });
			const post = async (localAddress: string, forged: Record<string, string> = {}) => {
				const headers = { 'content-type': 'application/json', ...forged };
				const request = { method: 'POST', headers, body: JSON.stringify(newLead()), localAddress };
				return (await fetchRaw(limited.url + paths.submitLead, request)).status;
			};
			const same = [];
			for (const number of [1, 2, 3]) same.push(await post('127.0.0.1', forgedBy(host, `192.0.2.${number}`)));
			expect(same).toEqual([200, 200, 429]);
			expect(await post('127.0.0.2')).toBe(200);
		});

		test.skipIf(postgresMissing)('with PostgreSQL each lead is kept and delivered, and a key is for one lead', async () => {
			await using postgres = await startPostgres();
			await using database = await overTcp(await postgres.createDatabase());
			await using storing = await host.start({ ...team().settings, LEAD_STORE: database.url, LEAD_RATE_LIMIT: 'off' });
			const messages = newMessages(4);
			const post = (message: string, key: string) => postBody(storing.url, leadOf({ message }), { 'idempotency-key': key });
			for (const { status } of await Promise.all(messages.map((message) => post(message, message)))) expect(status).toBe(200);
			await expect.poll(() => team().missing(messages)).toEqual([]);
			expect((await post('Another lead', messages[0]!)).status).toBe(422);
		});
	});

/** Headers in which hosts and proxies name their client, and which any client may forge. */
const headers = 'cf-connecting-ip true-client-ip x-client-ip x-forwarded-for x-nf-client-connection-ip x-real-ip'.split(' ');

const forgedBy = ({ trusted }: Host, address: string) => ({
	...Object.fromEntries(headers.filter((name) => name !== trusted).map((name) => [name, address])),
	forwarded: `for=${address}`,
});

/** Makes a database on a socket reachable on a port of this machine, because not every host can use sockets. */
export async function overTcp(database: string) {
	const url = new URL(database);
	const folder = url.searchParams.get('host');
	if (!folder?.startsWith('/')) return { url: database, [Symbol.asyncDispose]: async () => {} };
	const { address, ...server } = await listening(
		createServer((client) => {
			// Either side may hang up.
			pipeline(client, connect(`${folder}/.s.PGSQL.5432`), client).catch(() => {});
		}),
	);
	url.search = '';
	url.host = address;
	// Some hosts require a password, and the throw-away server takes any.
	url.password = 'any';
	return { url: url.href, ...server };
}

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
function testDocuments(host: Host, running: () => RunningHost): void {
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
		const { status, headers } = await ask(path);
		const target = headers['location'] && new URL(headers['location'], 'https://localhost').pathname;
		expect([status, target].join(' ').trim()).toBe(answer);
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
