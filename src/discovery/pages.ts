import { getCollection } from 'astro:content';
import { paths } from '../service/links.ts';
import { copyIn, languages, pathIn, service } from '../service/load.ts';
import type { Page } from './source.ts';

/** Every page for people, in the order of the navigation. */
export async function publishedPages(): Promise<Page[]> {
	const docs = await getCollection('docs');
	const prose = await getCollection('pages');
	return [
		{ path: paths.home, title: service.name, description: service.description },
		...Object.keys(languages).map((language) => page(pathIn(language, paths.contact), copyIn(language))),
		...docs
			.toSorted((one, other) => one.data.order - other.data.order)
			.map(({ id, data }) => page(id === 'index' ? paths.docs : `${paths.docs}/${id}`, data)),
		...prose.map(({ id, data }) => page(`/${id}`, data)),
	];
}

const page = (path: string, { title, description }: Omit<Page, 'path'>): Page => ({ path, title, description });
