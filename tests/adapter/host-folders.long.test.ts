import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { netlifyFolder } from '../../src/hosts/netlify/folder.ts';
import { vercelFolder } from '../../src/hosts/vercel/folder.ts';
import type { Manifest } from '../../src/server/files/manifest.ts';
import { startServer } from '../support/server.ts';

const dist = 'var/test/dist';
const hosts = `${dist}/hosts`;
const vercelOutput = `${hosts}/vercel/.vercel/output`;
const manifest = JSON.parse(readFileSync(`${dist}/server/files.json`, 'utf8')) as Manifest;
const documents = Object.keys(manifest).filter((target) => !target.endsWith('/404') && !target.startsWith('/_astro/'));
const assets = Object.keys(manifest).filter((target) => target.startsWith('/_astro/'));
const pages = documents.filter((target) => manifest[target]!.markdown);

type Headers = Record<string, string>;

/** Returns the server's headers without `Vary`: these hosts compress by themselves, and set it. */
const declared = (target: string): Headers => without('vary', manifest[target]!.headers);
const without = (name: string, headers: Headers): Headers =>
	Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name));

describe.each([
	['cloudflare', 'assets', ['_headers']],
	['lambda', 'files', []],
	['netlify', 'files', []],
	['vercel', '.vercel/output/static', []],
] as [string, string, string[]][])('the folder for %s', (host, folder, others) => {
	test('publishes what was built, and neither compressed copies nor files of hosts', () => {
		const files = globSync('{*,.*/**,**}', { cwd: `${hosts}/${host}/${folder}` }).filter((file) =>
			statSync(`${hosts}/${host}/${folder}/${file}`).isFile(),
		);
		const built = Object.values(manifest).map(({ file }) => file);
		expect(new Set(files)).toEqual(new Set([...built, ...others]));
	});

	test('carries no image tools, and none of the server', () => {
		const programs = globSync('{.vercel/**,**}/chunks/*.mjs', { cwd: `${hosts}/${host}` }).map((file) =>
			readFileSync(`${hosts}/${host}/${file}`, 'utf8'),
		);
		expect(programs.length).toBeGreaterThan(0);
		expect(programs.filter((text) => /detect-libc|createServer\(/.test(text))).toEqual([]);
	});
});

describe('Cloudflare', () => {
	const text = readFileSync(`${hosts}/cloudflare/assets/_headers`, 'utf8');
	const rules = text.trim().split('\n\n').map(ruleFrom);

	/** Applies rules as Cloudflare does: it joins values, so a rule must remove a name before it sets it again; `:part` is a part of the path. */
	function headersOf(target: string): Headers {
		const headers: Headers = {};
		for (const { lines, fits } of rules.filter(({ fits }) => fits.test(target))) {
			const { part = '' } = fits.exec(target)!.groups ?? {};
			for (const [name, value] of lines) {
				if (value === undefined) delete headers[name];
				else expect(headers).not.toHaveProperty([name]);
				if (value !== undefined) headers[name] = value.replaceAll(':part', part);
			}
		}
		return headers;
	}

	const { 'content-type': _type, 'cache-control': _cache, link: _link, ...policies } = declared('/404');

	test.each(documents)('%s has its headers', (target) => {
		expect(without('vary', headersOf(target))).toEqual({ ...policies, ...declared(target) });
	});

	test('fingerprinted files are immutable', () => {
		for (const target of assets) expect(headersOf(target)).toEqual({ ...policies, ...without('content-type', declared(target)) });
	});

	test.each(['/nothing', '/docs/nothing', '/nothing.js'])('%s, which leads nowhere, has every security header', (target) => {
		expect(headersOf(target)).toMatchObject(policies);
	});

	test('its limits are kept: 100 rules, 2,000 characters a line', () => {
		expect(rules.length).toBeLessThanOrEqual(100);
		expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(2000);
	});

	test('only the API costs a call of the worker', () => {
		const { main, assets } = JSON.parse(readFileSync(`${hosts}/cloudflare/wrangler.jsonc`, 'utf8'));
		expect(statSync(`${hosts}/cloudflare/${main}`).isFile()).toBe(true);
		expect(assets).toMatchObject({ directory: 'assets', run_worker_first: ['/api/*'], not_found_handling: '404-page' });
	});
});

/** Reads a path and the lines below it: `name: value`, or `! name` to remove the header of an earlier rule. */
function ruleFrom(block: string): { fits: RegExp; lines: [string, string | undefined][] } {
	const [rule, ...lines] = block.split('\n');
	return {
		fits: new RegExp(`^${RegExp.escape(rule!).replaceAll('\\*', '.*').replace('\\x3apart', '(?<part>[^/]+)')}$`),
		lines: lines.map((line) => {
			const [, removed, name, value] = /^ {2}(?:! (\S+)|([^:]+): (.*))$/.exec(line)!;
			return [removed ?? name!, value];
		}),
	};
}

test('Vercel sends nobody elsewhere, and shows the page for what is not there at no address', () => {
	const { routes } = JSON.parse(readFileSync(`${vercelOutput}/config.json`, 'utf8')) as { routes: RouteMembers[] };
	const statusOf = (target: string) => routes.find(({ src, status }) => status && new RegExp(src ?? '^x').test(target))!.status;
	expect(['/docs/', '//docs/', '/404', '/index'].map(statusOf)).toEqual([308, 404, 404, 404]);
});

test('the limit of functions of CloudFront is kept: 10 kB', () => {
	for (const name of ['request', 'response'])
		expect(readFileSync(`${hosts}/lambda/cloudfront/${name}.js`).length).toBeLessThan(10_240);
});

test.each([(target: string) => target, (target: string) => manifest[target]!.markdown!])(
	'from CloudFront Markdown has its own headers, whichever address its answer comes with',
	(uriOf) => {
		const program = readFileSync(`${hosts}/lambda/cloudfront/response.js`, 'utf8');
		const onResponse = new Function('event', `${program}; return handler(event);`) as (event: object) => { headers: object };
		for (const target of pages) {
			const response = { headers: { 'content-type': { value: 'text/markdown' } } };
			expect(onResponse({ request: { uri: uriOf(target) }, response }).headers).toMatchObject({
				'content-type': { value: 'text/markdown; charset=utf-8' },
				link: { value: declared(manifest[target]!.markdown!)['link'] },
			});
		}
	},
);

test('below a path that has a page of its own for what is not there, that page is shown', () => {
	const found = Object.entries(manifest).filter(([path]) => !path.endsWith('/404'));
	const languages: Manifest = {
		...Object.fromEntries(found),
		'/404': manifest['/404']!,
		'/de/404': { ...manifest['/404']!, file: 'de/404.html' },
	};
	expect(netlifyFolder(languages).texts['netlify.toml']).toMatch(
		/"\/de\/\*"\nto = "\/de\/404.html"[^]*"\/\*"\nto = "\/404.html"/,
	);
	const { routes } = JSON.parse(vercelFolder(languages).texts['.vercel/output/config.json']!) as { routes: RouteMembers[] };
	expect(routes.slice(-2).map(({ src, dest }) => [src, dest])).toEqual([
		['^/de/.*$', '/de/404'],
		['^/.*$', '/404'],
	]);
});

interface RouteMembers {
	src?: string;
	dest?: string;
	status?: number;
}

test.each(['vercel.json', '_headers', 'netlify.toml'])('our own server does not publish %s', async (file) => {
	await using server = await startServer();
	expect((await fetch(`${server.url}/${file}`)).status).toBe(404);
});

test.each(['cloudflare', 'lambda', 'netlify', 'vercel'])('the function of %s loads no SQLite, which its host lacks', (host) => {
	const programs = readdirSync(`${hosts}/${host}`, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.mjs'));
	expect(programs.length).toBeGreaterThan(1);
	expect(programs.filter((file) => readFileSync(`${hosts}/${host}/${file}`, 'utf8').includes('node:sqlite'))).toEqual([]);
});
