import { readdirSync } from 'node:fs';
import path from 'node:path';
import { defaultLanguage } from '../../facts/language.ts';
import { tagOf } from '../../facts/language-tag.ts';

/** Lists the languages by their folders in `content/`, which their tags name. The default one is first. */
export const languagesOf = (root: string): string[] => [
	defaultLanguage,
	...readdirSync(path.join(root, 'content'))
		.filter((name) => name !== defaultLanguage && tagOf(name) === name)
		.toSorted(),
];

/** Every language has these pages of prose. */
export const languagePages = ['home', 'not-found', 'privacy'] as const;
/** Every language has these files of words. */
export const languageWords = ['contact', 'site'] as const;
