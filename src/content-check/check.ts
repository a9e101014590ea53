import path from 'node:path';
import { parseContentFile } from '../facts/content-file.ts';
import { filterByKeys } from '../facts/fill.ts';
import { paths } from '../facts/links.ts';
import { collectMistakes, lineAt, type Mistake, mistakeText, suggestionFor } from '../facts/mistake.ts';
import { PALETTE, paletteNames, paletteSchema } from '../facts/palette.ts';
import { frontMatter, SKILL, skillSchema } from '../facts/page.ts';
import { componentContentMistakes, componentMistakes } from './rules/components.ts';
import { elementMistakes, imageMistakes } from './rules/elements.ts';
import { braceMistakes, factMistakes } from './rules/facts.ts';
import { textIn } from './read/files.ts';
import { fileMistakes, placeMistakes } from './rules/files.ts';
import { headingMistakes, linkedHeadingMistakes } from './rules/headings.ts';
import { linkMistakes } from './rules/links.ts';
import { type ReadPage, readSite, type Site } from './read/read-site.ts';
import { wordMistakes } from './rules/words.ts';

/** The mistakes in the content, in words for the editor. */
export interface Findings extends Pick<Site, 'untranslated'> {
	mistakes: string[];
}

/**
 * Checks everything in `content/` at once.
 *
 * @param root the project's folder
 * @param origin the site's, without a trailing slash
 */
export function checkContent(root: string, origin: string): Findings {
	const mistakes: string[] = [];
	const site = readSite(root, origin, mistakes);
	mistakes.unshift(...fileMistakes(site), ...placeMistakes(site));
	mistakes.push(...brandMistakes(root), ...wordMistakes(site));
	for (const page of site.pages) for (const mistake of pageMistakes(page, site)) mistakes.push(mistakeText(page.file, mistake));
	for (const file of ['content/auth.md', SKILL]) collectMistakes(mistakes, () => mistakes.push(...textMistakes(file, site)));
	return { ...site, mistakes };
}

const LOGO = 'content/logo.svg';

function brandMistakes(root: string): string[] {
	const messages: string[] = [];
	collectMistakes(messages, () => parseContentFile(PALETTE, textIn(root, PALETTE, messages), paletteSchema));
	const logo = collectMistakes(messages, () => [...logoMistakes(textIn(root, LOGO, messages))]) ?? [];
	return [...messages, ...logo.map((mistake) => mistakeText(LOGO, mistake))];
}

/** Finds what keeps the logo from showing: no proportions, or colours that the palette does not have. */
function* logoMistakes(source: string): Generator<Mistake> {
	const [start = ''] = /<svg\s[^>]*>/.exec(source) ?? [];
	if (!/\sviewBox\s*=/.test(start))
		yield {
			line: lineAt(source, source.indexOf(start)),
			found: start ? '<svg> without viewBox' : 'no <svg>',
			wanted: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 width height">',
		};
	for (const { 0: found, 1: name = '', index } of source.matchAll(/var\(\s*(--[\w-]+)/g))
		if (!paletteNames.includes(name))
			yield { line: lineAt(source, index), found: `${found})`, wanted: suggestionFor(name, paletteNames) };
}

function pageMistakes(page: ReadPage, site: Site): Mistake[] {
	const { file, path: address, prose } = page;
	return [
		...headingMistakes(prose, path.basename(file, '.mdx') === 'home' ? 0 : 1),
		...(address?.startsWith(paths.docs) ? linkedHeadingMistakes(prose) : []),
		...componentMistakes(prose, site),
		...componentContentMistakes(prose),
		...elementMistakes(prose),
		...braceMistakes(prose, site),
		...imageMistakes(file, prose, site),
		...linkMistakes(page, site),
	].toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
}

/** Finds mistakes in a text for programs. */
function textMistakes(file: string, site: Site): string[] {
	const messages: string[] = [];
	const text = textIn(site.root, file, messages);
	// Either state: this checks the marks.
	collectMistakes(messages, () => filterByKeys(text, 'issued', file));
	if (file === SKILL) collectMistakes(messages, () => parseContentFile(file, frontMatter(text), skillSchema));
	return [...messages, ...[...factMistakes(text, site)].map((mistake) => mistakeText(file, mistake))];
}
