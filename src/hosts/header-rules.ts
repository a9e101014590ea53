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

/**
 * Lets documents share rules, for hosts that have room for few. A pattern stands for documents whose headers differ only in a part
 * of the path: `:part` is that part, in path and values, as in `/docs/:part` and `</docs/:part.md>`. A document has its `exact`
 * headers or, without any, those of the last pattern that fits it, which is the longest.
 *
 * @param part what the host takes for `:part`, as a regular expression
 */
export function shareRules(documents: Record<string, HeaderValues>, part: string): Record<'patterns' | 'exact', Rule[]> {
	const all = Object.entries(documents);
	const candidates = all.flatMap(([path, headers]) => patternsOf(path).map((pattern) => generalRule(pattern, path, headers)));
	const shared = [...Map.groupBy(candidates, String).values()]
		.filter((alike) => alike.length > 2)
		.toSorted((a, b) => a.length - b.length)
		.map(([first]) => {
			const [pattern, headers] = first!;
			return { pattern, headers, fits: new RegExp(`^${escaped(pattern).replace(escaped(PART), part)}$`) };
		})
		.toSorted((a, b) => a.pattern.length - b.pattern.length);
	const patternFor = (path: string) => shared.findLast(({ fits }) => fits.test(path));
	const used = new Set(all.map(([path]) => patternFor(path)));
	const exact = all.filter(([path, headers]) => {
		const found = patternFor(path);
		return found === undefined || generalRule(found.pattern, path, headers)[1] !== found.headers;
	});
	return {
		patterns: shared
			.filter((each) => used.has(each))
			.map(({ pattern, headers }) => [pattern, Object.fromEntries(JSON.parse(headers))]),
		exact,
	};
}

type Rule = [path: string, headers: HeaderValues];

const PART = ':part';

const escaped = (text: string) => text.replace(/\W/g, '\\$&');

/**
 * Replaces each name in a path in turn. Not at the root or in `.well-known`: a pattern there would fit addresses of all kinds. Nor in
 * files of `public/` that end in `.html`: it would fit pages, which hosts keep under such names.
 */
const patternsOf = (path: string) =>
	[...path.matchAll(/(?<=^\/|^\/\w.*\/)[^/.]+/g)]
		.map(({ 0: name, index }) => path.slice(0, index) + PART + path.slice(index + name.length))
		.filter((pattern) => pattern.includes('/', 1) && !pattern.endsWith('.html'));

/** Returns a pattern and, as JSON, the headers of a document that it fits, with `:part` in place of the part. */
function generalRule(pattern: string, path: string, headers: HeaderValues): [string, string] {
	const start = pattern.indexOf(PART);
	const part = path.slice(start, path.length - pattern.length + start + PART.length);
	const inPaths = new RegExp(`(?<=/)${escaped(part)}(?=[/.>])`, 'g');
	return [pattern, JSON.stringify(Object.entries(headers).map(([name, value]) => [name, value.replace(inPaths, PART)]))];
}
