import { isNotFoundPage, isPage, type Manifest, notFoundPages } from '../../server/files/manifest.ts';
import { urlPath } from '../../facts/links.ts';
import type { HostFolder } from '../folder.ts';
import { headerRules, type HeaderRules, type HeaderValues, varyIfMarkdown, without, withoutVary } from '../header-rules.ts';

const OUTPUT = '.vercel/output';
/** A major version of Node.js that Vercel runs and we support. */
const RUNTIME = 'nodejs24.x';

/** For Vercel, in version 3 of its Build Output API, so that Vercel builds nothing. */
export const vercelFolder = (manifest: Manifest): HostFolder => ({
	files: `${OUTPUT}/static`,
	program: { name: 'vercel.mjs', folder: `${OUTPUT}/functions/api.func` },
	texts: {
		[`${OUTPUT}/config.json`]: pretty({ version: 3, routes: routes(manifest), overrides: overrides(manifest) }),
		[`${OUTPUT}/functions/api.func/.vc-config.json`]: pretty({
			runtime: RUNTIME,
			handler: 'vercel.mjs',
			launcherType: 'Nodejs',
			shouldAddHelpers: false,
		}),
	},
});

const pretty = (value: unknown) => `${JSON.stringify(value, null, '\t')}\n`;

/** Vercel applies routes in this order, up to the first without `continue`. */
function routes(manifest: Manifest): object[] {
	const documents = Object.entries(manifest).filter(([path]) => !isNotFoundPage(path));
	const rules = headerRules(manifest);
	return [
		{ src: '^/api(/.*)?$', dest: '/api' },
		...documents.map(([path]) => ({ src: exactPattern(path), methods: refused, dest: '/api' })),
		...headerRoutes(rules, manifest),
		{ src: '^(/.*)?/(404|index)$', status: 404 },
		...documents.flatMap(([path]) => (path === '/' ? [] : [slash(path)])),
		...documents.flatMap(([path, { markdown }]) => (markdown === undefined ? [] : [inMarkdown(path, markdown, manifest)])),
		{ handle: 'filesystem' },
		{ handle: 'error' },
		...notFoundPages(manifest).map(({ below, file }) => ({
			src: prefixPattern(below),
			status: 404,
			dest: urlPath(file),
			headers: rules.unknown,
		})),
	];
}

/** Methods that a page refuses. The function answers them with 405 and `Allow` (RFC 9110 section 15.5.6). */
const refused = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Matches clients that name Markdown first, without a q-value. */
const asksForMarkdown = { type: 'header', key: 'accept', value: '^text/markdown *(,.*)?$' };

const slash = (path: string) => ({ src: exactPattern(`${path}/`), status: 308, headers: { Location: path } });

/** Serves a page's Markdown at the page's path, with its own headers: Vercel has set those of the page by then. */
const inMarkdown = (path: string, dest: string, manifest: Manifest) => ({
	src: exactPattern(path),
	has: [asksForMarkdown],
	headers: { ...manifest[dest]!.headers, vary: manifest[path]!.headers['vary']!, 'content-location': dest },
	dest,
});

/** If several routes match a path, the last one wins, header by header. The function sets its own headers. */
function headerRoutes({ everywhere, documents, assets }: HeaderRules, manifest: Manifest): object[] {
	const narrower = (src: string, headers: HeaderValues) => headerRoute(src, without(headers, everywhere));
	return [
		headerRoute('^/(?!api/).*$', everywhere),
		narrower(prefixPattern(assets.folder), withoutVary(assets.headers)),
		...Object.entries(documents).map(([path, headers]) => narrower(exactPattern(path), varyIfMarkdown(headers, manifest[path]!))),
	];
}

const headerRoute = (src: string, headers: HeaderValues) => ({ src, headers, continue: true });

/** Pages are published without `.html`. */
const overrides = (manifest: Manifest) =>
	Object.fromEntries(
		Object.entries(manifest)
			.filter(([path, entry]) => isPage(path, entry))
			.map(([, { file }]) => [file, { path: file.replace(/\.html$/, '') }]),
	);

const exactPattern = (path: string) => `^${escaped(path)}$`;
const prefixPattern = (path: string) => `^${escaped(path)}.*$`;
const escaped = (path: string) => path.replaceAll(/[.+]/g, '\\$&');
