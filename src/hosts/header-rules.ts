import { isNotFoundPage, type Manifest, type ManifestEntry, notFoundPages } from '../server/files/manifest.ts';

/** By lower-case name. */
export type HeaderValues = Record<string, string>;

/** The headers of every prebuilt file, in the few rules that the formats of hosts have room for. */
export interface HeaderRules {
	/** The headers that all files have, with the values of the page for unknown addresses. A file's own rule replaces a value. */
	everywhere: HeaderValues;
	/**
	 * Headers of the page for unknown addresses, without type, `vary`, `link` and caching, which the host sets itself there. Where a
	 * host can give them to unknown addresses only by a rule for all, every file carries them.
	 */
	unknown: HeaderValues;
	/** All headers of each file outside `assets`, by path. */
	documents: Record<string, HeaderValues>;
	/** The files with a fingerprint in their names, all below this path. Their types follow from their extensions. */
	assets: { folder: string; headers: HeaderValues };
}

const ASSETS = '/_astro/';

/** Sums up a manifest. */
export function headerRules(manifest: Manifest): HeaderRules {
	const files = Object.entries(manifest).filter(([path]) => !isNotFoundPage(path));
	const [assets, documents] = [true, false].map((fingerprinted) =>
		files.filter(([path]) => path.startsWith(ASSETS) === fingerprinted),
	) as [Entries, Entries];
	const headersOf = (entries: Entries) => entries.map(([, { headers }]) => headers);
	const {
		'content-type': _type,
		'cache-control': _cache,
		vary: _vary,
		link: _link,
		...unknown
	} = notFoundPages(manifest).at(-1)!.headers;
	return {
		everywhere: Object.fromEntries(
			Object.entries(unknown).filter(([name]) => headersOf(files).every((headers) => name in headers)),
		),
		unknown,
		documents: Object.fromEntries(
			documents.map(([path, { headers }]): [string, HeaderValues] => [path, headers]).toSorted(([a], [b]) => (a < b ? -1 : 1)),
		),
		assets: { folder: ASSETS, headers: common(headersOf(assets)) },
	};
}

type Entries = [string, Manifest[string]][];

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
