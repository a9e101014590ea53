import { readFileSync } from 'node:fs';
import { parseAllHeaders } from '@netlify/headers-parser';
import { parseAllRedirects } from '@netlify/redirect-parser';
import { getTransformedRoutes } from '@vercel/routing-utils';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Manifest } from '../../src/server/manifest.ts';
import { startServer } from '../support/server.ts';
import { testWhereIssued } from '../support/where-issued.ts';

const dist = 'var/test/dist';
const manifest = JSON.parse(readFileSync(`${dist}/server/files.json`, 'utf8')) as Manifest;
const documents = Object.keys(manifest).filter((target) => target !== '/404' && !target.startsWith('/_astro/'));
const assets = Object.keys(manifest).filter((target) => target.startsWith('/_astro/'));

/** What the one-machine server sends, but for `Vary`: these hosts have one form of each document, and compress by themselves. */
function declared(target: string): Record<string, string> {
	const { vary: _, ...headers } = manifest[target]!.headers;
	return headers;
}

/** Of files with a fingerprint these hosts know the types. */
function withoutType(headers: Record<string, string>): Record<string, string> {
	const { 'content-type': _, ...rest } = headers;
	return rest;
}

describe('_headers', () => {
	let rules: { forRegExp: RegExp; values: Record<string, string> }[];
	const of = (target: string) => rules.filter(({ forRegExp }) => forRegExp.test(target)).map(({ values }) => values);
	beforeAll(async () => {
		const { headers, errors } = await parseAllHeaders({
			headersFiles: [`${dist}/client/_headers`],
			configHeaders: undefined,
			minimal: false,
		});
		expect(errors).toEqual([]);
		rules = headers as typeof rules;
	});

	test.each(documents)('Netlify’s own parser reads the headers of %s', (target) => {
		expect(Object.assign({}, ...of(target))).toEqual(declared(target));
	});

	test('fingerprinted files are immutable', () => {
		for (const target of assets) expect(Object.assign({}, ...of(target))).toEqual(withoutType(declared(target)));
	});

	test('no two rules name the same header for a path: Cloudflare would join the values', () => {
		for (const target of [...documents, ...assets]) {
			const names = of(target).flatMap(Object.keys);
			expect(names).toEqual([...new Set(names)]);
		}
	});

	test('an address that leads nowhere has the security headers that all have', () => {
		expect(Object.assign({}, ...of('/nothing'))).toMatchObject({
			'x-content-type-options': 'nosniff',
			'x-frame-options': 'DENY',
		});
	});

	test('stays within Cloudflare’s limits: 100 rules, 2,000 characters a line', () => {
		expect(rules.length).toBeLessThanOrEqual(100);
		const lines = readFileSync(`${dist}/client/_headers`, 'utf8').split('\n');
		expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(2000);
	});
});

describe('vercel.json', () => {
	const config = JSON.parse(readFileSync(`${dist}/vercel.json`, 'utf8'));
	const { routes, error } = getTransformedRoutes(config);

	/** As Vercel goes through them: a later one replaces a header of an earlier one. */
	const headersOf = (target: string) =>
		Object.assign({}, ...headerRoutes.filter(({ src }) => new RegExp(src).test(target)).map(({ headers }) => headers));
	const headerRoutes = (routes ?? []).filter(
		(route): route is typeof route & { src: string; headers: Record<string, string> } =>
			'headers' in route && 'continue' in route && !('status' in route),
	);

	test('is what Vercel takes', () => {
		expect(error).toBeNull();
	});

	test.each(documents)('has the headers of %s', (target) => {
		expect(headersOf(target)).toEqual(declared(target));
	});

	test('fingerprinted files are immutable', () => {
		for (const target of assets) expect(headersOf(target)).toEqual(withoutType(declared(target)));
	});

	test('leaves the headers of the function alone, and secures what is not there', () => {
		expect(headersOf('/api/contact')).toEqual({});
		expect(headersOf('/nothing')['content-security-policy']).toContain("default-src 'none'");
	});

	testWhereIssued('redirects a request for API access to its page, before it looks for files', () => {
		const at = (matches: (route: NonNullable<typeof routes>[number]) => boolean) => routes!.findIndex(matches);
		const redirect = at((route) => 'has' in route);
		expect(routes![redirect]).toMatchObject({
			src: '^/contact$',
			has: [{ type: 'query', key: 'for', value: 'api-access' }],
			headers: { Location: '/contact/api-access' },
			status: 307,
		});
		expect(redirect).toBeLessThan(at((route) => 'handle' in route));
	});

	test('sends /api/ to the function, and a slash at the end to the one address', () => {
		const routeOf = (target: string, kind: 'dest' | 'status') =>
			routes!.find((route) => kind in route && 'src' in route && new RegExp(route.src!).test(target));
		expect(routeOf('/api/contact', 'dest')).toMatchObject({ dest: '/api/function' });
		expect(routeOf('/contact/', 'status')).toMatchObject({ status: 308, headers: { Location: '/$1' } });
	});
});

testWhereIssued('netlify.toml shows the page for a request for API access, although there is a file at the path', async () => {
	const { redirects, errors } = await parseAllRedirects({
		redirectsFiles: [],
		netlifyConfigPath: `${dist}/netlify.toml`,
		configRedirects: [],
		minimal: true,
	});
	expect(errors).toEqual([]);
	expect(redirects).toEqual([
		expect.objectContaining({
			from: '/contact',
			query: { for: 'api-access' },
			to: '/contact/api-access',
			status: 200,
			force: true,
		}),
	]);
});

test.each(['vercel.json', '_headers', 'nginx.conf', 'netlify.toml'])('our own server does not publish %s', async (file) => {
	await using server = await startServer();
	expect((await fetch(`${server.url}/${file}`)).status).toBe(404);
});

describe.each([
	['api/function.mjs', ({ fetch }, request, address) => fetch!(withHeader(request, 'x-real-ip', address))],
	['netlify/api.mjs', (call, request, address) => call(request, { ip: address })],
] as [string, (entry: Entry, request: Request, address: string) => Promise<Response>][])('%s', (file, call) => {
	const ask = async (request: Request, address: string) => {
		const { default: entry } = (await import(/* @vite-ignore */ `${process.cwd()}/${dist}/${file}`)) as { default: Entry };
		return call(entry, request, address);
	};

	beforeAll(() => void vi.stubEnv('LOG_LEVEL', 'error'));
	afterAll(() => void vi.unstubAllEnvs());

	test('is the function', async () => {
		expect((await ask(new Request('https://www.website.test/api/status'), '192.0.2.1')).status).toBe(200);
	});

	test('counts the client that the host names, whatever it says of itself', async () => {
		const headers = { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${file.length}` };
		const post = (address: string) =>
			ask(new Request('https://www.website.test/api/contact', { method: 'POST', body: '{}', headers }), address);
		const remaining = async (address: string) => /r=(\d+)/.exec((await post(address)).headers.get('ratelimit')!)![1];
		const [one, other] = [`192.0.2.${file.length}`, `203.0.113.${file.length}`];
		expect([await remaining(one), await remaining(one), await remaining(other)]).toEqual(['19', '18', '19']);
	});
});

/** What the build makes for a host to call. */
type Entry = ((request: Request, context: { ip: string }) => Promise<Response>) & {
	fetch?(request: Request): Promise<Response>;
};

function withHeader(request: Request, name: string, value: string): Request {
	request.headers.set(name, value);
	return request;
}
