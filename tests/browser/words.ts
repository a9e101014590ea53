import { parse } from 'yaml';
import { languagesOf, readService, textIn } from '../../src/facts/files.ts';
import type { Copy, SiteWords } from '../../src/facts/words.ts';

const { name, keys } = readService('.');
const read = <Words>(language: string, file: string) =>
	parse(textIn('.', `content/${language}/${file}.yaml`).replaceAll('{{name}}', name)) as Words;

/** All languages, the default one first. */
export const languages = languagesOf('.');

/** Returns the words of a language, before facts other than our name are filled in. */
export const copyIn = (language: string) => read<Copy>(language, 'contact');
export const wordsIn = (language: string) => read<SiteWords>(language, 'site');

/** Mark tests of pages that are there where content has several languages, and where API keys are issued. */
export const withLanguages = { tag: '@languages' };
export const withKeys = { tag: '@keys' };

/** Matches the tests of pages that do not exist here. */
export const unpublished = [...(languages.length === 1 ? [/@languages/] : []), ...(keys === 'none' ? [/@keys/] : [])];
