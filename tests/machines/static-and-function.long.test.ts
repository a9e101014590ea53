import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Manifest } from '../../src/server/files/manifest.ts';
import { service } from '../../src/facts/load.ts';
import { type Certificate, localCertificate } from '../support/certificate.ts';
import { startFunction } from '../support/function.ts';
import { nginxMissing, startNginx } from '../support/nginx.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { ask, formPost, type TextAnswer } from './request.ts';

const manifest = JSON.parse(readFileSync('var/test/dist/server/files.json', 'utf8')) as Manifest;
const dist = path.resolve('var/test/dist');

/** The headers that may differ, with the reason. */
const mayDiffer = {
	date: 'the time of the answer',
	server: 'nginx names itself; we do not',
	connection: 'of this connection, not of the document',
	'keep-alive': 'of this connection, not of the document',
	'last-modified': 'nginx sends it beside the ETag; the ETag wins (RFC 9110 section 13.2.2)',
	etag: 'nginx makes it from time and size; it revalidates as ours does, which is tested below',
	'accept-ranges': 'nginx can send parts of a file',
};

describe.skipIf(nginxMissing)('files from nginx, and the function for /api/', () => {
	let server: TestServer;
	let certificate: Certificate;
	let origin: string;
	const stack = new AsyncDisposableStack();
	beforeAll(async () => {
		server = stack.use(await startServer());
		const host = stack.use(await startFunction({ TRUST_PROXY: '1' }));
		certificate = await localCertificate();
		const places = { [`/opt/${service.identifier}/dist`]: dist, 'http://127.0.0.1:4322': host.url };
		const { port } = stack.use(await startNginx('var/test/dist/machines/static-and-function.conf', certificate, places));
		origin = `https://localhost:${port}`;
	});
	afterAll(() => stack.disposeAsync());

	const here = (target: string, request = {}) => ask(origin + target, { certificate, ...request });
	const there = (target: string, request = {}) => ask(server.url + target, request);
	const comparable = ({ status, headers }: TextAnswer) => ({
		status,
		headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !(name in mayDiffer))),
	});

	test.each(Object.keys(manifest).filter((target) => target !== '/404'))('%s has the headers of the server', async (target) => {
		const [ours, theirs] = [await there(target), await here(target)];
		const { vary, ...headers } = comparable(theirs).headers;
		// A file too small for compression may have `Vary`, and need not.
		const same =
			Object.keys(manifest[target]!.bodies).length === 1 && target.startsWith('/_astro/') ? { headers } : comparable(theirs);
		expect({ ...comparable(theirs), ...same }).toEqual(comparable(ours));
		expect(theirs.body).toBe(ours.body);
		expect(vary ?? 'Accept-Encoding').toContain('Accept-Encoding');
	});

	test('a query changes nothing', async () => {
		const [ours, theirs] = [await there('/contact'), await here('/contact?from=mail')];
		expect([comparable(theirs), theirs.body]).toEqual([comparable(ours), ours.body]);
	});

	test.each([
		'/nothing',
		'/404',
		'/404.html',
		'/contact.html',
		'/contact.html.gz',
		'/_headers',
		'/_astro/nothing.js',
		'//contact',
	])('%s is the page for what is not there', async (target) => {
		const [ours, theirs] = [await there(target), await here(target)];
		expect(theirs.status).toBe(404);
		expect(comparable(theirs)).toEqual(comparable(ours));
		expect(theirs.body).toBe(ours.body);
	});

	test.each(['/contact/', '/docs/api/?from=mail', '/openapi.json/'])('%s leads to the one address', async (target) => {
		const [ours, theirs] = [await there(target), await here(target)];
		expect([theirs.status, theirs.headers['location']]).toEqual([308, ours.headers['location']]);
	});

	test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s on a page is refused, with its methods', async (method) => {
		const { status, headers } = await here('/contact', { method });
		expect([status, headers['allow'], headers['content-type']]).toEqual([405, 'GET, HEAD', 'application/problem+json']);
		expect(headers['strict-transport-security']).toBeDefined();
	});

	test.each([
		'text/markdown',
		'text/markdown, text/html, */*',
		'text/html, text/markdown',
		'text/markdown;q=0.5, text/html',
		'text/html,application/xhtml+xml,*/*;q=0.8',
		'*/*',
	])('Accept: %s gets the page in the same form as from the server', async (accept) => {
		for (const target of ['/', '/docs/api', '/contact']) {
			const [ours, theirs] = [await there(target, { headers: { accept } }), await here(target, { headers: { accept } })];
			expect(comparable(theirs)).toEqual(comparable(ours));
			expect(theirs.body).toBe(ours.body);
		}
	});

	test('a file goes out compressed, and not again to who has it', async () => {
		const { headers } = await here('/contact', { headers: { 'accept-encoding': 'gzip' } });
		expect(headers['content-encoding']).toBe('gzip');
		const again = await here('/contact', { headers: { 'accept-encoding': 'gzip', 'if-none-match': headers['etag'] } });
		expect(again.status).toBe(304);
	});

	test('the form works without JavaScript, from our own pages only', async () => {
		const refused = await here('/api/contact', formPost(origin, { name: 'Ana Ruiz' }));
		expect([refused.status, refused.headers['content-type']]).toEqual([422, 'text/html; charset=utf-8']);
		expect(refused.body).toContain('value="Ana Ruiz"');
		expect((await here('/api/contact', formPost('https://elsewhere.example'))).status).toBe(403);
		expect((await here('/api/contact', formPost(origin))).status).toBe(503);
	});

	test('a client is whoever nginx names, not who it says it is', async () => {
		const { headers, ...form } = formPost(origin, {});
		const remaining = async (forged: string) => {
			const answer = await here('/api/contact', { ...form, headers: { ...headers, 'x-forwarded-for': forged } });
			return Number(/r=(\d+)/.exec(answer.headers['ratelimit']!)![1]);
		};
		expect((await remaining('192.0.2.1')) - (await remaining('192.0.2.2'))).toBe(1);
	});

	test.each(['/api/status', '/api/contact', '/api/nothing'])('%s answers as the server does', async (target) => {
		const [ours, theirs] = [await there(target), await here(target)];
		expect(comparable(theirs)).toEqual(comparable(ours));
	});
});
