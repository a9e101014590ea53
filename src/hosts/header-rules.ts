import { isNotFoundPage, type Manifest, type ManifestEntry, notFoundPages } from '../server/files/manifest.ts';

/** By lower-case name. */
export type HeaderValues = Record<string, string>;

/** The headers of every prebuilt file, in the few rules that the formats of hosts have room for. */
export interface HeaderRules {
	/**
	 * Headers for every address: those of the page for unknown addresses that all files have, with that page's values. A file's
	 * own rule replaces a value. Without type, `vary` and caching, which the host sets itself for unknown addresses.
	 */
	everywhere: HeaderValues;
	/** All headers of each file outside `assets`, by path. */
	documents: Record<string, HeaderValues>;
	/** The files with a fingerprint in their names, all below this path. Their types follow from their extensions. */
	assets: { folder: string; headers: HeaderValues };
	/** Headers of the page for unknown addresses. */
	notFound: HeaderValues;
}

const ASSETS = '/_astro/';

/** Sums up a manifest. */
export function headerRules(manifest: Manifest): HeaderRules {
	const files = Object.entries(manifest).filter(([path]) => !isNotFoundPage(path));
	const [assets, documents] = [true, false].map((fingerprinted) =>
		files.filter(([path]) => path.startsWith(ASSETS) === fingerprinted),
	) as [Entries, Entries];
	const headersOf = (entries: Entries) => entries.map(([, { headers }]) => headers);
	const notFound = notFoundPages(manifest).at(-1)!.headers;
	return {
		everywhere: policies(notFound, headersOf(files)),
		documents: Object.fromEntries(
			documents.map(([path, { headers }]): [string, HeaderValues] => [path, headers]).toSorted(([a], [b]) => (a < b ? -1 : 1)),
		),
		assets: { folder: ASSETS, headers: common(headersOf(assets)) },
		notFound,
	};
}

type Entries = [string, Manifest[string]][];

/** Returns the headers of the page for unknown addresses that every file has too, except type and caching. */
const policies = (notFound: HeaderValues, others: HeaderValues[]): HeaderValues =>
	Object.fromEntries(
		Object.entries(notFound).filter(
			([name]) => !['content-type', 'cache-control', 'vary'].includes(name) && others.every((headers) => name in headers),
		),
	);

/** Returns the headers whose values differ from `others`. */
export const without = (headers: HeaderValues, others: HeaderValues): HeaderValues =>
	Object.fromEntries(Object.entries(headers).filter(([name, value]) => others[name] !== value));

/** Removes `vary`: hosts have one form of each document, and add the encoding to `Vary` themselves. */
export function withoutVary({ vary: _vary, ...headers }: HeaderValues): HeaderValues {
	return headers;
}

/** Removes `vary` from documents with one form only, for hosts that choose between a page and its Markdown. */
export const varyIfMarkdown = (headers: HeaderValues, { markdown }: ManifestEntry) =>
	markdown === undefined ? withoutVary(headers) : headers;

/** Returns the headers that all have with the same value. */
function common([first = {}, ...rest]: HeaderValues[]): HeaderValues {
	return Object.fromEntries(Object.entries(first).filter(([name, value]) => rest.every((headers) => headers[name] === value)));
}
