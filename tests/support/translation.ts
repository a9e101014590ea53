import path from 'node:path';
import { parse, stringify } from 'yaml';
import { withLeadWords, type WordsName } from '../../src/content-check/rules/words.ts';

const accented: Record<string, string> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú' };
/** Facts and placeholders, tags, links to other pages, and what a line at the top of a page begins with. */
const kept = /\{+[^{}]*\}+|<[^<>]*>|\]\([^#][^()]*\)|^\w+:/gm;

/** Words as they might be in another language: with accents on all vowels, which readers see and know. */
function translated(text: string): string {
	const parts = [...text.matchAll(kept)].map(([part]) => part);
	const words = text.split(kept).map((part) => part.replaceAll(/[aeiou]/g, (vowel) => accented[vowel]!));
	return words.map((part, index) => part + (parts[index] ?? '')).join('');
}

/** A page of a language, from the English one. */
export const translatedPage = (english: string): string =>
	translated(english.replaceAll(/(?<=(caption|label|title|transcript)=")[^"]*/g, translated));

/** All that an English file of words says, with the words of the lead that it leaves out. */
export function wholeWords(english: string, file: string): object {
	const words = parse(english) as object;
	return { ...words, ...(withLeadWords(path.basename(file, '.yaml') as WordsName, words) as object) };
}

/** The words of a language, from the English ones, with the plural forms that it has. */
export const translatedWords = (english: string, language: string, file: string): string =>
	stringify(wholeWords(english, file), (_, value: unknown) => translatedValue(value, language));

function translatedValue(value: unknown, language: string): unknown {
	if (typeof value === 'string') return translated(value);
	if (typeof value !== 'object' || !('other' in value!)) return value;
	const { other, ...forms } = value as Record<string, unknown>;
	const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
	return Object.fromEntries(pluralCategories.map((form) => [form, forms[form] ?? other]));
}
