import type { Manifest } from '../server/manifest.ts';
import { ContentError } from '../service/content-error.ts';
import { paths } from '../service/links.ts';

/** @throws {ContentError} `paths` names an address at which no page, document or operation is */
export function checkPaths(published: Manifest): void {
	const { submitLead, getStatus, ...files } = paths;
	const missing = Object.entries(files).filter(([, path]) => !(path in published));
	if (missing.length > 0) throw new ContentError(missing.map(messageOf));
}

/** Without the word “document”, at which Astro would print a hint about browsers. */
const messageOf = ([name, path]: [string, string]) =>
	`src/service/links.ts: found ${name}: '${path}', wanted an address at which something is. Write its page in src/pages or its row in the table of src/discovery, or delete the line.`;
