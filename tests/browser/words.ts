import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Copy } from '../../src/facts/copy.ts';
import { defaultLanguage } from '../../src/facts/language.ts';
import type { SiteWords } from '../../src/facts/site-words.ts';

const read = <Words>(language: string, file: string) => parse(readFileSync(`content/${language}/${file}.yaml`, 'utf8')) as Words;

/** The languages that there are, the default one first. */
export const languages = [
	defaultLanguage,
	...readdirSync('content').filter((tag) => tag !== defaultLanguage && existsSync(`content/${tag}/site.yaml`)),
];

/** The words of a language, facts not yet filled in. */
export const copyIn = (language: string) => read<Copy>(language, 'contact');
export const wordsIn = (language: string) => read<SiteWords>(language, 'site');
