import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { defaultLanguage } from '../../facts/language.ts';
import { type Mistake, mistakeText, suggestionFor } from '../../facts/mistake.ts';
import { filesIn, imageFile } from './files.ts';
import { languageName, tagNamed, tagOf } from '../../facts/language-tag.ts';

/** The folders of `content/` that belong to no language. */
const otherFolders = new Set(['docs', 'skills']);
/** Folders inside these already have the addresses that a language of the same name would need. */
const taken = ['public', 'src/pages'];

/** Lists the languages by their folders, the default one first. Leaves out folders that cannot be a language's. */
export const languagesOf = (root: string): string[] => [
	defaultLanguage,
	...foldersIn(root).filter((name) => name !== defaultLanguage && nameMistake(root, name) === undefined),
];

/** Lists the folders that cannot be a language's, by their paths. */
const folderMistakes = (root: string): [folder: string, mistake: Mistake][] =>
	foldersIn(root).flatMap((name) => {
		const mistake = nameMistake(root, name);
		return mistake === undefined ? [] : [[`content/${name}`, mistake]];
	});

const foldersIn = (root: string) =>
	readdirSync(path.join(root, 'content'), { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && !otherFolders.has(entry.name) && !entry.name.startsWith('.'))
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

/** Every language has these pages of prose. */
export const languagePages = ['home', 'not-found', 'privacy'] as const;
/** Every language has these files of words. */
export const languageWords = ['contact', 'site'] as const;

const names = [...languagePages.map((name) => `${name}.mdx`), ...languageWords.map((name) => `${name}.yaml`)].toSorted();
/** The files beside the folders of languages. */
const otherFiles = [
	'README.md',
	'auth.md',
	'components.md',
	'docs.yaml',
	'explorer.mdx',
	'logo.svg',
	'palette.css',
	'service.yaml',
	'tsconfig.json',
];

/** Finds folders and files of `content/` that nothing reads, and files that a language lacks. */
export const languageMistakes = (root: string): string[] => [
	...folderMistakes(root).map(([folder, mistake]) => mistakeText(folder, mistake)),
	...filesIn(root, 'content')
		.filter((file) => path.dirname(file) === 'content' && !otherFiles.includes(path.basename(file)))
		.map((file) => mistakeText(file, { found: unread, wanted: insteadOf(path.basename(file)) })),
	...languagesOf(root).flatMap((language) => languageFileMistakes(root, language)),
];

const unread = 'a file that nothing reads';

function languageFileMistakes(root: string, language: string): string[] {
	const folder = `content/${language}`;
	const files = filesIn(root, folder).map((file) => path.posix.relative(folder, file));
	const wanted =
		language === defaultLanguage
			? 'the file of this name: the site needs it'
			: `content/${defaultLanguage}/NAME in ${languageName(language)}`;
	return [
		...names
			.filter((name) => !files.includes(name))
			.map((name) => mistakeText(`${folder}/${name}`, { found: 'nothing', wanted: wanted.replace('NAME', name) })),
		...files
			.filter((file) => !names.includes(file) && !imageFile.test(file))
			.map((file) => mistakeText(`${folder}/${file}`, { found: unread, wanted: oneOf(names, file) })),
	];
}

function insteadOf(file: string): string {
	const tag = tagOf(file.replace(/\.\w+$/, ''));
	return tag === undefined ? oneOf(otherFiles, file) : `a folder of the language, content/${tag}, with ${names.join(', ')}`;
}

const oneOf = (known: string[], file: string) => suggestionFor(file, known, `one of ${known.join(', ')}`);
