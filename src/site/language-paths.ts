import { defaultLanguage, languages } from '../facts/load.ts';

/** Returns the routes of a page in each language: `/contact` in the default one, `/de/contact` in German. */
export const languagePaths = () =>
	languages.map((language) => ({
		params: { language: language === defaultLanguage ? undefined : language },
		props: { language },
	}));
