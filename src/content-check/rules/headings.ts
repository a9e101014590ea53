import GithubSlugger from 'github-slugger';
import type { Mistake } from '../../facts/mistake.ts';
import type { Prose } from '../read/prose.ts';

const headingsIn = ({ tags }: Prose) => tags.filter(({ name }) => /^h[1-6]$/.test(name));

/** Finds a second h1, skipped levels, or no heading. `above` is the level of the heading that the page puts above the prose. */
export function* headingMistakes(prose: Prose, above: 0 | 1): Generator<Mistake> {
	let last: number = above;
	for (const { name, line, text } of headingsIn(prose)) {
		const level = Number(name[1]);
		const found = `${JSON.stringify(text)} as a heading of level ${level}`;
		const reason = last === 0 ? 'the page has no other heading above' : `the one above is of level ${last}`;
		if (level === 1 && last > 0) yield { line, found, wanted: `level 2 (## ${text}): the page has its heading of level 1` };
		else if (level > last + 1) yield { line, found, wanted: `level ${last + 1} (${'#'.repeat(last + 1)} ${text}): ${reason}` };
		last = level;
	}
	if (last === 0) yield { line: 1, found: 'no heading', wanted: '<h1>…</h1>' };
}

/** Finds links in headings, which are themselves links to their own places. */
export function* linkedHeadingMistakes(prose: Prose): Generator<Mistake> {
	const wanted = 'it in the text below: the heading is the link to its own place';
	for (const { line, text, written } of headingsIn(prose))
		if (!written && prose.tags.some((tag) => tag.line === line && /^(a|Link)$/.test(tag.name)))
			yield { line, found: `a link in the heading ${JSON.stringify(text)}`, wanted };
}

/** Returns the places of a page that links can lead to: its headings, by the ids that Astro gives them, and every `id`. */
export function placesIn(prose: Prose): string[] {
	const slugger = new GithubSlugger();
	const headings = headingsIn(prose).filter((tag) => !tag.written && !tag.attributes.has('id'));
	const ids = prose.tags.flatMap(({ attributes }) => attributes.get('id') || []);
	return [...headings.map(({ text }) => slugger.slug(text)), ...ids];
}
