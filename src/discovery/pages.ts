import { getCollection, getEntry } from 'astro:content';
import { paths } from '../service/links.ts';
import { copyIn, languages, pathIn } from '../service/load.ts';
import type { Page } from './source.ts';

/** Every page for people, in the order of the navigation. */
export async function publishedPages(): Promise<Page[]> {
	const docs = await getCollection('docs');
	return [
		await prosePage('home', paths.home),
		...Object.keys(languages).map((language) => page(pathIn(language, paths.contact), copyIn(language))),
		...docs
			.toSorted((one, other) => one.data.order - other.data.order)
			.map(({ id, data }) => page(id === 'index' ? paths.docs : `${paths.docs}/${id}`, data)),
		await prosePage('privacy', paths.privacy),
	];
}

async function prosePage(id: string, path: string): Promise<Page> {
	const entry = await getEntry('pages', id);
	if (entry === undefined) throw new Error(`content/pages/${id}.mdx is missing: it is the page at ${path}.`);
	return page(path, entry.data);
}

const page = (path: string, { title, description }: Omit<Page, 'path'>): Page => ({ path, title, description });
