import { Feed } from 'feed';
import type { Page, Source } from './source.ts';

/** The feed of changes (Atom, RFC 4287): the dated pages of the documentation. */
export function changesFeed({ service, links, origin, pages }: Source): string {
	const entries = changesIn(pages).map(({ path, title, description, date }) => ({
		id: origin + path,
		link: origin + path,
		title: asHtml(title),
		description: asHtml(description),
		date: new Date(date),
	}));
	const feed = new Feed({
		id: links.changes,
		title: `Changes to the ${service.name} API`,
		link: links.changes,
		feedLinks: { atom: links.changesFeed },
		author: { name: service.company },
		updated: entries[0]?.date ?? new Date(0),
		generator: service.name,
		copyright: '',
	});
	for (const entry of entries) feed.addItem(entry);
	return feed.atom1();
}

/** The library declares titles and summaries as HTML. */
const asHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Returns the pages with a date, the newest first. */
export const changesIn = (pages: Page[]) =>
	pages
		.flatMap((page) => (page.date === undefined ? [] : [{ ...page, date: page.date }]))
		.toSorted((one, other) => other.date.localeCompare(one.date));
