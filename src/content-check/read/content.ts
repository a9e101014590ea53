import { parseContentFile } from '../../facts/content-file.ts';
import { factsOf, optionalFacts } from '../../facts/facts.ts';
import { pathIn } from '../../facts/language.ts';
import { markdownPath, paths, problemPaths } from '../../facts/links.ts';
import { collectMistakes, suggestionFor } from '../../facts/mistake.ts';
import type { DocsData, PageFile } from '../../facts/page.ts';
import { SERVICE, serviceSchema } from '../../facts/schema.ts';
import { filesIn, languagesOf, textIn } from './files.ts';
import { parseProse, type Prose } from './prose.ts';
import { readDocs, readSinglePages, readTexts } from './pages.ts';

/** A page of prose that could be read. */
export interface ReadPage extends PageFile {
	prose: Prose;
}

/** The content that the rules look at. */
export interface Content {
	/** The project's folder. */
	root: string;
	/** Without a trailing slash. */
	origin: string;
	/** None if the facts have mistakes: nothing can check their names then. */
	facts: Record<string, string> | undefined;
	/** The pages of documentation. */
	docs: PageFile<DocsData>[];
	/** All pages of prose, and the texts for programs. */
	pages: ReadPage[];
	/** The published paths of the files of `public/`. */
	publicPaths: string[];
	/** Every published path. */
	paths: string[];
}

/** Reads everything that editors write, and adds to `messages` what it cannot read. */
export function readContent(root: string, origin: string, messages: string[]): Content {
	const publicPaths = publicPathsIn(root);
	const docs = readDocs(root, messages);
	const files = [...docs, ...readSinglePages(root, messages)];
	const pagePaths = [
		...files.flatMap((file) => file.path ?? []),
		...languagesOf(root).map((language) => pathIn(language, paths.contact)),
		...problemPaths,
	];
	return {
		root,
		origin,
		facts: readFacts(root, origin, messages),
		docs,
		pages: [...files, ...readTexts(root, messages)].flatMap((file) => {
			const prose = collectMistakes(messages, () => parseProse(file.file, file.source));
			return prose ? [{ ...file, prose }] : [];
		}),
		publicPaths,
		paths: [...new Set([...Object.values(paths), ...pagePaths, ...pagePaths.map(markdownPath), ...publicPaths])],
	};
}

/** Reads the facts, if they have no mistakes, and else adds those to `messages`. */
function readFacts(root: string, origin: string, messages: string[]) {
	const service = collectMistakes(messages, () =>
		parseContentFile(SERVICE, textIn(root, SERVICE, messages), schemaWith(publicPathsIn(root))),
	);
	// Allows the names of optional facts, and of facts that only some texts have: the build checks those texts later.
	return (
		service && {
			...Object.fromEntries(Object.keys(optionalFacts).map((name) => [name, ''])),
			operations: '',
			'list.documents': '',
			'list.fields': '',
			'list.consent': '',
			next: '',
			...factsOf(service, origin, standIns),
		}
	);
}

const publicPathsIn = (root: string) => filesIn(root, 'public').map((file) => file.replace(/^public/, ''));

/** The check needs the names of the facts only. */
const standIns = { tagline: '', description: '', perMinute: '', perMonth: '', consentRule: '' };

/** Returns {@link serviceSchema} with the files that facts may name. */
function schemaWith(publicPaths: string[]) {
	const { recording } = serviceSchema.shape;
	const { file } = recording.unwrap().shape;
	const existing = file.refine((path) => publicPaths.includes(path), {
		error: ({ input }) => `a file of public/, ${suggestionFor(String(input), publicPaths)}`,
	});
	return serviceSchema.extend({ recording: recording.unwrap().extend({ file: existing }).optional() });
}
