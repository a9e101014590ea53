import Negotiator from 'negotiator';

/** In characters: browsers send a tenth of this. A longer header is ignored, because each language in it takes time. */
const LONGEST_HEADER = 500;

/** Returns the languages that a client prefers, best first, without those that it refuses (RFC 9110, section 12.5.4). */
export function acceptedLanguages(header: string | null | undefined): string[] {
	if (!header || header.length > LONGEST_HEADER) return [];
	return new Negotiator({ headers: { 'accept-language': header } }).languages();
}
