import type { Manifest, ManifestEntry } from '../../server/manifest.ts';
import { isNotFoundPage, notFoundPages } from '../../server/not-found.ts';

/** By lower-case name. */
export type HeaderValues = Record<string, string>;

/** The headers of every prebuilt file, in the few rules that the formats of hosts have room for. */
export interface HeaderRules {
	/**
	 * What every address has one value or another of, as it is where there is no file. A rule for fewer addresses replaces a value.
	 * Caching is left to the host there.
	 */
	everywhere: HeaderValues;
	/** By path: each document, with all its headers. */
	documents: Record<string, HeaderValues>;
	/** The files with a fingerprint in their names, all below this path. Their types follow from their endings. */
	assets: { folder: string; headers: HeaderValues };
	/** Of a page that stands for what is not there. */
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

/** Of the headers of the page for what is not there those that every file has one of, but for its type and caching. */
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

/** The same where a host chooses between a page and its Markdown: only what has one form is without. */
export const variesHere = (headers: HeaderValues, { markdown }: ManifestEntry) =>
	markdown === undefined ? withoutVary(headers) : headers;

/** What all have, with the same value. */
function common([first = {}, ...rest]: HeaderValues[]): HeaderValues {
	return Object.fromEntries(Object.entries(first).filter(([name, value]) => rest.every((headers) => headers[name] === value)));
}
