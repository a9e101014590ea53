import { existsSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { parseContentFile } from '../../facts/content-file.ts';
import { pathIn } from '../../facts/language.ts';
import { paths } from '../../facts/links.ts';
import { attempt } from '../../facts/mistake.ts';
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

/** Reads the documentation in order of file names. */
export const readDocs = (root: string): PageFile[] =>
	filesIn(root, DOCS)
		.filter((file) => file.endsWith('.mdx'))
		.map((file) => {
			const id = file.slice(DOCS.length + 1).replace(/(\/index)?\.mdx$/, '');
			return read(root, { file, id, path: docsPath(id) }, docsSchema);
		});

/** Reads the single pages of prose: those of each language, such as `de/home`, and the `explorer`. */
export const readSinglePages = (root: string): PageFile[] =>
	[
		...languagesOf(root).flatMap((language) =>
			languagePages.map((name) => ({
				file: `content/${language}/${name}.mdx`,
				id: `${language}/${name}`,
				path: prosePaths[name] && pathIn(language, prosePaths[name]),
			})),
		),
		{ file: EXPLORER, id: 'explorer', path: paths.apiExplorer },
	]
		.filter(({ file }) => existsSync(path.join(root, file)))
		.map((place) => read(root, place, pageSchema));

/** Reads the texts for programs, and checks their front matter. */
export const readTexts = (root: string): PageFile[] =>
	[
		{ place: { file: AUTH, id: 'auth', path: paths.authMd }, schema: z.strictObject({}) },
		{ place: { file: SKILL, id: 'skill', path: paths.skill }, schema: skillSchema },
	]
		.filter(({ place }) => existsSync(path.join(root, place.file)))
		.map(({ place, schema }) => read(root, place, schema));

function read(root: string, place: Pick<PageFile, 'file' | 'id' | 'path'>, schema: z.ZodType<Partial<DocsData>>): PageFile {
	const source = textIn(root, place.file);
	const { result, mistakes } = attempt(() => parseContentFile(place.file, frontMatter(source), schema));
	return { ...place, source, data: result, mistakes };
}
