import { isNotFoundPage, type Manifest, type ManifestEntry, notFoundPages } from '../../server/manifest.ts';

/** By lower-case name. */
export type HeaderValues = Record<string, string>;

/** The headers of every prebuilt file, in the few rules that the formats of hosts have room for. */
export interface HeaderRules {
	/**
	 * Headers that every address has, with the values of the page for unknown addresses. A rule for fewer addresses replaces a value.
	 * Caching is left to the host there.
	 */
	everywhere: HeaderValues;
	/** By path: each document, with all its headers. */
	documents: Record<string, HeaderValues>;
	/** The files with a fingerprint in their names, all below this path. Their types follow from their endings. */
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

/** The headers of the page for unknown addresses that every file has too, except its type and caching. */
const policies = (notFound: HeaderValues, others: HeaderValues[]): HeaderValues =>
	Object.fromEntries(
		Object.entries(notFound).filter(
			([name]) => !['content-type', 'cache-control', 'vary'].includes(name) && others.every((headers) => name in headers),
		),
	);

/** The headers without those of others that have the same value. */
export const without = (headers: HeaderValues, others: HeaderValues): HeaderValues =>
	Object.fromEntries(Object.entries(headers).filter(([name, value]) => others[name] !== value));

/** Hosts have one form of each document, and say themselves that answers vary by the encoding. */
export function withoutVary({ vary: _vary, ...headers }: HeaderValues): HeaderValues {
	return headers;
}

/** Removes `vary` from documents with one form only, for hosts that choose between a page and its Markdown. */
export const variesHere = (headers: HeaderValues, { markdown }: ManifestEntry) =>
	markdown === undefined ? withoutVary(headers) : headers;

/** The headers that all of them have with the same value. */
function common([first = {}, ...rest]: HeaderValues[]): HeaderValues {
	return Object.fromEntries(Object.entries(first).filter(([name, value]) => rest.every((headers) => headers[name] === value)));
}
