import { globSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cloudflareFolder } from '../../src/hosts/cloudflare/folder.ts';
import { hosts, tooLargeForLambda } from '../../src/hosts/hosts.ts';
import { netlifyFolder } from '../../src/hosts/netlify/folder.ts';
import { vercelFolder } from '../../src/hosts/vercel/folder.ts';
import type { Manifest } from '../../src/server/manifest.ts';

const dist = 'var/test/dist';
const manifest = JSON.parse(readFileSync(`${dist}/server/files.json`, 'utf8')) as Manifest;

test.each(Object.keys(hosts))('the function for %s carries no image tools, no server and no SQLite', (host) => {
	const files = globSync(`${dist}/hosts/${host}/{**,.vercel/**}/*.mjs`);
	expect(files.length).toBeGreaterThan(1);
	expect(files.filter((file) => /detect-libc|createServer\(|node:sqlite/.test(readFileSync(file, 'utf8')))).toEqual([]);
});

test('nothing that is deployed names a folder of the machine that built it', () => {
	const files = globSync(`${dist}/{server,hosts}/{**,.vercel/**,**/.vercel/**}/*`).filter((file) => statSync(file).isFile());
	expect(files.length).toBeGreaterThan(100);
	// As a file URL or as a path, on any system.
	const home = process.cwd().replaceAll('\\', '/');
	const names = (text: string) => text.includes(home) || text.includes(encodeURI(home));
	expect(files.filter((file) => names(readFileSync(file, 'utf8')))).toEqual([]);
});

test('Cloudflare keeps no addresses of requests, which may be links that act', () => {
	const { written } = cloudflareFolder(manifest, { identifier: 'site' });
	expect(written['wrangler.jsonc']).toMatchObject({ observability: { logs: { enabled: true, invocation_logs: false } } });
});

test('the build warns of a file that is too large for an answer of Lambda', () => {
	const sized = (length: number): Manifest => ({ '/talk.mp3': { ...manifest['/404']!, bodies: { identity: [5, 5 + length] } } });
	expect(tooLargeForLambda(sized(4_400_000))).toBeUndefined();
	expect(tooLargeForLambda(sized(4_400_001))).toContain('/talk.mp3');
});

test('below a path with a page of its own for unknown addresses, that page is shown', () => {
	const found = Object.entries(manifest).filter(([path]) => !path.endsWith('/404'));
	const [ours, german] = [manifest['/404']!, { ...manifest['/404']!, file: 'de/404.html' }];
	const languages: Manifest = { ...Object.fromEntries(found), '/404': ours, '/de/404': german };
	const toml = netlifyFolder(languages).written['netlify.toml'];
	expect(toml).toMatch(/"\/de\/\*"\nto = "\/de\/404.html"[^]*"\/\*"\nto = "\/404.html"/);
	const { routes } = vercelFolder(languages).written['.vercel/output/config.json'] as { routes: object[] };
	expect(routes.at(-2)).toMatchObject({ src: '^/de/.*$', dest: '/de/404' });
	expect(routes.at(-1)).toMatchObject({ src: '^/.*$', dest: '/404' });
});
