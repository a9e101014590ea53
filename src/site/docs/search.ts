import MiniSearch from 'minisearch';
import { paths } from '../../facts/links.ts';
import { element } from './element.ts';

/** Shows results below the field while the reader types, once the index is loaded. Styles hide them while the focus is elsewhere. */
export async function startSearch(place: HTMLElement, field: HTMLInputElement): Promise<void> {
	const find = await loadIndex(paths.searchIndex);
	// Screen readers announce this line. They ignore one that appears together with its region, so an empty box is hidden.
	const status = element('p', { role: 'status' });
	const list = element('ul');
	// Takes the focus of a click beside its links, which would be lost otherwise.
	const box = element('div', { tabIndex: -1 }, status, list);
	place.append(box);

	const set = (text: string, links: HTMLElement[] = []) => {
		box.className = text === '' ? 'visually-hidden' : 'search-results';
		status.textContent = text;
		list.replaceChildren(...links.map((link) => element('li', {}, link)));
	};
	const show = () => {
		if (field.value.trim() === '') return set('Begin with:', otherPages());
		const hits = find(field.value);
		if (hits.length > 0) return set(`Results: ${hits.length}`, hits.map(linkTo));
		set(`Nothing found for “${field.value}”.`, [element('a', { href: paths.contact }, element('strong', {}, 'Ask us'))]);
	};

	field.addEventListener('input', show);
	place.addEventListener('keydown', (event) => {
		const stop = stopFor(event.key);
		if (!stop) return;
		event.preventDefault();
		if (event.key === 'Enter') stop.click();
		else stop.focus();
		if (event.key === 'Escape') set('');
	});
	show();

	function stopFor(key: string): HTMLElement | undefined {
		const links = [...list.querySelectorAll('a')];
		const stops = [field, ...links];
		const at = stops.indexOf(document.activeElement as HTMLAnchorElement);
		if (key === 'ArrowDown') return stops[at + 1];
		if (key === 'ArrowUp') return stops[at - 1];
		if (key === 'Escape' && status.textContent !== '') return field;
		return key === 'Enter' && at === 0 ? links[0] : undefined;
	}
}

function otherPages(): HTMLElement[] {
	const others = [...document.querySelectorAll<HTMLAnchorElement>('.docs-nav li:not(.below) > a:not([aria-current])')];
	return others.slice(0, 5).map(({ href, text }) => element('a', { href }, element('strong', {}, text.trim())));
}

function linkTo({ url, title, heading, excerpt }: Hit): HTMLElement {
	const pieces = excerpt.map((piece, index) => (index % 2 === 1 ? element('b', {}, piece) : piece));
	const page = title === undefined ? [] : [' ', element('small', {}, title)];
	return element('a', { href: url }, element('strong', {}, heading), ...page, element('span', {}, ...pieces));
}

/** A page in the search index: `paths.searchIndex` is a list of these. */
export interface SearchEntry {
	path: string;
	title: string;
	/** The parts of the page, each under a heading. The first is under the title, and has neither `anchor` nor `heading`. */
	parts: SearchPart[];
}

export interface SearchPart {
	/** The `id` of the part's heading. */
	anchor?: string;
	heading?: string;
	/** Other words for what the part explains. */
	keywords?: string;
	text: string;
}

const MOST = 8;
/** The lengths of an excerpt before the match and as a whole, in characters. */
const BEFORE = 40;
const LENGTH = 140;

/** Loads the index. @returns a function that finds parts of pages by all the words or else by any of them, best first */
export async function loadIndex(path: string): Promise<(query: string) => Hit[]> {
	const response = await fetch(path);
	if (!response.ok) throw new Error(`${path}: ${response.status}`);
	const parts = ((await response.json()) as SearchEntry[]).flatMap(partsOf);
	const index = new MiniSearch({
		fields: ['keywords', 'heading', 'title', 'text'],
		searchOptions: {
			boost: { keywords: 40, heading: 12, title: 4 },
			combineWith: 'AND',
			prefix: (term, place, { length }) => term.length > 1 || place === length - 1,
			fuzzy: (term) => (term.length > 4 ? 0.2 : false),
		},
	});
	const numbered = parts.map((part, id) => Object.assign(part, { id }));
	await index.addAllAsync(numbered, { chunkSize: 200 });
	return (query) => {
		const hits = index.search(query);
		return (hits.length > 0 ? hits : index.search(query, { combineWith: 'OR' }))
			.slice(0, MOST)
			.map(({ id, terms }) => hitOf(parts[id as number]!, terms));
	};
}

/** Treats the title of a page as the heading of its first part. */
const partsOf = ({ path, title, parts }: SearchEntry) => parts.map((part) => ({ path, title, heading: title, ...part }));

type Part = ReturnType<typeof partsOf>[number];

type Hit = ReturnType<typeof hitOf>;

const hitOf = ({ path, anchor, title, heading, text }: Part, terms: string[]) => ({
	url: anchor === undefined ? path : `${path}#${anchor}`,
	heading,
	/** The page's title, if the result is a heading. */
	title: anchor === undefined ? undefined : title,
	/** Every second piece is a match. */
	excerpt: excerptOf(text, terms),
});

/** Cuts an excerpt at the ends of words. */
function excerptOf(text: string, terms: string[]): string[] {
	const longestFirst = terms.toSorted((one, other) => other.length - one.length);
	const found = new RegExp(`(?<![\\p{L}\\p{N}])(${longestFirst.map(escaped).join('|')})`, 'iu');
	const at = Math.max(0, text.search(found) - BEFORE);
	const from = at === 0 ? 0 : text.indexOf(' ', at) + 1;
	const end = text.length <= from + LENGTH ? text.length : text.lastIndexOf(' ', from + LENGTH);
	const excerpt = `${from > 0 ? '… ' : ''}${text.slice(from, end)}${end < text.length ? ' …' : ''}`;
	return excerpt.split(new RegExp(found, 'giu'));
}

/** Escapes a term for a pattern. The index cuts words at all other special characters. */
const escaped = (term: string) => term.replaceAll(/[$^+|]/g, String.raw`\$&`);
