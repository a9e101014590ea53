import { paths } from '../facts/links.ts';
import type { Source } from './source.ts';
import { publishedText } from './text.ts';

/**
 * `/auth.md` (github.com/workos/auth.md, v0.1.0). It lists the other documents.
 *
 * @throws {ContentError} as {@link publishedText}
 */
export function authMd(source: Source): string {
	const documents = source.documents.filter(({ path }) => path !== paths.authMd);
	return publishedText(source.authMd, 'content/auth.md', { ...source, documents });
}
