import { readFileSync } from 'node:fs';
import type { Manifest, ManifestEntry } from './manifest.ts';
import { isNotFoundPage, notFoundPages } from './not-found.ts';
import { offeringPage, type OfferingPage } from './offer.ts';

/** A prebuilt file in memory, ready to be sent in each of its encodings. */
export interface PrebuiltFile {
	/** By content coding; `identity` is always there. */
	variants: Map<string, Variant>;
	/** The same in Markdown, at the same path, for those who ask for that. */
	markdown?: PrebuiltFile | undefined;
	/** By language: the same with its offer in that shown, where it has one. */
	offering?: ((language: string) => PrebuiltFile | undefined) | undefined;
	/** What is sent in its place to who asks for it by `?for=api-access`. */
	accessRequest?: PrebuiltFile | undefined;
}

interface Variant {
	headers: Record<string, string>;
	body: Buffer;
}

/** Every prebuilt file by the path of its URL, and apart from them the pages that stand for an address at which nothing is. */
export function loadFiles(server: URL) {
	const manifest = JSON.parse(readFileSync(new URL('files.json', server), 'utf8')) as Manifest;
	const bytes = readFileSync(new URL('files.bin', server));
	const entries = new Map(Object.entries(manifest).filter(([path]) => !isNotFoundPage(path)));
	const standIns = notFoundPages(manifest);
	const made = new Map<ManifestEntry, PrebuiltFile>();
	return {
		/** Undefined: there is none. */
		fileAt(path: string): PrebuiltFile | undefined {
			const entry = entries.get(path);
			return entry && ready(entry);
		},
		notFoundPageFor: (path: string) => ready(standIns.find(({ below }) => path.startsWith(below))!),
	};

	/** Made when somebody is first to ask for it: to make all of them takes a tenth of the start. */
	function ready(entry: ManifestEntry): PrebuiltFile {
		const known = made.get(entry);
		if (known) return known;
		const file = fileOf(entry, manifest, bytes);
		made.set(entry, file);
		return file;
	}
}

function fileOf(entry: ManifestEntry, manifest: Manifest, bytes: Buffer): PrebuiltFile {
	const request = entry.accessRequest === undefined ? undefined : manifest[entry.accessRequest];
	return {
		variants: variantsOf(packed(entry, bytes)),
		offering: offeringOf(entry, bytes),
		markdown: markdownOf(entry, manifest, bytes),
		accessRequest: request && fileOf(request, manifest, bytes),
	};
}

function markdownOf({ markdown, headers }: ManifestEntry, manifest: Manifest, bytes: Buffer): PrebuiltFile | undefined {
	const entry = markdown === undefined ? undefined : manifest[markdown];
	if (entry === undefined) return undefined;
	// RFC 9110 section 8.7: the address that has this representation only.
	const own = { vary: headers['vary']!, 'content-location': markdown! };
	return { variants: variantsOf(packed({ ...entry, headers: { ...entry.headers, ...own } }, bytes)) };
}

/** Each page is made once, when somebody is first to see it: there are as many as pages times languages. */
function offeringOf(entry: ManifestEntry, bytes: Buffer): PrebuiltFile['offering'] {
	const { offers } = entry;
	if (offers === undefined) return undefined;
	const made = new Map<string, PrebuiltFile>();
	return (language) => {
		const at = offers[language];
		if (at !== undefined && !made.has(language)) {
			const page = offeringPage(entry, packed(entry, bytes).bodies.identity!, language, at);
			made.set(language, { variants: variantsOf(page) });
		}
		return made.get(language);
	};
}

function packed({ headers, etag, bodies }: ManifestEntry, bytes: Buffer): OfferingPage {
	const own = Object.entries(bodies).map(([encoding, [from, to]]) => [encoding, bytes.subarray(from, to)]);
	return { headers, etag, bodies: Object.fromEntries(own) as OfferingPage['bodies'] };
}

function variantsOf({ headers, etag, bodies }: OfferingPage): Map<string, Variant> {
	return new Map(
		Object.entries(bodies).map(([encoding, body]) => {
			const own: Record<string, string> = encoding === 'identity' ? { etag } : encodedHeaders(encoding, etag);
			return [encoding, { body, headers: { ...headers, ...own, 'content-length': String(body.length) } }];
		}),
	);
}

/** Another representation, so another strong validator (RFC 9110 section 8.8.3). */
const encodedHeaders = (encoding: string, etag: string) => ({
	'content-encoding': encoding,
	etag: etag.replace(/"$/, `-${encoding}"`),
});
