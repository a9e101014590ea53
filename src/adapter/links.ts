import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { decoded, paths } from '../facts/links.ts';
import { ContentError, lineAt, mistakeText, suggestionFor } from '../facts/mistake.ts';
import type { Service } from '../facts/schema.ts';
import type { Manifest } from '../server/manifest.ts';

interface LinkOptions {
	/** The project's folder. */
	root: string;
	origin: string;
	/** Some pages exist only where the facts ask for them. */
	service: Pick<Service, 'keys' | 'trust'>;
	/** Returns the text of a file below `dist/client`. */
	read: (file: string) => string;
}

/**
 * Follows every link of the built site, on its pages and in its documents for programs, but not those in files of `public/`.
 *
 * @throws {ContentError} a link, or one of {@link paths}, leads nowhere. The message names the line in `content/` that has the link
 */
export function checkLinks(published: Manifest, { root, origin, service: { keys, trust }, read }: LinkOptions): void {
	const texts = Object.entries(published)
		.filter(([, { file }]) => !existsSync(path.join(root, 'public', file)))
		.filter(([, { headers }]) => /^text\/(html|plain|markdown)|json|\/xml/.test(headers['content-type'] ?? ''))
		.map(([at, { file }]) => ({ at, file, text: read(file) }));
	const { paths: operations } = JSON.parse(read(published[paths.openapi]!.file)) as { paths: object };
	const addresses = Object.keys({ ...published, ...operations });
	const placesOf = new Map<string, string[]>(
		texts.filter(({ file }) => file.endsWith('.html')).map(({ at, text }) => [at, text.match(/(?<=\sid=")[^"]*/g) ?? []]),
	);

	/** Returns what is wanted in place of a dead link. */
	function wantedFor({ pathname, hash }: URL): string | undefined {
		if (!addresses.includes(pathname)) return suggestionFor(pathname, addresses, PUBLISHED);
		const places = placesOf.get(pathname);
		const id = decoded(hash.slice(1));
		// A fragment with values fills in a form.
		return id === '' || id.includes('=') || !places || places.includes(id)
			? undefined
			: `a place on ${pathname}, ${suggestionFor(id, places)}`;
	}

	const dead = texts.flatMap(({ at, file, text }) =>
		linksIn(file, text).flatMap((link) => {
			const url = URL.parse(link, origin + at);
			const wanted = url?.origin === origin ? wantedFor(url) : undefined;
			if (wanted === undefined) return [];
			const written = link.replace(origin, '');
			const { file: source, line } = sourceOf(written, root) ?? { file: `/${file}` };
			return mistakeText(source, { line, found: `the link ${written}`, wanted });
		}),
	);
	const unasked = new Set<string>([...(keys === 'none' ? [paths.accessRequest] : []), ...(trust ? [] : [paths.trust])]);
	const missing = Object.entries(paths)
		.filter(([, at]) => !addresses.includes(at) && !unasked.has(at))
		.map(([name, at]) => mistakeText('src/facts/links.ts', { found: `${name}: '${at}'`, wanted: PUBLISHED }));
	// A page and its Markdown have the same links.
	if (dead.length + missing.length > 0) throw new ContentError([...new Set([...missing, ...dead])]);
}

const PUBLISHED =
	'an address at which something is published: correct the link, put its file into public/, or write its page (content/docs, src/pages) or its row (src/discovery/documents.ts)';

/** Returns every link of a page, and every URL in another text: links in our Markdown are absolute. */
function linksIn(file: string, text: string): string[] {
	if (file.endsWith('.html'))
		return [...text.matchAll(/<[a-z][^>]*?\s(?:href|src)="([^"]*)"/g)].map(([, link]) => link!.replaceAll('&amp;', '&'));
	const urls = text.match(/https?:\/\/[^\s"'`<>()\\]+/g) ?? [];
	return urls.map((url) => url.replace(/[.,;:]+$/, ''));
}

/** Escapes a text for a pattern. `RegExp.escape` needs a newer Node.js than we promise. */
export const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** Finds the line in `content/` that has a link, if one has it as it is. */
function sourceOf(link: string, root: string): { file: string; line: number } | undefined {
	const whole = new RegExp(`(?<![\\w/-])${escaped(link)}(?![\\w/#?-])`);
	for (const file of globSync('content/**/*.{mdx,yaml}', { cwd: root })) {
		const text = readFileSync(path.join(root, file), 'utf8');
		const index = text.search(whole);
		if (index >= 0) return { file, line: lineAt(text, index) };
	}
	return undefined;
}
