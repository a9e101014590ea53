import { parseContentFile } from '../../facts/content-file.ts';
import { collectMistakes, lineAt, type Mistake, mistakeText } from '../../facts/mistake.ts';
import { filterByKeys } from '../../facts/key-marks.ts';
import { componentNames } from './components.ts';
import { factMistakes } from './facts.ts';
import { textIn } from '../read/files.ts';
import { frontMatter, SKILL, skillSchema } from '../../facts/page.ts';
import type { Site } from '../read/site.ts';

/** Finds mistakes in the texts for programs. */
export function textMistakes(site: Site): string[] {
	const messages: string[] = [];
	for (const file of ['content/auth.md', SKILL]) {
		const text = collectMistakes(messages, () => textIn(site.root, file, messages));
		if (text === undefined) continue;
		// Either state: this checks the marks.
		collectMistakes(messages, () => filterByKeys(text, 'issued', file));
		if (file === SKILL) collectMistakes(messages, () => parseContentFile(file, frontMatter(text), skillSchema));
		for (const mistake of [...factMistakes(text, site), ...pageSyntaxMistakes(text, site)])
			messages.push(mistakeText(file, mistake));
	}
	return messages;
}

/** Finds the syntax of pages, `{fact}` or a component: a text for programs would show it. */
function* pageSyntaxMistakes(text: string, { facts = {} }: Site): Generator<Mistake> {
	for (const { 0: found, 1: fact, 2: component = '', index } of text.matchAll(
		/(?<!\{)\{\s*([\w.:]+)\s*\}(?!\})|<\/?(\w+)[^>]*>/g,
	))
		if ((fact !== undefined && fact in facts) || componentNames.includes(component))
			yield {
				line: lineAt(text, index),
				found,
				wanted: `{{${fact ?? 'name'}}} for a fact, or Markdown without components, with marks such as <!-- keys: issued -->`,
			};
}
