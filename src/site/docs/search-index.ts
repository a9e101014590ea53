import MiniSearch from 'minisearch';

/** A page in the search index: `paths.searchIndex` is a list of these. */
export interface SearchEntry {
	path: string;
	title: string;
	/** Its parts, each under its heading. The first is under the title, and has neither `anchor` nor `heading`. */
	parts: SearchPart[];
}

export interface SearchPart {
	/** The `id` of its heading. */
	anchor?: string;
	heading?: string;
	/** Other words for what it explains. */
	keywords?: string;
	text: string;
}

/** One search result. */
export interface Hit {
	/** The address of a page, or of a heading in it. */
	url: string;
	heading: string;
	/** The title of its page, if the result is a heading. */
	title: string | undefined;
	/** The words around the match; every second piece is a match. */
	excerpt: string[];
}

const MOST = 8;
/** In characters: the part of an excerpt before the match, and all of it. */
const BEFORE = 40;
const LENGTH = 140;

/** Loads the index. @returns a function that finds parts of pages by all the words or else by any of them, best first */
export async function loadIndex(path: string): Promise<(words: string) => Hit[]> {
	const response = await fetch(path);
	if (!response.ok) throw new Error(`${path}: ${response.status}`);
	const parts = ((await response.json()) as SearchEntry[]).flatMap(documentsOf);
	const index = new MiniSearch({
		fields: ['keywords', 'heading', 'title', 'text'],
		searchOptions: {
			boost: { keywords: 40, heading: 12, title: 4 },
			combineWith: 'AND',
			prefix: (term, place, { length }) => term.length > 1 || place === length - 1,
			fuzzy: (term) => (term.length > 4 ? 0.2 : false),
		},
	});
	await index.addAllAsync(
		parts.map((part, id) => ({ id, ...part })),
		{ chunkSize: 200 },
	);
	return (words) => {
		const hits = index.search(words);
		return (hits.length > 0 ? hits : index.search(words, { combineWith: 'OR' }))
			.slice(0, MOST)
			.map(({ id, terms }) => hitOf(parts[id as number]!, terms));
	};
}

/** Treats the title of a page as the heading of its first part. */
const documentsOf = ({ path, title, parts }: SearchEntry) => parts.map((part) => ({ path, title, heading: title, ...part }));

type Part = ReturnType<typeof documentsOf>[number];

const hitOf = ({ path, anchor, title, heading, text }: Part, terms: string[]): Hit => ({
	url: anchor === undefined ? path : `${path}#${anchor}`,
	heading,
	title: anchor === undefined ? undefined : title,
	excerpt: excerptOf(text, terms),
});

/** Cuts an excerpt at the ends of words. */
function excerptOf(text: string, terms: string[]): string[] {
	const found = new RegExp(`(?<![\\p{L}\\p{N}])(${longestFirst(terms).map(escaped).join('|')})`, 'iu');
	const at = Math.max(0, text.search(found) - BEFORE);
	const from = at === 0 ? 0 : text.indexOf(' ', at) + 1;
	const end = text.length <= from + LENGTH ? text.length : text.lastIndexOf(' ', from + LENGTH);
	const words = `${from > 0 ? '… ' : ''}${text.slice(from, end)}${end < text.length ? ' …' : ''}`;
	return words.split(new RegExp(found, 'giu'));
}

const longestFirst = (terms: string[]) => terms.toSorted((one, other) => other.length - one.length);

/** Escapes a term for a pattern. The index cuts words at all other special characters. */
const escaped = (term: string) => term.replaceAll(/[$^+|]/g, String.raw`\$&`);
