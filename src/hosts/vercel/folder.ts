import { urlPath } from '../../facts/links.ts';
import { type Manifest, notFoundPages } from '../../server/manifest.ts';
import { headerRules, withoutVary } from '../headers.ts';

const OUTPUT = '.vercel/output';

/** For Vercel, in version 3 of its Build Output API, so that Vercel builds nothing. */
export const vercelFolder = (manifest: Manifest) => ({
	files: `${OUTPUT}/static`,
	program: `${OUTPUT}/functions/api.func`,
	written: {
		[`${OUTPUT}/config.json`]: { version: 3, routes: routes(manifest), overrides: overrides(manifest) },
		[`${OUTPUT}/functions/api.func/.vc-config.json`]: {
			// A version that Vercel runs and we support.
			runtime: 'nodejs24.x',
			handler: 'vercel.mjs',
			launcherType: 'Nodejs',
			shouldAddHelpers: false,
		},
	},
});

/** Vercel applies routes in this order, up to the first without `continue`. If several set a header, the last one wins. The function sets its own headers. */
function routes(manifest: Manifest): object[] {
	const { unknown, documents, assets } = headerRules(manifest);
	const pages = documents.filter(([, { markdown }]) => markdown !== undefined);
	return [
		{ src: '^/(api|lead)(/.*)?$', dest: '/api' },
		// The function answers other methods with 405 and `Allow` (RFC 9110 section 15.5.6).
		...documents.map(([path]) => ({ src: exactly(path), methods: ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], dest: '/api' })),
		withHeaders(below(assets.folder), assets.headers),
		...documents.map(([path, { headers, markdown }]) => withHeaders(exactly(path), markdown ? headers : withoutVary(headers))),
		{ src: '^(/.*)?/(404|index)$', status: 404 },
		...documents
			.filter(([path]) => path !== '/')
			.map(([path]) => ({ src: exactly(`${path}/`), status: 308, headers: { Location: path } })),
		// Clients that name Markdown first, without a q-value. Vercel has set the headers of the page by then.
		...pages.map(([path, { markdown = '', headers }]) => ({
			src: exactly(path),
			has: [{ type: 'header', key: 'accept', value: '^text/markdown *(,.*)?$' }],
			headers: { ...manifest[markdown]!.headers, vary: headers['vary'], 'content-location': markdown },
			dest: markdown,
		})),
		{ handle: 'filesystem' },
		{ handle: 'error' },
		...notFoundPages(manifest).map((page) => ({
			src: below(page.below),
			status: 404,
			dest: urlPath(page.file),
			headers: unknown,
		})),
	];
}

const withHeaders = (src: string, headers: Record<string, string>) => ({ src, headers, continue: true });

/** Pages are published without `.html`, unlike files of `public/`. */
const overrides = (manifest: Manifest) =>
	Object.fromEntries(
		Object.entries(manifest)
			.filter(([path, { file }]) => file.endsWith('.html') && path !== `/${file}`)
			.map(([, { file }]) => [file, { path: file.replace(/\.html$/, '') }]),
	);

const exactly = (path: string) => `^${escaped(path)}$`;
const below = (path: string) => `^${escaped(path)}.*$`;
const escaped = (path: string) => path.replaceAll(/[.+]/g, '\\$&');
