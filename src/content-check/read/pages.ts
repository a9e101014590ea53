import { existsSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { parseContentFile } from '../../facts/content-file.ts';
import { pathIn } from '../../facts/language.ts';
import { paths } from '../../facts/links.ts';
import { collectMistakes } from '../../facts/mistake.ts';
import { filesIn, languagePages, languagesOf, textIn } from './files.ts';
import {
	AUTH,
	type DocsData,
	docsPath,
	docsSchema,
	frontMatter,
	type PageFile,
	pageSchema,
	SKILL,
	skillSchema,
} from '../../facts/page.ts';

export const DOCS = 'content/docs';
/** The text around the interactive reference. */
export const EXPLORER = 'content/explorer.mdx';

/** The path of each page of prose in the default language. */
const prosePaths = { home: paths.home, privacy: paths.privacy, 'not-found': undefined };

/** Reads the documentation in order of file names. Adds mistakes in front matter to `messages`. */
export const readDocs = (root: string, messages: string[] = []): PageFile<DocsData>[] =>
	pagesIn(root, DOCS).map((file) => {
		const id = file.slice(DOCS.length + 1).replace(/(\/index)?\.mdx$/, '');
		return read(root, { file, id, path: docsPath(id) }, docsSchema, messages);
	});

/** Reads the single pages of prose: those of each language, such as `de/home`, and the `explorer`. */
export const readSinglePages = (root: string, messages: string[] = []): PageFile<z.output<typeof pageSchema>>[] =>
	[
		...languagesOf(root).flatMap((language) =>
			languagePages.map((name) => ({
				file: `content/${language}/${name}.mdx`,
				id: `${language}/${name}`,
				path: prosePaths[name] && pathIn(language, prosePaths[name]),
				language,
			})),
		),
		{ file: EXPLORER, id: 'explorer', path: paths.apiExplorer },
	]
		.filter(({ file }) => existsSync(path.join(root, file)))
		.map((place) => read(root, place, pageSchema, messages));

/** Reads the texts for programs, and checks their front matter. */
export const readTexts = (root: string, messages: string[]): PageFile<never>[] =>
	[
		{ place: { file: AUTH, id: 'auth', path: paths.authMd }, schema: z.strictObject({}) },
		{ place: { file: SKILL, id: 'skill', path: paths.skill }, schema: skillSchema },
	]
		.filter(({ place }) => existsSync(path.join(root, place.file)))
		.map(({ place, schema }) => Object.assign(read<z.ZodType>(root, place, schema, messages), { data: undefined }));

const pagesIn = (root: string, folder: string) => filesIn(root, folder).filter((file) => file.endsWith('.mdx'));

type Place = Pick<PageFile, 'file' | 'id' | 'path' | 'language'>;

function read<Schema extends z.ZodType>(
	root: string,
	place: Place,
	schema: Schema,
	messages: string[],
): PageFile<z.output<Schema>> {
	const source = textIn(root, place.file, messages);
	return { ...place, source, data: collectMistakes(messages, () => parseContentFile(place.file, frontMatter(source), schema)) };
}
