import type { Manifest } from '../server/manifest.ts';
import { ContentError } from '../service/content-error.ts';
import { paths } from '../service/links.ts';
import { told } from '../service/mistake.ts';

/** Where a file is published: `index.html` at `/`, `docs/api.html` at `/docs/api`, `openapi.json` at `/openapi.json`. */
export const urlPath = (file: string): string => `/${file}`.replace(/\.html$/, '').replace(/^\/index$/, '/');

/** @throws {ContentError} `paths` names an address, beside those of operations, at which nothing is published */
export function checkPaths(published: Manifest): void {
	const isPublished = (path: string) => path in published || path.startsWith('/api/');
	const missing = Object.entries(paths).filter(([, path]) => !isPublished(path.replace(/\?.*/, '')));
	if (missing.length > 0) throw new ContentError(missing.map(messageOf));
}

const messageOf = ([name, path]: [string, string]) =>
	told('src/service/links.ts', {
		found: `${name}: '${path}'`,
		wanted:
			'an address at which something is: write its page (src/pages) or its row in the table of documents (src/discovery/documents.ts), or delete the line',
	});
