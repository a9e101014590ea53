import { pathIn } from '../facts/language.ts';
import { type Links, paths } from '../facts/links.ts';
import type { Service } from '../facts/schema.ts';
import type { SiteWords } from '../facts/words.ts';

/** A thing of schema.org in JSON-LD 1.1. */
export interface Thing {
	'@type': string;
	[member: string]: unknown;
}

interface Facts {
	service: Service;
	links: Links;
	words: SiteWords;
	/** The language of the words. */
	language: string;
}

/** Describes the company, its service with prices, and the API. */
export function companyData({ service, links, words, language }: Facts): Thing[] {
	const provider = { '@id': `${links.home}#organization` };
	const { name, company, legalName, emails, address, phones, profiles } = service;
	return [
		{
			'@type': 'Organization',
			...provider,
			name: company,
			legalName,
			url: links.home,
			email: emails.sales,
			telephone: phones?.office,
			address,
			sameAs: profiles && Object.values(profiles),
		},
		{
			'@type': 'Service',
			name,
			description: words.description,
			url: new URL(pathIn(language, paths.home), links.home).href,
			provider,
			offers: offersOf(service, words),
		},
		{
			'@type': 'WebAPI',
			name: `${name} API`,
			description: words.apiDescription,
			documentation: [links.apiReference, links.openapi],
			provider,
		},
	];
}

/** Prices start at these amounts, hence `minPrice`. Units are those of UN/CEFACT, Recommendation 20. */
const offersOf = ({ prices: { currency, payAsYouGo, plans } }: Service, words: SiteWords): Thing[] =>
	[
		{ name: words.payAsYouGo, minPrice: payAsYouGo.from, unitCode: 'MIN', unitText: 'minute' },
		{ name: words.plans, minPrice: plans.from, unitCode: 'MON', unitText: 'month' },
	].map(({ name, ...price }) => ({
		'@type': 'Offer',
		name,
		priceSpecification: { '@type': 'UnitPriceSpecification', priceCurrency: currency, ...price },
	}));

/** Returns the text of a data block, which browsers do not run. No word may end the element (WHATWG HTML, section 4.12.1.3). */
export const dataBlock = (things: Thing[]): string =>
	JSON.stringify({ '@context': 'https://schema.org', '@graph': things }).replaceAll('<', '\\u003c');
