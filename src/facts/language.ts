import type { Counted } from './words.ts';

/** The language of the pages at the root, and of the API's answers unless a client asks for another. */
export const defaultLanguage: string = 'en';

/** Returns the language of a file from its folder in `content/`, which is named by the tag. */
export const languageOf = (file: string): string => file.split('/').at(-2)!;

/** Returns the path of a page in a language: `/contact` in the default one, `/de/contact` in German, whose start page is `/de`. */
export const pathIn = (language: string, path: string): string =>
	language === defaultLanguage ? path : `/${language}${path === '/' ? '' : path}`;

/** Returns the locale for dates and numbers, with the digits that readers use on the web: in Arabic, Latin digits everywhere. */
export const localeOf = (language: string): string => (/^ar\b/.test(language) ? `${language}-u-nu-latn` : language);

/** Keeps the direction of a text among words of another one (Unicode Standard Annex 9, section 2.7). */
export const isolate = (text: string): string => `\u2068${text}\u2069`;

/** Returns a text by language for a reader: if theirs has none, in the default language, and its direction. Empty if there is no text. */
export function textFor({ [defaultLanguage]: english = '', ...texts }: Record<string, string> = {}, language: string): string {
	return texts[language] ?? (english && isRightToLeft(language) ? isolate(english) : english);
}

/** Returns words about a number in the language's plural form for it. */
export function countText(words: Counted, count: number, language: string): string {
	const form = new Intl.PluralRules(language).select(count);
	return fillWords(words[form] ?? words.other, { count: count.toLocaleString(localeOf(language)) });
}

/** Replaces each `{name}` in words by its value. A name without a value stays. */
export const fillWords = (words: string, values: Record<string, string>) => fillParts(words, (name) => values[name]).join('');

/** Splits words into parts, and replaces each `{name}` by a part that need not be text, such as a link. A name without a part stays. */
export const fillParts = <Part>(words: string, partFor: (name: string) => Part | undefined): (string | Part)[] =>
	words.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : (partFor(part) ?? `{${part}}`)));

/** By language: there are few, and to find a script takes longer than to word a message. */
const directions = new Map<string, boolean>();

/** Decides by script (ISO 15924). `Intl.Locale` knows directions too, but not on every Node that may serve the form. */
export function isRightToLeft(language: string): boolean {
	let isSo = directions.get(language);
	isSo ??= ['Arab', 'Hebr', 'Thaa'].includes(new Intl.Locale(language).maximize().script ?? '');
	directions.set(language, isSo);
	return isSo;
}

/** Finds the first requested language that we have, by lookup (RFC 4647 section 3.4): `de-AT` and `DE` find `de`. Ignores all that is not text. */
export function lookupAmong(tags: string[], asked: unknown[]): string | undefined {
	const ranges = asked.filter((range) => typeof range === 'string').map((range) => `${range.trim().toLowerCase()}-`);
	const begins = (range: string) => tags.filter((tag) => range.startsWith(`${tag.toLowerCase()}-`));
	// Without `toSorted`, which Chrome 109 does not have, the last one on Windows 7.
	return ranges.map((range) => begins(range).reduce((one, other) => (other.length > one.length ? other : one), '')).find(Boolean);
}

/** Returns the name of a language in another, such as `German`, or undefined if there is no such language. */
export function languageName(tag: string, language: string = 'en'): string | undefined {
	try {
		return new Intl.DisplayNames(language, { type: 'language', fallback: 'none' }).of(tag);
	} catch {
		return undefined;
	}
}

/** Returns the canonical form of a tag (RFC 5646, section 2.1.1), or undefined if no language has it. */
export function tagOf(name: string): string | undefined {
	const tag = name.replaceAll('_', '-');
	return languageName(tag) && Intl.getCanonicalLocales(tag)[0];
}
