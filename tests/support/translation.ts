import path from 'node:path';
import { parse, stringify } from 'yaml';
import { withLeadWords, type WordsName } from '../../src/content-check/rules/words.ts';

const accented: Record<string, string> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú' };
/** Facts and placeholders, tags, links to other pages, and the names at the start of lines at the top of a page. */
const kept = /\{+[^{}]*\}+|<[^<>]*>|\]\([^#][^()]*\)|^\w+:/gm;

/** Translates words for a test: with accents on all vowels, which readers notice and can read. */
function translated(text: string): string {
	const parts = [...text.matchAll(kept)].map(([part]) => part);
	const words = text.split(kept).map((part) => part.replaceAll(/[aeiou]/g, (vowel) => accented[vowel]!));
	return words.map((part, index) => part + (parts[index] ?? '')).join('');
}

/** Returns a page of a language, from the English one. */
export const translatedPage = (english: string): string =>
	translated(english.replaceAll(/(?<=(caption|label|title)=")[^"]*/g, translated));

/** Returns the words of a language, from the English ones, with those of the lead that they leave out, and with the plural forms of that language. */
export function translatedWords(english: string, language: string, file: string): string {
	const words = parse(english) as object;
	const whole = { ...words, ...(withLeadWords(path.basename(file, '.yaml') as WordsName, words) as object) };
	return stringify(whole, (_, value: unknown) => translatedValue(value, language));
}

function translatedValue(value: unknown, language: string): unknown {
	if (typeof value === 'string') return translated(value);
	if (typeof value !== 'object' || !('other' in value!)) return value;
	const { other, ...forms } = value as Record<string, unknown>;
	const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
	return Object.fromEntries(pluralCategories.map((form) => [form, forms[form] ?? other]));
}
