import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { defaultLanguage } from '../service/language.ts';
import { type Mistake, told } from '../service/mistake.ts';
import { instead } from '../service/nearest.ts';
import { filesIn } from './files.ts';
import { imageFile } from './images.ts';

/** The pages of prose of each language, and its words. */
export const languagePages = ['home', 'not-found', 'privacy'] as const;
export const languageWords = ['contact', 'site'] as const;
/** All files of a language. */
const names = [...languagePages.map((name) => `${name}.mdx`), ...languageWords.map((name) => `${name}.yaml`)].toSorted();

/** What lies beside the languages. */
const otherFolders = ['docs', 'skills'];
const otherFiles = [
	'README.md',
	'auth.md',
	'components.md',
	'docs.yaml',
	'explorer.mdx',
	'logo.svg',
	'palette.css',
	'service.yaml',
];

/** The languages that there are, by their folders, the default one first. Folders that are none are left out. */
export const languagesOf = (root: string): string[] => [
	defaultLanguage,
	...foldersIn(root).filter((name) => name !== defaultLanguage && nameMistake(root, name) === undefined),
];

/** What it is called in English: `German`. */
export const languageName = (tag: string): string | undefined => englishNames.of(tag);

const englishNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** Folders and files of `content/` that are neither a language nor what lies beside them, and files that a language lacks. */
export const languageMistakes = (root: string): string[] => [
	...foldersIn(root).flatMap((name) => {
		const mistake = nameMistake(root, name);
		return mistake === undefined ? [] : [told(`content/${name}`, mistake)];
	}),
	...filesIn(root, 'content')
		.filter((file) => path.posix.dirname(file) === 'content' && !otherFiles.includes(path.basename(file)))
		.map((file) => told(file, { found: nobodyReads, wanted: insteadOfFile(path.basename(file)) })),
	...languagesOf(root).flatMap((language) => fileMistakes(root, language)),
];

function fileMistakes(root: string, language: string): string[] {
	const folder = `content/${language}`;
	const files = filesIn(root, folder).filter((file) => !imageFile.test(file));
	const needed = names.map((name) => `${folder}/${name}`);
	const wanted =
		language === defaultLanguage
			? 'the file of this name: the site needs it'
			: `it as in content/${defaultLanguage}/, in ${languageName(language)}`;
	return [
		...needed.filter((file) => !files.includes(file)).map((file) => told(file, { found: 'nothing', wanted })),
		...files
			.filter((file) => !needed.includes(file))
			.map((file) => told(file, { found: nobodyReads, wanted: instead(file.slice(folder.length + 1), names) })),
	];
}

const foldersIn = (root: string) =>
	readdirSync(path.join(root, 'content'), { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && !otherFolders.includes(entry.name) && !entry.name.startsWith('.'))
		.map(({ name }) => name)
		.toSorted();

const nobodyReads = 'a file that nothing reads';

/** What is wrong with the name of a folder, if anything is. */
function nameMistake(root: string, name: string): Mistake | undefined {
	const tag = tagOf(name);
	if (tag === undefined) return { found: 'a name that is no language', wanted: insteadOfName(name) };
	if (tag !== name)
		return existsSync(path.join(root, 'content', tag))
			? { found: `the same language as content/${tag}`, wanted: 'one of the two' }
			: { found: 'the tag of a language in another notation', wanted: `the name ${tag}` };
	const taken = ['public', 'src/pages']
		.map((folder) => `${folder}/${name}`)
		.find((folder) => existsSync(path.join(root, folder)));
	return taken === undefined ? undefined : { found: `the same address as ${taken}`, wanted: 'one of the two' };
}

/** A tag as it is usually written (RFC 5646, section 2.1.1); none where no language has it. */
function tagOf(name: string): string | undefined {
	try {
		const [tag] = Intl.getCanonicalLocales(name.replaceAll('_', '-'));
		return languageName(tag!) && tag;
	} catch {
		return undefined;
	}
}

const insteadOfName = (name: string) =>
	`the tag of one (BCP 47), such as ${tagNamed(name) ?? 'de'}, and in it ${names.join(', ')}`;

function insteadOfFile(file: string): string {
	const tag = tagOf(file.replace(/\.\w+$/, ''));
	return tag === undefined ? instead(file, otherFiles) : `a folder of its language, content/${tag}, with ${names.join(', ')}`;
}

/** The language with a name in English: `de` for `german`. */
function tagNamed(name: string): string | undefined {
	const letters = [...'abcdefghijklmnopqrstuvwxyz'];
	const tags = letters.flatMap((first) => letters.map((second) => first + second));
	return tags.find((tag) => languageName(tag)?.toLowerCase() === name.toLowerCase());
}
