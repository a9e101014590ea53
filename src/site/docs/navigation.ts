import type { CollectionEntry } from 'astro:content';
import { groupOf } from '../../facts/page.ts';

export type DocsEntry = CollectionEntry<'docs'>;

/** A line of the navigation. */
export interface NavigationLine {
	page: DocsEntry;
	/** It leads a group, of which these lines show what belongs to the current page. */
	isGroup: boolean;
	lines: NavigationLine[];
}

/**
 * The navigation of a page: its own group whole, and above that only the groups. So it does not grow with the number of pages.
 *
 * @param groups pages by the folder they stand in ({@link groupOf}), in the order of the navigation
 */
export function navigationOf({ id }: DocsEntry, groups: Map<string, DocsEntry[]>): NavigationLine[] {
	const own = groups.has(id) ? id : groupOf(id);
	const linesOf = (group: string): NavigationLine[] =>
		(groups.get(group) ?? [])
			.filter((page) => group === own || groups.has(page.id) || page.id === 'index')
			.map((page) => ({ page, isGroup: groups.has(page.id), lines: isWithin(own, page.id) ? linesOf(page.id) : [] }));
	return linesOf('');
}

const isWithin = (group: string, id: string) => group === id || group.startsWith(`${id}/`);
