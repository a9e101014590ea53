import type { Manifest } from '../../server/manifest.ts';

/** Headers by lower-case name. */
export type Headers = Record<string, string>;

/** The headers of every prebuilt file, in the few rules that the formats of hosts have room for. */
export interface HeaderRules {
	/** What every file has, with the same value. Right for an address that leads to no file, too. */
	shared: Headers;
	/** By path: each document, with all its headers. */
	documents: Record<string, Headers>;
	/** The files with a fingerprint in their names, all below this path. Their types follow from their endings. */
	assets: { folder: string; headers: Headers };
	/** The page that stands for all others, which is no document of its own. */
	notFound: Headers;
}

const ASSETS = '/_astro/';

/** Sums up a manifest. */
export function headerRules(manifest: Manifest): HeaderRules {
	const { '/404': notFound, ...files } = manifest;
	const [assets, documents] = [true, false].map((fingerprinted) =>
		Object.entries(files).filter(([path]) => path.startsWith(ASSETS) === fingerprinted),
	) as [Entries, Entries];
	const headersOf = (entries: Entries) => entries.map(([, { headers }]) => headers);
	return {
		shared: common(headersOf([...documents, ...assets])),
		documents: Object.fromEntries(
			documents.map(([path, { headers }]): [string, Headers] => [path, headers]).toSorted(([a], [b]) => (a < b ? -1 : 1)),
		),
		assets: { folder: ASSETS, headers: common(headersOf(assets)) },
		notFound: notFound!.headers,
	};
}

type Entries = [string, Manifest[string]][];

/** The headers without those of others that have the same value. */
export const without = (headers: Headers, others: Headers): Headers =>
	Object.fromEntries(Object.entries(headers).filter(([name, value]) => others[name] !== value));

/** What all have, with the same value. */
function common([first = {}, ...rest]: Headers[]): Headers {
	return Object.fromEntries(Object.entries(first).filter(([name, value]) => rest.every((headers) => headers[name] === value)));
}
