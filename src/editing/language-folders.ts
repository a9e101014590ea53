import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { defaultLanguage } from '../service/language.ts';
import type { Mistake } from '../service/mistake.ts';
import { tagNamed, tagOf } from './language-tag.ts';

/** The folders of `content/` that are no language. */
const others = new Set(['docs', 'skills']);
/** Whose folders have addresses that a language would have as well. */
const taken = ['public', 'src/pages'];

/** The languages that there are, by their folders, the default one first. A folder that is not named for one is left out. */
export const languagesOf = (root: string): string[] => [
	defaultLanguage,
	...foldersIn(root).filter((name) => name !== defaultLanguage && nameMistake(root, name) === undefined),
];

/** The folders that are not named for a language, by their paths. */
export const folderMistakes = (root: string): [folder: string, mistake: Mistake][] =>
	foldersIn(root).flatMap((name) => {
		const mistake = nameMistake(root, name);
		return mistake === undefined ? [] : [[`content/${name}`, mistake]];
	});

const foldersIn = (root: string) =>
	readdirSync(path.join(root, 'content'), { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && !others.has(entry.name) && !entry.name.startsWith('.'))
		.map(({ name }) => name)
		.toSorted();

function nameMistake(root: string, name: string): Mistake | undefined {
	const has = (folder: string) => existsSync(path.join(root, folder));
	const tag = tagOf(name);
	if (tag === undefined)
		return { found: 'a name that is no language', wanted: `the tag of one (BCP 47), such as ${tagNamed(name) ?? 'de'}` };
	if (tag !== name && has(`content/${tag}`)) return { found: `the same language as content/${tag}`, wanted: 'one of the two' };
	if (tag !== name) return { found: 'a tag that is usually written in another way', wanted: `the name ${tag}` };
	const namesake = taken.map((folder) => `${folder}/${name}`).find(has);
	return namesake === undefined ? undefined : { found: `the same address as ${namesake}`, wanted: 'another name for that' };
}
