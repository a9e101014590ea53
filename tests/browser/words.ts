import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Copy, SiteWords } from '../../src/facts/words.ts';
import { defaultLanguage } from '../../src/facts/language.ts';

const { name, keys } = parse(readFileSync('content/service.yaml', 'utf8')) as { name: string; keys: string };
const read = <Words>(language: string, file: string) =>
	parse(readFileSync(`content/${language}/${file}.yaml`, 'utf8').replaceAll('{{name}}', name)) as Words;

/** All languages, the default one first. */
export const languages = [
	defaultLanguage,
	...readdirSync('content').filter((tag) => tag !== defaultLanguage && existsSync(`content/${tag}/site.yaml`)),
];

/** Returns the words of a language, before facts other than our name are filled in. */
export const copyIn = (language: string) => read<Copy>(language, 'contact');
export const wordsIn = (language: string) => read<SiteWords>(language, 'site');

/** Mark tests of pages that are there where content has several languages, and where API keys are issued. */
export const withLanguages = { tag: '@languages' };
export const withKeys = { tag: '@keys' };

/** Matches the tests of pages that do not exist here. */
export const unpublished = [...(languages.length === 1 ? [/@languages/] : []), ...(keys === 'none' ? [/@keys/] : [])];
