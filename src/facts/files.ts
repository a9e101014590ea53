import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { parseContentFile } from './content-file.ts';
import { defaultLanguage, pathIn, tagOf } from './language.ts';
import { paths } from './links.ts';
import { attempt, ContentError, mistakeText } from './mistake.ts';
import { AUTH, frontMatter, type GuideData, guidePath, guideSchema, pageSchema, SKILL, skillSchema } from './page.ts';
import { SERVICE, serviceSchema } from './schema.ts';

/** Lists all files under a folder, if it exists, by their paths from the root. Of names that begin with a dot only `.well-known` counts. */
export const filesIn = (root: string, folder: string): string[] =>
	globSync([`${folder}/**`, `${folder}/.well-known/**`], { cwd: root, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
		.toSorted();

/** Returns the text of a file without a byte order mark. @throws {ContentError} the file does not exist */
export function textIn(root: string, file: string): string {
	if (!existsSync(path.join(root, file))) throw new ContentError([missing(file)]);
	return new TextDecoder().decode(readFileSync(path.join(root, file)));
}

/** Returns the facts. @throws {ContentError} they are missing, or have mistakes */
export const readService = (root: string) => parseContentFile(SERVICE, textIn(root, SERVICE), serviceSchema);

/** Words the mistake that a file does not exist. */
export const missing = (file: string): string =>
	mistakeText(file, { found: 'nothing', wanted: 'the file of this name: the site needs it' });

/** Lists the languages by their folders in `content/`, which their tags name. The default one is first. */
export function languagesOf(root: string): string[] {
	const names = readdirSync(path.join(root, 'content')).filter((name) => name !== defaultLanguage && tagOf(name) === name);
	return [defaultLanguage, ...names.toSorted()];
}

export const GUIDES = 'content/docs';

interface Place {
	file: string;
	/** Its name in its collection: `index`, `send-a-lead`, `guides` for `guides/index.mdx`. */
	id: string;
	/** Its published path; the page for unknown addresses has none. */
	path: string | undefined;
	schema: z.ZodType<Partial<GuideData>>;
}

/** Lists the files of prose that the site needs, by collection, whether they exist or not. */
export const places = {
	docs: (root: string): Place[] =>
		filesIn(root, GUIDES)
			.filter((file) => file.endsWith('.mdx'))
			.map((file) => {
				const id = file.slice(GUIDES.length + 1).replace(/(\/index)?\.mdx$/, '');
				return { file, id, path: guidePath(id), schema: guideSchema };
			}),
	/** The single pages: those of each language, such as `de/home`, and the `explorer`, the text around the interactive reference. */
	pages: (root: string): Place[] => [
		...languagesOf(root).flatMap((language) =>
			Object.entries({ home: paths.home, privacy: paths.privacy, trust: paths.trust, 'not-found': undefined }).map(
				([name, page]) => {
					const id = `${language}/${name}`;
					return { file: `content/${id}.mdx`, id, path: page && pathIn(language, page), schema: pageSchema };
				},
			),
		),
		{ file: 'content/explorer.mdx', id: 'explorer', path: paths.apiExplorer, schema: pageSchema },
	],
	texts: (): Place[] => [
		{ file: AUTH, id: 'auth', path: paths.authMd, schema: z.strictObject({}) },
		{ file: SKILL, id: 'skill', path: paths.skill, schema: skillSchema },
	],
};

/** A file of prose; `data` is its front matter, unless that has mistakes. */
export type PageFile = ReturnType<typeof readPages>[number];

/** Reads those files of a collection that exist, and checks their front matter. */
export const readPages = (root: string, collection: keyof typeof places) =>
	places[collection](root)
		.filter(({ file }) => existsSync(path.join(root, file)))
		.map((place) => {
			const source = textIn(root, place.file);
			const { result, mistakes } = attempt(() => parseContentFile(place.file, frontMatter(source), place.schema));
			return Object.assign(place, { source, data: result, mistakes });
		});
