import { defaultLanguage } from '../service/language.ts';
import type { Mistake } from '../service/mistake.ts';
import { languageName } from './language-tag.ts';

interface Passage {
	text: string;
	line: number;
}

/** Sentences of a translation that are the English ones. English of another country may have the same. */
export function* untranslatedMistakes(passages: Passage[], english: string[], language: string): Generator<Mistake> {
	if (new Intl.Locale(language).language === new Intl.Locale(defaultLanguage).language) return;
	const known = new Set(english.flatMap(sentencesIn));
	for (const { text, line } of passages) {
		const found = sentencesIn(text).find((sentence) => known.has(sentence));
		if (found !== undefined) yield { line, found: `the English words “${found}”`, wanted: `them in ${languageName(language)}` };
	}
}

/** Without facts, and without what is too short to tell of a language: names, and words that many languages have. */
const sentencesIn = (text: string): string[] =>
	text
		.split(/\{+[^{}]*\}+|\n\s*\n|(?<=[.:?!…])\s+/)
		.map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
		.filter((sentence) => wordsIn(sentence) >= 3);

/** Beside the first, those that begin with a small letter: others may be names. */
const wordsIn = (sentence: string) =>
	sentence.split(/[^\p{L}\p{M}\p{N}’'@.-]+/u).filter((word, index) => (index === 0 ? word !== '' : /^\p{Ll}/u.test(word))).length;
