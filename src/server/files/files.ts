import { readFileSync } from 'node:fs';
import { isNotFoundPage, type Manifest, type ManifestEntry, notFoundPages } from './manifest.ts';

/** A prebuilt file in memory, ready to be sent in each of its encodings. */
export interface PrebuiltFile {
	/** By content coding. `identity` is always there. */
	variants: Map<string, Variant>;
	/** The page in Markdown, at the same path, for clients that prefer it. */
	markdown?: PrebuiltFile | undefined;
}

/** One form of a file. */
export interface Variant {
	headers: Record<string, string>;
	body: Buffer;
}

/**
 * Loads the prebuilt files. Returns functions that look them up by path.
 *
 * @param server the URL of `dist/server/`
 */
export function loadFiles(server: URL) {
	const manifest = JSON.parse(readFileSync(new URL('files.json', server), 'utf8')) as Manifest;
	const bytes = readFileSync(new URL('files.bin', server));
	const entries = new Map(Object.entries(manifest).filter(([path]) => !isNotFoundPage(path)));
	const notFound = notFoundPages(manifest);
	const prepared = new Map<ManifestEntry, PrebuiltFile>();
	return {
		/** Returns the file at a path, if there is one. */
		fileAt(path: string): PrebuiltFile | undefined {
			const entry = entries.get(path);
			return entry && ready(entry);
		},
		notFoundPageFor: (path: string) => ready(notFound.find(({ below }) => path.startsWith(below))!),
	};

	/** Prepares a file for its first request: preparing all of them takes a tenth of the start. */
	function ready(entry: ManifestEntry): PrebuiltFile {
		const known = prepared.get(entry);
		if (known) return known;
		const file = { variants: variantsOf(entry, bytes), markdown: markdownOf(entry, manifest, bytes) };
		prepared.set(entry, file);
		return file;
	}
}

function markdownOf({ markdown, headers }: ManifestEntry, manifest: Manifest, bytes: Buffer): PrebuiltFile | undefined {
	const entry = markdown === undefined ? undefined : manifest[markdown];
	if (entry === undefined) return undefined;
	// RFC 9110 section 8.7: the address that has only this representation.
	const own = { vary: headers['vary']!, 'content-location': markdown! };
	return { variants: variantsOf({ ...entry, headers: { ...entry.headers, ...own } }, bytes) };
}

function variantsOf({ headers, etag, bodies }: ManifestEntry, bytes: Buffer): Map<string, Variant> {
	return new Map(
		Object.entries(bodies).map(([encoding, [from, to]]) => {
			const own: Record<string, string> = encoding === 'identity' ? { etag } : encodedHeaders(encoding, etag);
			return [encoding, { body: bytes.subarray(from, to), headers: { ...headers, ...own, 'content-length': String(to - from) } }];
		}),
	);
}

/** Another representation needs another strong validator (RFC 9110 section 8.8.3). */
const encodedHeaders = (encoding: string, etag: string) => ({
	'content-encoding': encoding,
	etag: etag.replace(/"$/, `-${encoding}"`),
});
