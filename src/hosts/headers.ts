import { isNotFoundPage, type Manifest, notFoundPages } from '../server/manifest.ts';

/** By lower-case name. */
export type HeaderValues = Record<string, string>;

const ASSETS = '/_astro/';

/** Returns the headers of every prebuilt file, in the few rules that the formats of hosts have room for. */
export function headerRules(manifest: Manifest) {
	const files = Object.entries(manifest).filter(([path]) => !isNotFoundPage(path));
	const assets = files.filter(([path]) => path.startsWith(ASSETS));
	const headersOf = (entries: typeof files) => entries.map(([, { headers }]) => headers);
	// The host itself sets these there.
	const {
		'content-type': _type,
		'cache-control': _cache,
		vary: _vary,
		link: _link,
		...unknown
	} = notFoundPages(manifest).at(-1)!.headers;
	return {
		/** What all files have, and the page for unknown addresses. */
		everywhere: common([unknown, ...headersOf(files)]),
		/** Headers of the page for unknown addresses. */
		unknown,
		/** The files at addresses of their own. */
		documents: files.filter(([path]) => !path.startsWith(ASSETS)),
		/** The files with a fingerprint in their names, all below this path. Their types follow from their extensions. */
		assets: { folder: ASSETS, headers: withoutVary(common(headersOf(assets))) },
	};
}

/** Returns the headers that all have with the same value. */
const common = ([first = {}, ...rest]: HeaderValues[]): HeaderValues =>
	Object.fromEntries(Object.entries(first).filter(([name, value]) => rest.every((headers) => headers[name] === value)));

/** Removes `vary`: hosts have one form of most documents, and add the encoding to `Vary` themselves. */
export const withoutVary = ({ vary: _vary, ...headers }: HeaderValues): HeaderValues => headers;
