import { defaultLanguage, languages } from '../facts/load.ts';

/** A page in each language: `/contact` in the default one, `/de/contact` in another. */
export const languagePaths = () =>
	languages.map((language) => ({
		params: { language: language === defaultLanguage ? undefined : language },
		props: { language },
	}));
