import { type CollectionEntry, getCollection, getEntry } from 'astro:content';
import { docsPath, groupOf } from '../editing/page.ts';
import { paths } from '../service/links.ts';
import { copyIn, languages, pathIn } from '../service/load.ts';
import type { Page } from './source.ts';

/** Every page for people, in the order of the navigation. */
export async function publishedPages(): Promise<Page[]> {
	const docs = await docsPages();
	return [
		await prosePage('home', paths.home),
		...Object.keys(languages).map((language) => page(pathIn(language, paths.contact), copyIn(language))),
		...docs.map(({ id, data }) => page(docsPath(id), data)),
		await prosePage('privacy', paths.privacy),
	];
}

/** The documentation as it is read from front to back: the pages of a folder come after the page that leads it. */
export async function docsPages(): Promise<CollectionEntry<'docs'>[]> {
	const groups = Map.groupBy(await getCollection('docs'), ({ id }) => groupOf(id));
	const inGroup = (group: string): CollectionEntry<'docs'>[] =>
		(groups.get(group) ?? [])
			.toSorted((one, other) => one.data.order - other.data.order)
			.flatMap((page) => [page].concat(inGroup(page.id)));
	return inGroup('');
}

async function prosePage(id: string, path: string): Promise<Page> {
	const entry = await getEntry('pages', id);
	if (entry === undefined) throw new Error(`content/pages/${id}.mdx is missing: it is the page at ${path}.`);
	return page(path, entry.data);
}

const page = (path: string, { title, description }: Omit<Page, 'path'>): Page => ({ path, title, description });
