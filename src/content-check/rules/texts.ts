import { parseContentFile } from '../../facts/content-file.ts';
import { docsWordsSchema } from '../../facts/docs-words.ts';
import { collectMistakes, mistakeText } from '../../facts/mistake.ts';
import { filterByState } from '../../facts/states.ts';
import { factMistakes } from './facts.ts';
import { textIn } from '../read/files.ts';
import { frontMatter, SKILL, skillSchema } from '../../facts/page.ts';
import type { Site } from '../read/site.ts';

/** Finds mistakes in the texts for programs, and in the words around the documentation. */
export function textMistakes(site: Site): string[] {
	const messages: string[] = [];
	collectMistakes(messages, () => parseContentFile(DOCS_WORDS, textIn(site.root, DOCS_WORDS, messages), docsWordsSchema));
	for (const file of ['content/auth.md', SKILL]) {
		const text = textIn(site.root, file, messages);
		collectMistakes(messages, () => filterByState(text, { oauth: 'planned', keys: 'issued' }, file));
		if (file === SKILL) collectMistakes(messages, () => parseContentFile(file, frontMatter(text), skillSchema));
		for (const mistake of factMistakes(text, site)) messages.push(mistakeText(file, mistake));
	}
	return messages;
}

const DOCS_WORDS = 'content/docs.yaml';
