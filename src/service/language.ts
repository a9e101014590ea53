import { lookup } from 'bcp-47-match';

/** The language of the pages at the root and, where nobody asked for another, the API speak. */
export const defaultLanguage = 'en';

/** The language of a file in one of the folders of `content/`, with the letters as they are usually written (RFC 5646, section 2.1.1). */
export const languageOf = (file: string): string => Intl.getCanonicalLocales(file.split('/').at(-2))[0]!;

/** The path of a page in a language: `/contact` in the default one, `/de/contact` in another, whose start page is at `/de`. */
export const pathIn = (language: string, path: string): string =>
	language === defaultLanguage ? path : `/${language}${path === '/' ? '' : path}`;

/** The locale for dates and numbers of a language, in the digits that its readers use on the web: of Arabic, the Latin ones everywhere. */
export const localeOf = (language: string): string => (/^ar\b/.test(language) ? `${language}-u-nu-latn` : language);

/** In characters: no range that says more than these could find another of ours (RFC 5646, section 4.4.1). */
const LONGEST_RANGE = 35;

/**
 * The first of the languages asked for that is among ours, by lookup (RFC 4647, section 3.4): `de-AT` finds `de`, and so does `DE`. What
 * is no text asks for none.
 */
export function languageAmong(tags: string[], asked: unknown[]): string | undefined {
	const ranges = asked.filter((range) => typeof range === 'string' && range.length <= LONGEST_RANGE);
	// Of several tags that a range begins with, the library takes the first.
	const longestFirst = tags.toSorted((one, other) => other.length - one.length);
	return lookup(longestFirst, ranges as string[]);
}
