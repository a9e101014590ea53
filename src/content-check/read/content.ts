import { factsOf, optionalFactsOf, textFacts } from '../../facts/facts.ts';
import { filesIn, languagesOf, type PageFile, readPages, readService } from '../../facts/files.ts';
import { pathIn } from '../../facts/language.ts';
import { markdownPath, paths } from '../../facts/links.ts';
import { attempt } from '../../facts/mistake.ts';
import { parseProse, type Prose } from './prose.ts';

export type Content = ReturnType<typeof readContent>;
export type ReadPage = PageFile & { prose: Prose };

/** Reads everything that editors write. @param root the project's folder @param origin without a trailing slash */
export function readContent(root: string, origin: string) {
	const publicPaths = filesIn(root, 'public').map((file) => file.replace(/^public/, ''));
	const { result: service, mistakes } = attempt(() => readService(root));
	const guides = readPages(root, 'docs');
	const files = [...guides, ...readPages(root, 'pages')];
	const read = [...files, ...readPages(root, 'texts')].map((page) => [page, attempt(() => parseProse(page))] as const);
	const contactPaths = languagesOf(root).map((language) => pathIn(language, paths.contact));
	const pagePaths = [...files.flatMap((file) => file.path ?? []), ...contactPaths];
	return {
		root,
		origin,
		/** The names of the facts; undefined if the facts have mistakes. */
		facts: service && [...textFacts, ...Object.keys(factsOf(service, origin, standIns))],
		/** The names of those that a service can lack; undefined if the facts have mistakes. */
		optionalFacts: service && Object.keys(optionalFactsOf(service, standIns)),
		recording: service?.recording?.file,
		guides,
		/** All pages of prose, and the texts for programs. */
		pages: read.flatMap(([page, { result: prose }]): ReadPage[] => (prose ? [{ ...page, prose }] : [])),
		publicPaths,
		/** Every published path, without those of problems, which only the build knows. */
		paths: [...new Set([...Object.values(paths), ...pagePaths, ...pagePaths.map(markdownPath), ...publicPaths])] as string[],
		mistakes: [mistakes, ...read.flatMap(([page, prose]) => [page.mistakes, prose.mistakes])].flat(),
	};
}

/** The check needs the names of the facts, whatever their words. */
const standIns = { tagline: '', description: '', perMinute: '', perMonth: '', withinWorkingDays: { other: '' }, consentRule: '' };
