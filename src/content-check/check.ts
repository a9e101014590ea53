import path from 'node:path';
import { parseContentFile } from '../facts/content-file.ts';
import { filterByKeys } from '../facts/fill.ts';
import { paths } from '../facts/links.ts';
import { collectMistakes, type Mistake, mistakeText } from '../facts/mistake.ts';
import { frontMatter, SKILL, skillSchema } from '../facts/page.ts';
import { logoMistakes, paletteMistakes, paletteNames } from './rules/brand.ts';
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
export interface Findings extends Pick<Site, 'anchors' | 'untranslated'> {
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

const brand = { 'content/palette.css': paletteMistakes, 'content/logo.svg': logoMistakes };

function brandMistakes(root: string): string[] {
	const names = paletteNames(root);
	return Object.entries(brand).flatMap(([file, mistakesIn]) => {
		const messages: string[] = [];
		const mistakes = collectMistakes(messages, () => [...mistakesIn(textIn(root, file, messages), names)]);
		return messages.concat((mistakes ?? []).map((mistake) => mistakeText(file, mistake)));
	});
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
