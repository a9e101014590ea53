import { paths } from '../../facts/links.ts';
import type { SearchEntry } from '../../site/docs/search-entry.ts';
import type { MarkdownPage } from './page.ts';

/** Returns the search index: the pages of the documentation, as JSON. */
export function searchIndex(pages: MarkdownPage[]): string {
	const entries: SearchEntry[] = pages
		.map(({ canonical, title, parts }) => ({ path: new URL(canonical).pathname, title, parts }))
		.filter(({ path }) => path.startsWith(paths.docs))
		.toSorted((one, other) => one.path.localeCompare(other.path));
	return JSON.stringify(entries);
}
