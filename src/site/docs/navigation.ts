import type { CollectionEntry } from 'astro:content';
import { groupOf } from '../../facts/page.ts';

export type DocsEntry = CollectionEntry<'docs'>;

/** A page in the navigation. */
export type ListedPage = Pick<DocsEntry, 'id'> & { data: Pick<DocsEntry['data'], 'title'> };

/** A line of the navigation. */
export interface NavigationLine {
	page: ListedPage;
	/** True for the first page of a group. `lines` shows the part of the group that belongs to the current page. */
	isGroup: boolean;
	lines: NavigationLine[];
}

/**
 * Returns the navigation of a page: its whole group, and only the groups above that, so that it does not grow with the pages.
 *
 * @param groups pages by their folder ({@link groupOf}), in the order of the navigation
 */
export function navigationOf({ id }: DocsEntry, groups: Map<string, ListedPage[]>): NavigationLine[] {
	const own = groups.has(id) ? id : groupOf(id);
	const linesOf = (group: string): NavigationLine[] =>
		(groups.get(group) ?? [])
			.filter((page) => group === own || groups.has(page.id) || page.id === 'index')
			.map((page) => ({ page, isGroup: groups.has(page.id), lines: isWithin(own, page.id) ? linesOf(page.id) : [] }));
	return linesOf('');
}

const isWithin = (group: string, id: string) => group === id || group.startsWith(`${id}/`);
