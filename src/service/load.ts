import service from '../../content/service.yaml';
import type { Copy } from './copy.ts';
import { factsOf, fillFacts } from './facts.ts';
import { linksFrom } from './links.ts';

export { service };
/** The public origin, without a trailing slash: `SITE_URL` at build time. */
export const origin = import.meta.env.SITE;
export const links = linksFrom(origin);
export const facts = factsOf(service, links);

/** The language that `/contact` and, where nobody asked for another, the API speak. */
export const defaultLanguage = 'en';

const copyFiles = import.meta.glob<Copy>('../../content/contact/*.yaml', { import: 'default', eager: true });

/** The words of the contact page, by language (BCP 47, RFC 5646 section 2.1.1 for its letters' case). */
export const languages: Record<string, Copy> = Object.fromEntries(
	Object.entries(copyFiles).map(([path, copy]) => {
		const [language] = Intl.getCanonicalLocales(path.replace(/^.*\/(.*)\.yaml$/, '$1'));
		return [language, filled(copy, path.replace('../../', ''))];
	}),
);

/** The same with facts in the places of their names. */
function filled(copy: Copy, file: string): Copy {
	const fill = (_: string, member: unknown) => (typeof member === 'string' ? fillFacts(member, facts, file) : member);
	return JSON.parse(JSON.stringify(copy), fill) as Copy;
}

/** The language to answer in: the one asked for, or the longest that it begins with (`de-AT` gets `de`), or the default. */
export function languageFor(asked: unknown): string {
	const tag = typeof asked === 'string' ? `${asked.toLowerCase()}-` : '';
	const known = Object.keys(languages).filter((language) => tag.startsWith(`${language.toLowerCase()}-`));
	return known.toSorted((one, other) => other.length - one.length)[0] ?? defaultLanguage;
}

/** The words for a language of {@link languageFor}. */
export function copyIn(language: string): Copy {
	const copy = languages[language];
	if (copy === undefined)
		throw new Error(`content/contact/${language}.yaml is missing: it is needed for the language "${language}".`);
	return copy;
}

/** The path of a page in a language: `/contact` in the default one, `/de/contact` in another. */
export const pathIn = (language: string, path: string) => (language === defaultLanguage ? path : `/${language}${path}`);
