import { parseContentFile } from '../../facts/content-file.ts';
import { collectMistakes, mistakeText } from '../../facts/mistake.ts';
import { filterByKeys } from '../../facts/key-marks.ts';
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
		for (const mistake of factMistakes(text, site)) messages.push(mistakeText(file, mistake));
	}
	return messages;
}
