/** The language of the pages at the root and, where nobody asked for another, the API speak. */
export const defaultLanguage = 'en';

/** The language of a file in one of the folders of `content/`, which are named by its tag. */
export const languageOf = (file: string): string => file.split('/').at(-2)!;

/** The path of a page in a language: `/contact` in the default one, `/de/contact` in another, whose start page is at `/de`. */
export const pathIn = (language: string, path: string): string =>
	language === defaultLanguage ? path : `/${language}${path === '/' ? '' : path}`;

/** The locale for dates and numbers of a language, in the digits that its readers use on the web: of Arabic, the Latin ones everywhere. */
export const localeOf = (language: string): string => (/^ar\b/.test(language) ? `${language}-u-nu-latn` : language);
