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
	type GuideData,
	guidePath,
	guideSchema,
	frontMatter,
	type PageFile,
	pageSchema,
	SKILL,
	skillSchema,
} from '../../facts/page.ts';

export const GUIDES = 'content/docs';
/** The text around the interactive reference. */
export const EXPLORER = 'content/explorer.mdx';

/** Reads the documentation in order of file names. */
export const readGuides = (root: string): PageFile[] =>
	filesIn(root, GUIDES)
		.filter((file) => file.endsWith('.mdx'))
		.map((file) => {
			const id = file.slice(GUIDES.length + 1).replace(/(\/index)?\.mdx$/, '');
			return read(root, { file, id, path: guidePath(id) }, guideSchema);
		});

/** Reads the single pages of prose: those of each language, such as `de/home`, and the `explorer`. */
export const readSinglePages = (root: string): PageFile[] =>
	[
		...languagesOf(root).flatMap((language) =>
			Object.entries(languagePages).map(([name, page]) => ({
				file: `content/${language}/${name}.mdx`,
				id: `${language}/${name}`,
				path: page && pathIn(language, page),
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

function read(root: string, place: Pick<PageFile, 'file' | 'id' | 'path'>, schema: z.ZodType<Partial<GuideData>>): PageFile {
	const source = textIn(root, place.file);
	const { result, mistakes } = attempt(() => parseContentFile(place.file, frontMatter(source), schema));
	return { ...place, source, data: result, mistakes };
}
