/** How one prebuilt file goes out. */
export interface ManifestEntry {
	/** Its path below `dist/client`. */
	file: string;
	/** The headers of a 200, by lower-case name, but for those that depend on the encoding. */
	headers: Record<string, string>;
	/** Strong, for the file as it is (RFC 9110 section 8.8.3). */
	etag: string;
	/** Where its bytes lie in `files.bin` (from, up to), by content coding, best first. `identity` is always there, at the end. */
	bodies: Partial<Record<Encoding, [from: number, to: number]>>;
	/** The path of the same page in Markdown. */
	markdown?: string;
	/** Where in the page its offer in another language is hidden: the first byte of that attribute, by language. */
	offers?: Record<string, number>;
	/** The path of the page that `?for=api-access` shows at the same path. */
	accessRequest?: string;
}

/** By the path of the URL. */
export type Manifest = Record<string, ManifestEntry>;

/** Content codings (RFC 9110 section 8.4.1) that files are prepared in, best first. */
export const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];
