import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { defaultLanguage } from '../../facts/language.ts';
import { tagNamed, tagOf } from '../../facts/language-tag.ts';
import type { Mistake } from '../../facts/mistake.ts';

/** The folders of `content/` that belong to no language. */
const otherFolders = new Set(['docs', 'skills']);
/** Folders inside these already have the addresses that a language of the same name would need. */
const taken = ['public', 'src/pages'];

/** Lists the languages by their folders, the default one first. Leaves out folders that cannot be a language's. */
export const languagesOf = (root: string): string[] => [
	defaultLanguage,
	...foldersIn(root).filter((name) => name !== defaultLanguage && nameMistake(root, name) === undefined),
];

/** Lists the folders of `content/` that should be languages'. */
export const foldersIn = (root: string) =>
	readdirSync(path.join(root, 'content'), { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && !otherFolders.has(entry.name) && !entry.name.startsWith('.'))
		.map(({ name }) => name)
		.toSorted();

/** Finds why a folder cannot be a language's. */
export function nameMistake(root: string, name: string): Mistake | undefined {
	const has = (folder: string) => existsSync(path.join(root, folder));
	const tag = tagOf(name);
	if (tag === undefined)
		return { found: 'a name that is no language', wanted: `the tag of one (BCP 47), such as ${tagNamed(name) ?? 'de'}` };
	if (tag !== name && has(`content/${tag}`)) return { found: `the same language as content/${tag}`, wanted: 'one of the two' };
	if (tag !== name) return { found: 'a tag that is usually written in another way', wanted: `the name ${tag}` };
	const namesake = taken.map((folder) => `${folder}/${name}`).find(has);
	return namesake === undefined ? undefined : { found: `the same address as ${namesake}`, wanted: 'another name for that' };
}

/** Every language has these pages of prose. */
export const languagePages = ['home', 'not-found', 'privacy'] as const;
/** Every language has these files of words. */
export const languageWords = ['contact', 'site'] as const;
