import { type CollectionEntry, getCollection, getEntry } from 'astro:content';
import { type GuideData, guidePath, groupOf } from '../facts/page.ts';
import { type ProblemName, problems, problemType } from '../api/answer.ts';
import { problemNames } from '../discovery/openapi-responses.ts';
import { paths } from '../facts/links.ts';
import { copyIn, defaultLanguage, languages, pathIn, service, translationsOf } from '../facts/load.ts';
import type { Page } from '../discovery/source.ts';

/** Returns every page for people, in the order of the navigation. */
export const publishedPages = async (): Promise<Page[]> => [
	...(await translatedPages(paths.home, proseIn('home'))),
	...(await translatedPages(paths.contact, copyIn)),
	...(await guidePages()).map(guidePage),
	...problemNames(service).map(problemPage),
	...(await Promise.all(proseNames.map((name) => translatedPages(paths[name], proseIn(name))))).flat(),
];

/** The privacy notice and, where the facts have its answers, the page for the lawyer of a buyer. */
export const proseNames = ['privacy' as const, ...(service.trust ? ['trust' as const] : [])];

/** Returns the documentation in reading order: the pages of a folder follow its `index.mdx`. */
export async function guidePages(): Promise<CollectionEntry<'docs'>[]> {
	const groups = Map.groupBy(await getCollection('docs'), ({ id }) => groupOf(id));
	const inGroup = (group: string): CollectionEntry<'docs'>[] =>
		(groups.get(group) ?? [])
			.toSorted((one, other) => one.data.order - other.data.order || one.id.localeCompare(other.id))
			.flatMap((page) => [page].concat(inGroup(page.id)));
	return inGroup('');
}

const proseIn = (name: string) => async (language: string) => (await proseEntry(language, name)).data;

/** Returns every page of the documentation in reading order, as its navigation shows it. */
export async function guideRows(): Promise<GuideRow[]> {
	const { title } = (await getEntry('pages', 'explorer'))!.data;
	const below: Record<string, GuideRow[]> = {
		[paths.errors]: problemNames(service).map((name) => {
			return { id: `errors/${name}`, title: name, status: problems[name].status, isDetail: true };
		}),
		[paths.apiReference]: [{ id: 'api/explorer', title, isDetail: false }],
	};
	return (await guidePages()).flatMap(({ id, data }) => {
		const row: GuideRow = { id, title: data.title, part: data.part, isDetail: data.date !== undefined };
		return [row].concat(below[guidePath(id)] ?? []);
	});
}

interface GuideRow extends Pick<GuideData, 'title' | 'part'> {
	/** The part of the page's path behind `/docs/`. */
	id: string;
	status?: number;
	/** Only the pages of the same folder list the page. */
	isDetail: boolean;
}

type Summary = Pick<Page, 'title' | 'description'>;

const translatedPages = (path: string, summaryIn: (language: string) => Summary | Promise<Summary>): Promise<Page[]> =>
	Promise.all(
		languages.map(async (language) => ({
			...(await summaryIn(language)),
			path: pathIn(language, path),
			language,
			translations: translationsOf(path),
		})),
	);

const guidePage = ({ id, data }: CollectionEntry<'docs'>): Page => {
	return { ...data, path: guidePath(id), language: defaultLanguage, isDetail: data.date !== undefined };
};

const problemPage = (name: ProblemName): Page => {
	const { title, detail } = problems[name];
	return { path: problemType(name, paths), title, description: detail, language: defaultLanguage, isDetail: true };
};

/** Returns a page of prose by name and language. In the preview it is English until the language has the page. */
export const proseEntry = async (language: string, name: string): Promise<CollectionEntry<'pages'>> =>
	(await getEntry('pages', `${language}/${name}`)) ?? (await getEntry('pages', `${defaultLanguage}/${name}`))!;

/** Returns the routes of a page in each language: `/contact` in the default one, `/de/contact` in German. */
export const languagePaths = () =>
	languages.map((language) => ({ params: { language: language === defaultLanguage ? undefined : language } }));
