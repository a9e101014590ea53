import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Copy } from '../../src/facts/copy.ts';
import { defaultLanguage } from '../../src/facts/language.ts';
import type { SiteWords } from '../../src/facts/site-words.ts';

const read = <Words>(language: string, file: string) => parse(readFileSync(`content/${language}/${file}.yaml`, 'utf8')) as Words;

/** All languages, the default one first. */
export const languages = [
	defaultLanguage,
	...readdirSync('content').filter((tag) => tag !== defaultLanguage && existsSync(`content/${tag}/site.yaml`)),
];

/** Returns the words of a language, before facts are filled in. */
export const copyIn = (language: string) => read<Copy>(language, 'contact');
export const wordsIn = (language: string) => read<SiteWords>(language, 'site');

/** Marks a test that `npm test` leaves out. */
export const long = { tag: '@long' };

/** The languages that `npm test` looks at: the default one, and one that is read from right to left. */
const sampled = new Set([defaultLanguage, 'ar']);

/** Marks a test of a language, or of a page by its path, that `npm test` leaves out. */
export const ofLanguage = (languageOrPath: string) => {
	const [language] = languageOrPath.replace(/^\//, '').split('/') as [string];
	return languages.includes(language) && !sampled.has(language) ? long : {};
};
