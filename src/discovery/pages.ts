import { type CollectionEntry, getCollection, getEntry } from 'astro:content';
import { docsPath, groupOf } from '../editing/page.ts';
import { lastChanged } from '../editing/history.ts';
import { paths } from '../service/links.ts';
import { copyIn, defaultLanguage, languages, pathIn } from '../service/load.ts';
import type { Page } from './source.ts';

/** Every page for people, in the order of the navigation. */
export async function publishedPages(): Promise<Page[]> {
	const docs = await docsPages();
	return [
		await singlePage('home', paths.home),
		...languages.map((language) => contactPage(language)),
		...docs.map((entry) => prosePage(entry, docsPath(entry.id))),
		await singlePage('privacy', paths.privacy),
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

async function singlePage(id: string, path: string): Promise<Page> {
	const entry = await getEntry('pages', `${defaultLanguage}/${id}`);
	if (entry === undefined) throw new Error(`content/${defaultLanguage}/${id}.mdx is missing: it is the page at ${path}.`);
	return prosePage(entry, path);
}

const prosePage = ({ data, filePath }: CollectionEntry<'docs' | 'pages'>, path: string) =>
	page(path, data, defaultLanguage, filePath!);

const contactPage = (language: string) =>
	page(pathIn(language, paths.contact), copyIn(language), language, `content/${language}/contact.yaml`);

const page = (
	path: string,
	{ title, description }: Pick<Page, 'title' | 'description'>,
	language: string,
	file: string,
): Page => ({
	path,
	title,
	description,
	language,
	changed: lastChanged(file),
});
