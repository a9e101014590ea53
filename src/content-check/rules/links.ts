import { suggestionFor, type Mistake, mistakeText } from '../../facts/mistake.ts';
import { idsIn } from './headings.ts';
import type { Anchor, ReadPage, Site } from '../read/read-site.ts';

/** Finds links that lead nowhere, or run code. Adds links to places within pages to `site.anchors`: the built page confirms them. */
export function* linkMistakes({ file, path = '/404', prose, source, data }: ReadPage, site: Site): Generator<Mistake> {
	for (const id of Object.keys((data && 'keywords' in data && data.keywords) || {})) {
		const line = source.split('\n').findIndex((text) => text.trim().startsWith(`${id}:`)) + 1;
		if (id !== 'top') yield* pathMistakes({ file, line, found: `the keywords of ${id}`, path, id }, site);
	}
	for (const { name, attributes, line } of prose.tags) {
		const href = name === 'a' ? attributes.get('href') : undefined;
		if (href === undefined) continue;
		const found = `the link ${decoded(href)}`;
		const url = URL.parse(href, site.origin + path);
		if (href === '' || url === null)
			yield { line, found: href === '' ? 'a link to nothing' : found, wanted: 'a path of ours such as /docs, or a whole URL' };
		else if (!/^(https?|mailto|tel):$/.test(url.protocol))
			yield { line, found, wanted: 'a path of ours such as /docs, or a URL that begins with https:, mailto: or tel:' };
		else if (url.origin === site.origin)
			yield* pathMistakes({ file, line, found, path: decoded(url.pathname), id: decoded(url.hash.slice(1)) }, site);
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

function* pathMistakes(anchor: Anchor, site: Site): Generator<Mistake> {
	const { line, found, path, id } = anchor;
	const target = site.pages.find((page) => page.path === path);
	if (!site.paths.includes(path))
		yield { line, found, wanted: suggestionFor(path, site.paths, 'a path that is published, such as /docs') };
	else if (id !== '') {
		// A page with components of its own gets ids from them, which only the built page shows.
		const ids = target?.prose.imported.size === 0 ? [...idsIn(target.prose)] : [id];
		if (!ids.includes(id)) yield { line, found, wanted: `a heading of ${target!.file}, ${suggestionFor(id, ids)}` };
		// Its own condition may hide the place.
		else site.anchors.push(anchor);
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
