import path from 'node:path';
import { parseContentFile } from '../facts/content-file.ts';
import { textIn } from '../facts/files.ts';
import { paths } from '../facts/links.ts';
import { attempt, lineAt, type Mistake, mistakeText, suggestionFor } from '../facts/mistake.ts';
import { PALETTE, paletteNames, paletteSchema } from '../facts/palette.ts';
import { AUTH, frontMatter, SKILL } from '../facts/page.ts';
import { componentContentMistakes, componentMistakes } from './rules/components.ts';
import { elementMistakes, imageMistakes, tableMistakes } from './rules/elements.ts';
import { braceMistakes, factMistakes } from './rules/facts.ts';
import { brokenFiles, fileMistakes, missingFiles, placeMistakes } from './rules/files.ts';
import { headingMistakes, linkedHeadingMistakes } from './rules/headings.ts';
import { linkMistakes } from './rules/links.ts';
import { type ReadPage, readContent, type Content } from './read/content.ts';
import { type Findings, translationFindings } from './rules/translations.ts';
import { wordMistakes } from './rules/words.ts';

/** Checks everything in `content/` at once. @param root the project's folder @param origin the site's, without a trailing slash */
export function checkContent(root: string, origin: string): Findings {
	const content = readContent(root, origin);
	return translationFindings(root, [
		// First, because a file that cannot be read causes other mistakes.
		...missingFiles(root),
		...brokenFiles(root),
		...content.mistakes,
		...fileMistakes(content),
		...placeMistakes(content),
		...brandMistakes(root),
		...wordMistakes(content),
		...content.pages.flatMap((page) => pageMistakes(page, content).map((mistake) => mistakeText(page.file, mistake))),
	]);
}

const LOGO = 'content/logo.svg';

function brandMistakes(root: string): string[] {
	const palette = attempt(() => parseContentFile(PALETTE, textIn(root, PALETTE), paletteSchema));
	const logo = attempt(() => [...logoMistakes(textIn(root, LOGO))].map((mistake) => mistakeText(LOGO, mistake)));
	return [...palette.mistakes, ...logo.mistakes, ...(logo.result ?? [])];
}

/** Finds what keeps the logo from showing: no proportions, or colours that the palette does not have. */
function* logoMistakes(source: string): Generator<Mistake> {
	const [start = ''] = /<svg\s[^>]*>/.exec(source) ?? [];
	const wanted = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 width height">';
	if (!/\sviewBox\s*=/.test(start))
		yield { line: lineAt(source, source.indexOf(start)), found: start ? '<svg> without viewBox' : 'no <svg>', wanted };
	for (const { 0: found, index } of source.matchAll(/<style|(?<=\s)style=/g))
		yield { line: lineAt(source, index), found, wanted: 'fill="…" in each shape: pages take no style in the logo' };
	for (const { 0: found, 1: name = '', index } of source.matchAll(/var\(\s*(--[\w-]+)/g))
		if (!paletteNames.includes(name))
			yield { line: lineAt(source, index), found: `${found})`, wanted: suggestionFor(name, paletteNames) };
}

function pageMistakes(page: ReadPage, content: Content): Mistake[] {
	const { file, path: address, prose, source } = page;
	const components = [...componentMistakes(prose, content)];
	const hasOwnHeading = file === AUTH || file === SKILL || path.basename(file, '.mdx') === 'home';
	return [
		...(file === SKILL ? factMistakes(frontMatter(source), content) : []),
		...headingMistakes(prose, hasOwnHeading ? 0 : 1),
		...(address?.startsWith(paths.docs) ? linkedHeadingMistakes(prose) : []),
		...components,
		// An unknown component is also wrong content for the component around it.
		...(components.length > 0 ? [] : componentContentMistakes(prose)),
		...elementMistakes(page, content),
		...tableMistakes(page),
		...braceMistakes(prose, content),
		...imageMistakes(file, prose, content),
		...linkMistakes(page, content),
	].toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
}
