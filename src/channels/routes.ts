import { LRUCache } from 'lru-cache';
import { tagOf } from '../facts/language.ts';
import { languages } from '../facts/load.ts';
import type { Lead } from '../lead/lead.ts';

/** A rule of `LEAD_EMAIL_ROUTES`: leads whose field has this value go to these addresses. */
export interface MailRoute {
	field: keyof typeof routeFields;
	value: string;
	to: string[];
}

/** The fields that routes can compare: which values there are, how to say that, and which leads match. */
export const routeFields = {
	country: {
		knows: (code) => /^[a-z]{2}$/i.test(code) && !NO_COUNTRY.test(code) && namesOf(code, 'en')[0] !== undefined,
		form: 'the code of a country, for example DE',
		matches: ({ country = '', lang = '' }, code) => {
			const tags = [...languages, tagOf(lang) ?? 'en'];
			const names = tags.flatMap((tag) => namesOf(code, tag));
			return [code, ...names].some((name = code) => compare(name, country) === 0);
		},
	},
	lang: {
		knows: (tag) => tagOf(tag) !== undefined,
		form: 'the tag of a language, for example de',
		// RFC 4647 section 3.3.1: `de` matches `de-AT`.
		matches: ({ lang = '' }, tag) => `${tagOf(lang)}-`.startsWith(`${tagOf(tag)}-`),
	},
	source: {
		knows: (source) => source !== '',
		form: 'where a lead comes from, for example api-access',
		// The topic that a visitor asks about follows the page, as in `/contact?topic=plans`.
		matches: ({ source = '' }, wanted) => `${source}?`.startsWith(`${wanted}?`),
	},
} satisfies Record<string, { knows(value: string): boolean; form: string; matches(lead: Partial<Lead>, value: string): boolean }>;

/** Regions with a name that no lead can come from: unions of countries, and codes for tests. */
const NO_COUNTRY = /^(EU|EZ|UN|QO|XA|XB|ZZ)$/i;

/** Made once for each language, because that takes longer than all else here. Visitors name languages, so not all are remembered. */
const displays = new LRUCache<string, Intl.DisplayNames[]>({
	max: 50,
	memoMethod: (language) =>
		(['long', 'short'] as const).map((style) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none', style })),
});

const namesOf = (code: string, language: string) => displays.memo(language).map((names) => names.of(code));

/** Ignores case, accents, punctuation and spaces: visitors write their country as they like. */
const { compare } = new Intl.Collator('en', { sensitivity: 'base', ignorePunctuation: true });

/** Returns the first route that matches a lead. */
export const routeOf = (lead: Partial<Lead>, routes: MailRoute[]): MailRoute | undefined =>
	routes.find(({ field, value }) => routeFields[field].matches(lead, value));
