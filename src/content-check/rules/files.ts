import { isUtf8 } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { filesIn, GUIDES, languagesOf, missing, places } from '../../facts/files.ts';
import { isProblemPath, paths, urlPath } from '../../facts/links.ts';
import { lineAt, mistakeText, suggestionFor } from '../../facts/mistake.ts';
import { groupOf } from '../../facts/page.ts';
import { PALETTE } from '../../facts/palette.ts';
import { SERVICE } from '../../facts/schema.ts';
import type { Content } from '../read/content.ts';
import { imageFile } from './elements.ts';
import { wordsFile, wordsNames } from './words.ts';

/** The files of `content/` beside its folders. */
const topFiles = [PALETTE, SERVICE, 'content/README.md', 'content/components.md', 'content/logo.svg', 'content/translated.yaml'];
const guideFile = new RegExp(`^${GUIDES}/([a-z0-9][a-z0-9-]*/)*[a-z0-9][a-z0-9-]*\\.mdx$`);

/** Lists the files that the site needs, those of a language in the order in which to translate them. */
export const neededFiles = (root: string): string[] => [
	...languagesOf(root).flatMap((language) => wordsNames.map((name) => wordsFile(language, name))),
	...[...places.pages(root), ...places.texts()].map(({ file }) => file),
	// Code leads to these.
	...[paths.sendALead, paths.authentication, paths.errors, paths.apiReference].map((page) => `content${page}.mdx`),
];

/** Finds files that are missing, but for translations. */
export function missingFiles(root: string): string[] {
	const [, ...translations] = languagesOf(root).map((language) => `content/${language}/`);
	const isTranslation = (file: string) => translations.some((folder) => file.startsWith(folder));
	return neededFiles(root)
		.filter((file) => !existsSync(path.join(root, file)) && !isTranslation(file))
		.map(missing);
}

const told = (file: string, found: string, wanted: string) => mistakeText(file, { found, wanted });

/** Finds files in another encoding, and those that git left with two versions. */
export function* brokenFiles(root: string): Generator<string> {
	for (const file of filesIn(root, 'content').filter((name) => /\.(mdx|svg|yaml)$/.test(name))) {
		const bytes = readFileSync(path.join(root, file));
		// UTF-16 without a mark at its beginning is valid UTF-8, with a zero for each letter.
		if (!isUtf8(bytes) || bytes.includes(0)) yield told(file, 'bytes that are not UTF-8', 'the file saved as UTF-8');
		const source = bytes.toString();
		const mark = source.search(/^(<{7}|>{7}) /m);
		const wanted = 'one of them, without the lines that begin with <<<<<<<, ======= and >>>>>>>';
		if (mark >= 0)
			yield mistakeText(file, { line: lineAt(source, mark), found: 'two versions that git could not merge', wanted });
	}
}

/** Finds files that nothing reads, and names that not every host can serve. */
export function* fileMistakes({ root, publicPaths, paths: published, recording }: Content): Generator<string> {
	const files = filesIn(root, 'content');
	const images = files.filter((file) => imageFile.test(file));
	const read = new Set([...topFiles, ...neededFiles(root), ...images]);
	const readable = `a page such as ${GUIDES}/first-steps.mdx (small letters, digits and hyphens), a file of a language such as content/pt-BR/site.yaml, an image, or a download in public/`;
	for (const file of files) if (!read.has(file) && !guideFile.test(file)) yield told(file, 'a file that nothing reads', readable);
	const letters = 'letters from a to z, digits, hyphens, dots and underscores';
	for (const file of [...publicPaths.map((path) => `public${path}`), ...images])
		if (!/^[\w./-]+$/.test(file)) yield told(file, 'a name that addresses must escape', letters);
	for (const file of publicPaths)
		if (file.endsWith('.html') && [...published, '/404'].includes(urlPath(file.slice(1))))
			yield told(`public${file}`, 'the same address as a page', 'another name');
	if (recording && !publicPaths.includes(recording))
		yield told(SERVICE, `the recording ${recording}`, `a file of public/, ${suggestionFor(recording, publicPaths)}`);
}

/** Finds folders of documentation without an `index.mdx`, and pages with the address of another. */
export function* placeMistakes({ guides, pages }: Content): Generator<string> {
	for (const group of new Set(['', ...guides.map(({ id }) => groupOf(id))]))
		if (!guides.some(({ id }) => id === (group || 'index')))
			yield told(`${GUIDES}/${group}`, 'no index.mdx', 'one: it gives the folder its title and its place');
	for (const page of guides) {
		const namesake = pages.slice(pages.findIndex(({ file }) => file === page.file) + 1).find(({ path }) => path === page.path);
		if (isProblemPath(page.path)) yield told(page.file, 'a page among those of problems', `another folder than ${GUIDES}/errors`);
		else if (namesake) yield told(page.file, `the same address as ${namesake.file}`, 'another name');
	}
}
