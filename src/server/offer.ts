import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Encoding, ManifestEntry } from './manifest.ts';

/** The attribute that hides an offer, as it stands in a page. */
export const HIDING = ' hidden';

/** A page that offers itself in another language. */
export interface OfferingPage {
	headers: Record<string, string>;
	etag: string;
	bodies: Partial<Record<Encoding, Buffer>>;
}

/**
 * A page with one of its offers shown. No shared cache keeps it, so that none gives it to another reader: what caches have is the page as
 * it was built, which a script completes.
 *
 * @param bytes the page as it was built
 * @param at where the offer is hidden
 */
export function offeringPage(entry: ManifestEntry, bytes: Buffer, language: string, at: number): OfferingPage {
	const identity = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + HIDING.length)]);
	const bodies = Object.keys(entry.bodies).map((encoding) => [encoding, compressions[encoding as Encoding](identity)]);
	return {
		headers: {
			...entry.headers,
			'cache-control': 'private, no-cache',
			vary: ['Accept-Language', entry.headers['vary']].filter(Boolean).join(', '),
		},
		// `br` is Breton too: told from the codings that follow.
		etag: entry.etag.replace(/"$/, `-in-${language}"`),
		bodies: Object.fromEntries(bodies) as OfferingPage['bodies'],
	};
}

/** In half a millisecond each, for what the build takes its time. */
const compressions: Record<Encoding, (body: Buffer) => Buffer> = {
	br: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
	gzip: (body) => gzipSync(body),
	identity: (body) => body,
};
