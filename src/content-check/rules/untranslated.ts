import { defaultLanguage } from '../../facts/language.ts';
import { type Mistake, mistakeText } from '../../facts/mistake.ts';
import { languageName } from '../../facts/language-tag.ts';
import type { Site } from '../read/site.ts';

interface Passage {
	text: string;
	line: number;
	field?: string;
}

/**
 * Finds English in a translation. A whole English sentence is a mistake. A shorter text may be intended, so it goes into
 * `site.warnings`. Translations into English, such as `en-GB`, are not checked.
 */
export function* untranslatedMistakes(
	file: string,
	language: string,
	passages: Passage[],
	english: string[],
	{ asInEnglish, warnings }: Site,
): Generator<Mistake> {
	if (new Intl.Locale(language).language === new Intl.Locale(defaultLanguage).language) return;
	const isMeant = (text: string) => asInEnglish[language]?.includes(text);
	const sentences = new Set(english.flatMap(sentencesIn));
	const texts = new Set(english.map(onOneLine));
	const name = languageName(language);
	for (const { text, ...place } of passages) {
		const sentence = sentencesIn(text).find((part) => sentences.has(part) && !isMeant(part));
		const whole = onOneLine(text);
		const mistake = (words: string) => ({
			...place,
			found: `the English words “${words}”`,
			wanted: `them in ${name}, or “${words}” in asInEnglish of content/${language}/site.yaml`,
		});
		if (sentence !== undefined) yield mistake(sentence);
		else if (texts.has(whole) && /\p{L}/u.test(whole.replaceAll(braces, '')) && !isMeant(whole))
			warnings.push(mistakeText(file, mistake(whole)));
	}
}

const braces = /\{+[^{}]*\}+/g;

const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** Returns the sentences without facts and without short ones: a name, or a word that many languages share, shows no language. */
const sentencesIn = (text: string): string[] =>
	text
		.replaceAll(braces, '\n\n')
		.split(/\n\s*\n|(?<=[.:?!…])\s+/)
		.map(onOneLine)
		.filter((sentence) => wordsIn(sentence) >= 3);

/** Counts the first word and every later one that begins with a small letter: the rest may be names. */
const wordsIn = (sentence: string) =>
	sentence.split(/[^\p{L}\p{M}\p{N}’'@.-]+/u).filter((word, index) => (index === 0 ? word !== '' : /^\p{Ll}/u.test(word))).length;

/** Quotes an English text on one line, short enough for a message. */
export function quotedEnglish(text: string): string {
	const line = onOneLine(text);
	return `English “${line.length > LONG ? `${line.slice(0, LONG)}…` : line}”`;
}

/** In characters: enough to find the text. */
const LONG = 120;
