import docsWords from '../../content/docs.yaml';
import service from '../../content/service.yaml';
import type { Copy } from './copy.ts';
import { factsOf } from './facts.ts';
import { defaultLanguage, languageOf, pathIn } from './language.ts';
import { linksFrom } from './links.ts';

export { defaultLanguage, docsWords, pathIn, service };
/** The public origin, without a trailing slash: `SITE_URL` at build time. */
export const origin = import.meta.env.SITE;
/** The version of the running service, its build included, e.g. `1.2.0+3f2a9c1`. */
export const version = import.meta.env.VERSION;
/** The day of the build in UTC, `YYYY-MM-DD`. */
export const builtOn = import.meta.env.BUILT_ON;
export const links = linksFrom(origin);
/** Pure, so that no program carries them that names none. */
export const facts = /* @__PURE__ */ factsOf(service, links);

const copyFiles = import.meta.glob<Copy>('../../content/contact/*.yaml', { import: 'default', eager: true });

/** Where the words of the contact page in a language are written, from the project's root. */
export const copyFileOf = (language: string): string =>
	Object.keys(copyFiles)
		.find((path) => languageOf(path) === language)!
		.replace('../../', '');

/** The words of the contact page, by language (BCP 47). */
export const languages: Record<string, Copy> = Object.fromEntries(
	Object.entries(copyFiles).map(([path, copy]) => [languageOf(path), copy]),
);

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
