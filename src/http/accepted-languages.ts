import Negotiator from 'negotiator';

/** In characters: browsers send a tenth of it. Of a longer header nothing is read, since each language in it takes time. */
const LONGEST_HEADER = 500;

/** What a client likes to read, best first, but for what it refuses (RFC 9110, section 12.5.4). */
export function acceptedLanguages(header: string | null | undefined): string[] {
	if (!header || header.length > LONGEST_HEADER) return [];
	return new Negotiator({ headers: { 'accept-language': header } }).languages();
}
