import { problemSlugs } from '../../facts/links.ts';
import { suggestionFor, type Mistake, mistakeText } from '../../facts/mistake.ts';
import { placesIn } from './headings.ts';
import type { Tag } from '../read/prose.ts';
import type { Anchor, ReadPage, Site } from '../read/read-site.ts';

/** Finds links that lead nowhere, or run code. */
export function* linkMistakes({ file, path = '/404', prose, source, data }: ReadPage, site: Site): Generator<Mistake> {
	for (const id of Object.keys((data && 'keywords' in data && data.keywords) || {})) {
		const line = source.split('\n').findIndex((text) => text.trim().startsWith(`${id}:`)) + 1;
		if (id !== 'top') yield* targetMistakes({ file, line, found: `the keywords of ${id}`, path, id }, site, false);
	}
	for (const tag of prose.tags) {
		const { line } = tag;
		const href = tag.name === 'a' ? tag.attributes.get('href') : undefined;
		if (href === undefined) continue;
		const found = `the link ${decoded(href)}`;
		const url = URL.parse(href, site.origin + path);
		if (href === '' || url === null)
			yield { line, found: href === '' ? 'a link to nothing' : found, wanted: 'a path of ours such as /docs, or a whole URL' };
		else if (!/^(https?|mailto|tel):$/.test(url.protocol))
			yield { line, found, wanted: 'a path of ours such as /docs, or a URL that begins with https:, mailto: or tel:' };
		else if (url.origin === site.origin) {
			const anchor = { file, line, found, path: decoded(url.pathname), id: decoded(url.hash.slice(1)) };
			yield* targetMistakes(anchor, site, !prose.hidden.has(tag));
		}
	}
}

/** Finds links to places that a page does not have. `htmlAt` returns the published page, if there is one. */
export async function anchorMistakes(
	anchors: Anchor[],
	htmlAt: (path: string) => Promise<string | undefined>,
): Promise<string[]> {
	const messages: string[] = [];
	for (const [path, links] of Map.groupBy(anchors, (anchor) => anchor.path)) {
		const html = await htmlAt(path);
		const ids = [...(html ?? '').matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id!);
		for (const { file, line, found, id } of links)
			if (html !== undefined && !ids.includes(id))
				messages.push(mistakeText(file, { line, found, wanted: suggestionFor(id, ids) }));
	}
	return messages;
}

/**
 * Finds a path that is not published, and a place that its page does not have. Adds to `site.anchors` what only the built page shows.
 *
 * @param isShown whether a reader sees the link: if not, it may lead to a place that is not shown either
 */
export function* targetMistakes(anchor: Anchor, site: Site, isShown = true): Generator<Mistake> {
	const { line, found, path, id } = anchor;
	const target = site.pages.find((page) => page.path === path);
	if (!site.paths.includes(path))
		yield { line, found, wanted: suggestionFor(path, site.paths, 'a path that is published, such as /docs') };
	else if (id !== '') {
		const { imported, hidden } = target?.prose ?? {};
		const places = target ? placesIn(target.prose) : new Map<string, Tag>();
		const shown = [...places].flatMap(([place, tag]) => (isShown && hidden!.has(tag) ? [] : place));
		// No other component that pages import makes places.
		if (imported?.has('ProblemTable')) shown.push(...problemSlugs);
		if (shown.includes(id)) return;
		if (!places.has(id) && (imported?.has('Operations') ?? true)) site.anchors.push(anchor);
		else yield { line, found, wanted: `a heading of ${target!.file}, ${suggestionFor(id, shown)}` };
	}
}

/** Decodes a path or URL, unless its escapes are invalid. */
export function decoded(text: string): string {
	try {
		return decodeURI(text);
	} catch {
		return text;
	}
}
