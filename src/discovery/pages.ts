import { type CollectionEntry, getCollection, getEntry } from 'astro:content';
import { docsPath, groupOf } from '../facts/page.ts';
import { type ProblemName, problemNames, problems, problemType } from '../http/problem.ts';
import { lastChanged } from '../facts/history.ts';
import { paths } from '../facts/links.ts';
import { copyIn, defaultLanguage, languages, pathIn, service, translationsOf } from '../facts/load.ts';
import type { Page } from './source.ts';

/** Returns every page for people, in the order of the navigation. */
export async function publishedPages(): Promise<Page[]> {
	return [
		...(await translatedPages(paths.home, (language) => proseEntry(language, 'home'))),
		...(await translatedPages(paths.contact, contactEntry)),
		...(await docsPages()).map((entry) => pageOf(entry, docsPath(entry.id), defaultLanguage)),
		...problemNames(service).map(problemPage),
		...(await translatedPages(paths.privacy, (language) => proseEntry(language, 'privacy'))),
	];
}

/** Returns the documentation in reading order: the pages of a folder follow its `index.mdx`. */
export async function docsPages(): Promise<CollectionEntry<'docs'>[]> {
	const groups = Map.groupBy(await getCollection('docs'), ({ id }) => groupOf(id));
	const inGroup = (group: string): CollectionEntry<'docs'>[] =>
		(groups.get(group) ?? [])
			.toSorted((one, other) => one.data.order - other.data.order)
			.flatMap((page) => [page].concat(inGroup(page.id)));
	return inGroup('');
}

/** The source of a page. */
interface Entry {
	data: Pick<Page, 'title' | 'description' | 'date'>;
	/** From the project's root. */
	filePath?: string;
}

/** Returns one page in each language. */
const translatedPages = (path: string, entryIn: (language: string) => Entry | Promise<Entry>): Promise<Page[]> =>
	Promise.all(
		languages.map(async (language) => {
			const page = pageOf(await entryIn(language), pathIn(language, path), language);
			return Object.assign(page, { translations: translationsOf(path) });
		}),
	);

const problemPage = (name: ProblemName): Page => {
	const { title, detail } = problems[name];
	return { path: problemType(name, paths), title, description: detail, language: defaultLanguage, isDetail: true };
};

const contactEntry = (language: string): Entry => ({
	data: copyIn(language),
	filePath: `content/${language}/contact.yaml`,
});

const pageOf = ({ data: { title, description, date }, filePath }: Entry, path: string, language: string): Page => ({
	path,
	title,
	description,
	date,
	language,
	changed: filePath === undefined ? undefined : lastChanged(filePath),
});

/** Returns a page of prose by name and language. Every language has all of them. */
export async function proseEntry(language: string, name: string): Promise<CollectionEntry<'pages'>> {
	const entry = await getEntry('pages', `${language}/${name}`);
	if (entry === undefined)
		throw new Error(`content/${language}/${name}.mdx is missing: write it, or delete the folder of the language.`);
	return entry;
}
