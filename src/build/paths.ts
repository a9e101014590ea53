import type { Manifest } from '../server/manifest.ts';
import { ContentError } from '../service/content-error.ts';
import { paths } from '../service/links.ts';

/** @throws {ContentError} `paths` names an address, beside those of operations, at which nothing is published */
export function checkPaths(published: Manifest): void {
	const missing = Object.entries(paths).filter(([, path]) => !(path in published) && !path.startsWith('/api/'));
	if (missing.length > 0) throw new ContentError(missing.map(messageOf));
}

/** Without the word “document”, at which Astro would print a hint about browsers. */
const messageOf = ([name, path]: [string, string]) =>
	`src/service/links.ts: found ${name}: '${path}', wanted an address at which something is. Write its page in src/pages or its row in the table of src/discovery, or delete the line.`;
