import path from 'node:path';
import { defaultLanguage } from '../../facts/language.ts';
import { languageName, tagOf } from '../../facts/language-tag.ts';
import { mistakeText, suggestionFor } from '../../facts/mistake.ts';
import { filesIn, imageFile } from '../read/files.ts';
import { foldersIn, languagePages, languagesOf, languageWords, nameMistake } from '../read/language-folders.ts';

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
	...foldersIn(root).flatMap((name) => {
		const mistake = nameMistake(root, name);
		return mistake === undefined ? [] : mistakeText(`content/${name}`, mistake);
	}),
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
