import type { Manifest } from '../server/manifest.ts';
import { paths } from '../facts/links.ts';
import { ContentError, mistakeText } from '../facts/mistake.ts';
import type { Service } from '../facts/schema.ts';

/**
 * Checks that each of {@link paths} is published.
 *
 * @param keys whether we issue API keys: if not, the page that asks for one does not exist
 * @throws {ContentError} `paths` names an address that is no operation and has no file
 */
export function checkPaths(published: Manifest, keys: Service['keys']): void {
	const isPublished = (path: string) =>
		path in published || path.startsWith('/api/') || (path === paths.accessRequest && keys === 'none');
	const missing = Object.entries(paths).filter(([, path]) => !isPublished(path));
	if (missing.length > 0) throw new ContentError(missing.map(messageOf));
}

/**
 * Follows the links of documents for programs, such as `llms.txt` and the sitemap.
 *
 * @param read returns the text of a file below `dist/client`
 * @throws {ContentError} a document names an address of ours that does not exist
 */
export function checkLinks(published: Manifest, origin: string, read: (file: string) => string): void {
	const { paths: operations } = JSON.parse(read(published[paths.openapi]!.file)) as { paths: object };
	const isDead = (address: string) => {
		const path = address.slice(origin.length).replace(/[?#].*/, '') || '/';
		return !(path in published || path in operations);
	};
	const linksIn = (file: string) => {
		const text = read(file);
		return [...addressesIn(text, origin), ...(/\.(md|txt)$/.test(file) ? linkedPathsIn(text).map((path) => origin + path) : [])];
	};
	const messages = Object.values(published)
		.filter(({ headers }) => /^text\/(plain|markdown)|json|\/xml/.test(headers['content-type'] ?? ''))
		.flatMap(({ file }) =>
			[...new Set(linksIn(file))].filter(isDead).map((address) =>
				mistakeText(`/${file}`, {
					found: `the link ${address}`,
					wanted:
						'an address at which something is published: write its page (src/pages), or correct where the document has it from',
				}),
			),
		);
	if (messages.length > 0) throw new ContentError(messages);
}

/** Returns every URL of an origin in a text, without the punctuation after it. */
const addressesIn = (text: string, origin: string): string[] =>
	[...text.matchAll(/https?:\/\/[^\s"'`<>()\\]+/g)]
		.map(([url]) => url.replace(/[.,;:]+$/, ''))
		.filter((url) => url.startsWith(origin) && /^([/?#]|$)/.test(url.slice(origin.length)));

/** Returns every path that Markdown links to outside of code. */
const linkedPathsIn = (markdown: string): string[] =>
	[
		...markdown
			.replaceAll(/^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?(```+|~~~+)[^]*?^[ \t>]*\1|`[^`\n]*`/gm, '')
			.matchAll(/\]\((\/[^\s)]*)/g),
	].map(([, path]) => path!);

const messageOf = ([name, path]: [string, string]) =>
	mistakeText('src/facts/links.ts', {
		found: `${name}: '${path}'`,
		wanted:
			'an address at which something is: write its page (src/pages) or its row in the table of documents (src/discovery/documents.ts), or delete the line',
	});
