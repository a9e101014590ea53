/** How to send one prebuilt file. */
export interface ManifestEntry {
	/** Its path below `dist/client`. */
	file: string;
	/** The headers of a 200, by lower-case name, except those that depend on the encoding. */
	headers: Record<string, string>;
	/** The strong validator of the plain file (RFC 9110 section 8.8.3). */
	etag: string;
	/** The place of its bytes in `files.bin` (from, up to), by content coding, best first. The last is always `identity`. Cloudflare's has this alone. */
	bodies: Partial<Record<Encoding, [from: number, to: number]>>;
	/** The path of the same page in Markdown. */
	markdown?: string;
}

/** By the path of the URL. */
export type Manifest = Record<string, ManifestEntry>;

/** Content codings (RFC 9110 section 8.4.1) that files are prepared in, best first. */
export const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

/** Returns whether a path is a page without an address of its own. */
export const isNotFoundPage = (path: string) => path.endsWith('/404');

/** Returns the pages for missing addresses `below` a path that ends with a slash. If two fit an address, the first one counts. */
export const notFoundPages = (manifest: Manifest): (ManifestEntry & { below: string })[] =>
	Object.entries(manifest)
		.filter(([path]) => isNotFoundPage(path))
		.map(([path, entry]) => Object.assign({ below: path.slice(0, -'404'.length) }, entry))
		.toSorted((a, b) => b.below.length - a.below.length);
