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
export const readSinglePages = (root: string): PageFile[] => [
	...languagesOf(root).flatMap((language) =>
		Object.entries(languagePages).flatMap(([name, page]) => {
			const path = page && pathIn(language, page);
			return readExisting(root, { file: `content/${language}/${name}.mdx`, id: `${language}/${name}`, path }, pageSchema);
		}),
	),
	...readExisting(root, { file: EXPLORER, id: 'explorer', path: paths.apiExplorer }, pageSchema),
];

/** Reads the texts for programs, and checks their front matter. */
export const readTexts = (root: string): PageFile[] => [
	...readExisting(root, { file: AUTH, id: 'auth', path: paths.authMd }, z.strictObject({})),
	...readExisting(root, { file: SKILL, id: 'skill', path: paths.skill }, skillSchema),
];

type Place = Pick<PageFile, 'file' | 'id' | 'path'>;
type FrontMatter = z.ZodType<Partial<GuideData>>;

const readExisting = (root: string, place: Place, schema: FrontMatter): PageFile[] =>
	existsSync(path.join(root, place.file)) ? [read(root, place, schema)] : [];

function read(root: string, place: Place, schema: FrontMatter): PageFile {
	const source = textIn(root, place.file);
	const { result, mistakes } = attempt(() => parseContentFile(place.file, frontMatter(source), schema));
	return { ...place, source, data: result, mistakes };
}
