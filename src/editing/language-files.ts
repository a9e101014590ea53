import path from 'node:path';
import { defaultLanguage } from '../service/language.ts';
import { told } from '../service/mistake.ts';
import { nearest } from '../service/nearest.ts';
import { filesIn } from './files.ts';
import { imageFile } from './images.ts';
import { folderMistakes, languagesOf } from './language-folders.ts';
import { languageName, tagOf } from './language-tag.ts';

/** The pages of prose that each language has. */
export const languagePages = ['home', 'not-found', 'privacy'] as const;
/** What has the words of all that is no prose. */
export const languageWords = ['contact', 'site'] as const;

const names = [...languagePages.map((name) => `${name}.mdx`), ...languageWords.map((name) => `${name}.yaml`)].toSorted();
/** What lies beside the folders of languages. */
const others = ['README.md', 'auth.md', 'components.md', 'docs.yaml', 'explorer.mdx', 'logo.svg', 'palette.css', 'service.yaml'];

/** Folders and files that are neither a language's nor lie beside one, and files that a language lacks. */
export const languageMistakes = (root: string): string[] => [
	...folderMistakes(root).map(([folder, mistake]) => told(folder, mistake)),
	...filesIn(root, 'content')
		.filter((file) => path.dirname(file) === 'content' && !others.includes(path.basename(file)))
		.map((file) => told(file, { found: unread, wanted: insteadOf(path.basename(file)) })),
	...languagesOf(root).flatMap((language) => fileMistakes(root, language)),
];

const unread = 'a file that nothing reads';

function fileMistakes(root: string, language: string): string[] {
	const folder = `content/${language}`;
	const files = filesIn(root, folder).map((file) => path.posix.relative(folder, file));
	const wanted =
		language === defaultLanguage
			? 'the file of this name: the site needs it'
			: `content/${defaultLanguage}/NAME in ${languageName(language)}`;
	return [
		...names
			.filter((name) => !files.includes(name))
			.map((name) => told(`${folder}/${name}`, { found: 'nothing', wanted: wanted.replace('NAME', name) })),
		...files
			.filter((file) => !names.includes(file) && !imageFile.test(file))
			.map((file) => told(`${folder}/${file}`, { found: unread, wanted: oneOf(names, file) })),
	];
}

function insteadOf(file: string): string {
	const tag = tagOf(file.replace(/\.\w+$/, ''));
	return tag === undefined ? oneOf(others, file) : `a folder of the language, content/${tag}, with ${names.join(', ')}`;
}

function oneOf(known: string[], file: string): string {
	const meant = nearest(file, known);
	return meant === undefined ? `one of ${known.join(', ')}` : `one that exists: did you mean ${meant}?`;
}
