import { decoded, isProblemPath } from '../../facts/links.ts';
import { suggestionFor, type Mistake } from '../../facts/mistake.ts';
import { enteredFields, type LeadField } from '../../lead/lead.ts';
import { placesIn } from './headings.ts';
import type { ReadPage, Content } from '../read/content.ts';

/** Finds links that lead nowhere, or run code. The build follows the links that only built pages have. */
export function* linkMistakes({ path = '/404', prose, source, data }: ReadPage, content: Content): Generator<Mistake> {
	for (const id of Object.keys(data?.keywords ?? {})) {
		const line = source.split('\n').findIndex((text) => text.trim().startsWith(`${id}:`)) + 1;
		if (id !== 'top') yield* targetMistakes({ line, found: `the keywords of ${id}`, path, id }, content);
	}
	for (const { name, line, attributes } of prose.tags) {
		const href = name === 'a' ? attributes.get('href') : undefined;
		if (href === undefined) continue;
		const found = href === '' ? 'a link to nothing' : `the link ${decoded(href)}`;
		const url = URL.parse(href, content.origin + path);
		const [own, host] = [content.origin, href].map((address) => /^https?:\/\/(?:www\.)?([^/?#]+)/i.exec(address)?.[1]);
		if (host && [own, 'localhost:4321'].includes(host))
			yield { line, found, wanted: `${href.replace(/^.*?\/\/[^/?#]+\/?/, '/')}: a path leads to this site at every address` };
		else if (href === '' || url === null || !/^(https?|mailto|tel):$/.test(url.protocol))
			yield { line, found, wanted: 'a path of ours such as /docs, or a URL that begins with https:, mailto: or tel:' };
		else if (url.origin === content.origin)
			yield* targetMistakes({ line, found, path: decoded(url.pathname), id: decoded(url.hash.slice(1)) }, content);
	}
}

type Target = Record<'found' | 'path' | 'id', string> & { line: number };

/** Finds a path that is not published, and a place that its page lacks, unless components may make the place. */
export function* targetMistakes({ line, found, path, id }: Target, content: Content): Generator<Mistake> {
	if (!content.paths.includes(path) && !isProblemPath(path))
		yield { line, found, wanted: suggestionFor(path, content.paths, 'a path that is published, such as /docs') };
	if (id.includes('=') && path.split('/').includes('contact')) yield* valueMistakes(line, found, new URLSearchParams(id));
	const target = content.pages.find((page) => page.path === path);
	if (id === '' || !target || ['Operations', 'ProblemTable'].some((name) => target.prose.imported.has(name))) return;
	const places = placesIn(target.prose);
	if (!places.includes(id)) yield { line, found, wanted: `a heading of ${target.file}, ${suggestionFor(id, places)}` };
}

/** Finds what a link would fill into a field that the form does not have, or choose in a list that does not have it. */
function* valueMistakes(line: number, found: string, values: URLSearchParams): Generator<Mistake> {
	const fields = new Map<string, LeadField['choices']>(enteredFields.map(({ name, choices }) => [name, choices]));
	for (const [name, value] of values) {
		const choices = Object.keys(fields.get(name) ?? { [value]: '' });
		if (!fields.has(name)) yield { line, found, wanted: `a field of the form, ${suggestionFor(name, [...fields.keys()])}` };
		else if (!choices.includes(value)) yield { line, found, wanted: `a choice of ${name}, ${suggestionFor(value, choices)}` };
	}
}
