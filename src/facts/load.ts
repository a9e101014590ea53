import service from '../../content/service.yaml';
import type { Copy, SiteWords } from './words.ts';
import { defaultLanguage, languageOf, lookupAmong, pathIn } from './language.ts';
import { linksFrom } from './links.ts';

export { defaultLanguage, pathIn, service };
/** The public origin, without a trailing slash: `SITE_URL` at build time. */
export const origin = import.meta.env.SITE;
export const ownHosts = [new URL(origin).hostname.replace(/^www\./, ''), service.emails.sales.replace(/^.*@/, '')];
/** The version of the running service, its build included, e.g. `1.2.0+3f2a9c1`. */
export const version = import.meta.env.VERSION;
/** The day of the build in UTC, `YYYY-MM-DD`. */
export const builtOn = import.meta.env.BUILT_ON;
export const links = linksFrom(origin);

/** Returns how to call a program for operators on this machine, for advice. Where systemd keeps a folder for us, it is by `dist/machines/NAME`. */
export const commandOf = (program: string): string =>
	process.env['STATE_DIRECTORY'] ? `sudo ${service.identifier} ${program}` : `npm run ${program} --`;

const byLanguage = <Words>(files: Record<string, Words>): Record<string, Words> =>
	Object.fromEntries(Object.entries(files).map(([path, words]) => [languageOf(path), words]));

const siteWords = byLanguage(import.meta.glob<SiteWords>('../../content/*/site.yaml', { import: 'default', eager: true }));
const copies = byLanguage(import.meta.glob<Copy>('../../content/*/contact.yaml', { import: 'default', eager: true }));

/** All languages (BCP 47), the default one first. */
export const languages: string[] = [defaultLanguage, ...Object.keys(siteWords).filter((tag) => tag !== defaultLanguage)];

/** Returns the first requested language that we have. */
export const knownLanguage = (...asked: unknown[]): string | undefined => lookupAmong(languages, asked);

/** Returns the first requested language that we have, or else the default language. */
export const languageFor = (...asked: unknown[]): string => knownLanguage(...asked) ?? defaultLanguage;

/** Returns the paths of a page in every language, with their `hreflang`; none if there is only one language. */
export function translationsOf(path: string): { tag: string; path: string }[] {
	if (languages.length < 2) return [];
	return [...languages.map((tag) => ({ tag, path: pathIn(tag, path) })), { tag: 'x-default', path }];
}

/** Returns the words of every page, in one of {@link languages}. */
export const wordsIn = (language: string): SiteWords => siteWords[language]!;

/** Returns the words of the contact page, in one of {@link languages}. In the preview they are English until the language has its file. */
export const copyIn = (language: string): Copy => copies[language] ?? copies[defaultLanguage]!;

/** Returns the language of a page by its path, which may be that of its file: `/de/contact.html`. */
export function languageAt(path: string): string {
	const [, first] = path.split(/[/.]/, 2);
	return languages.find((language) => language === first) ?? defaultLanguage;
}

/** Pure, so that the bundler leaves the facts out of programs that name none. */
const factsByLanguage = /* @__PURE__ */ byLanguage(
	import.meta.glob<Record<string, string>>('../../content/*/site.yaml', { import: 'facts', eager: true }),
);

/** Returns the facts for a text in one of {@link languages}: its prices and dates, and links to its pages. */
export const factsIn = (language: string): Record<string, string> => factsByLanguage[language]!;

export const facts = /* @__PURE__ */ factsIn(defaultLanguage);
