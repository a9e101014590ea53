import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defaultLanguage, tagOf } from '../../facts/language.ts';
import { paths } from '../../facts/links.ts';
import { ContentError, mistakeText } from '../../facts/mistake.ts';

/** The files that Astro takes as images. */
export const imageFile = /\.(avif|gif|jpe?g|png|svg|tiff|webp)$/i;

/** Lists all files under a folder, if it exists, by their paths from the root, without those whose names begin with a dot. */
export function filesIn(root: string, folder: string): string[] {
	if (!existsSync(path.join(root, folder))) return [];
	return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
		.filter((file) => !file.includes('/.'))
		.toSorted();
}

/** Returns the text of a file without a byte order mark. @throws {ContentError} the file does not exist */
export function textIn(root: string, file: string): string {
	if (!existsSync(path.join(root, file))) throw new ContentError([missing(file)]);
	return new TextDecoder().decode(readFileSync(path.join(root, file)));
}

/** Words the mistake that a file does not exist. */
export const missing = (file: string): string =>
	mistakeText(file, { found: 'nothing', wanted: 'the file of this name: the site needs it' });

/** Lists the languages by their folders in `content/`, which their tags name. The default one is first. */
export const languagesOf = (root: string): string[] => [
	defaultLanguage,
	...readdirSync(path.join(root, 'content'))
		.filter((name) => name !== defaultLanguage && tagOf(name) === name)
		.toSorted(),
];

/** The pages of prose that every language has, with their paths in the default language. */
export const languagePages = { home: paths.home, 'not-found': undefined, privacy: paths.privacy };
/** Every language has these files of words. */
export const languageWords = ['contact', 'site'] as const;
