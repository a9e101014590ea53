import { tagOf } from '../facts/language.ts';
import { languages } from '../facts/load.ts';
import type { Lead } from '../lead/lead.ts';
import { sourceGroup } from '../lead/source.ts';

/** A rule of `LEAD_EMAIL_ROUTES`: leads whose field has this value go to these addresses. */
export type MailRoute = { field: keyof typeof routeFields; value: string; to: string[] };

/** Sender and recipients of mail: from the settings, never from a visitor. */
export interface MailParties {
	from: { name: string; address: string };
	to: string[];
	routes?: MailRoute[];
}

/** The fields that routes can compare: `knows` tells whether a value exists, `form` says which values do. */
export const routeFields = {
	country: {
		knows: (code) => /^[a-z]{2}$/i.test(code) && !NO_COUNTRY.test(code) && namesIn('en')[0]!.of(code) !== undefined,
		form: 'the code of a country, for example DE',
	},
	lang: { knows: (tag) => tagOf(tag) !== undefined, form: 'the tag of a language, for example de' },
	source: { knows: (source) => source !== '', form: 'where a lead comes from, for example api-access' },
} satisfies Record<string, { knows(value: string): boolean; form: string }>;

/** Regions with a name that no lead can come from: unions of countries, and codes for tests. */
const NO_COUNTRY = /^(EU|EZ|UN|QO|XA|XB|ZZ)$/i;

/** Returns the recipients of a lead, by the first route that matches it, or without a lead those of a notice: each address once. */
export function recipientsOf(lead: Partial<Lead> | undefined, { to, routes = [] }: Omit<MailParties, 'from'>): string[] {
	if (!lead) return [...new Set(to)];
	const { country = '', lang = '', source = '' } = lead;
	const countries = routes.some(({ field }) => field === 'country') ? [...siteNames(), ...namesIn(tagOf(lang) ?? 'en')] : [];
	const matches = {
		// Ignores case, accents, punctuation and spaces: visitors write their country as they like.
		country: (code: string) => [code, ...countries.map((names) => names.of(code) ?? code)].some((name) => isSame(name, country)),
		// RFC 4647 section 3.3.1: `de` matches `de-AT`.
		lang: (tag: string) => `${tagOf(lang)}-`.startsWith(`${tagOf(tag)}-`),
		// The topic that a visitor asks about follows the page, as in `/contact?topic=plans`.
		source: (wanted: string) => `${source}?`.startsWith(`${wanted}?`) || sourceGroup(source) === wanted,
	};
	return [...new Set(routes.find(({ field, value }) => matches[field](value))?.to ?? to)];
}

/** Returns the names of countries in a language, by code: long ones such as `United Kingdom`, and short ones such as `UK`. */
const namesIn = (language: string) =>
	(['long', 'short'] as const).map((style) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none', style }));

let known: Intl.DisplayNames[] | undefined;
// Made once: it takes a millisecond, and `takes` of each channel for mail compares a lead.
const siteNames = () => (known ??= languages.flatMap(namesIn));

let collator: Intl.Collator | undefined;
const isSame = (one: string, other: string) =>
	(collator ??= new Intl.Collator('en', { sensitivity: 'base', ignorePunctuation: true })).compare(one, other) === 0;
