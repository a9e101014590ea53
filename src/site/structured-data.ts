import { paths } from '../facts/links.ts';
import { links, pathIn, service, wordsIn } from '../facts/load.ts';

/** Describes the company, its service with prices, and the API, in a language: things of schema.org in JSON-LD 1.1. */
export function companyData(language: string) {
	const words = wordsIn(language);
	const provider = { '@id': `${links.home}#organization` };
	const { name, company, legalName, emails, address, phones, profiles, prices } = service;
	// Prices start at these amounts, hence `minPrice`. Units are those of UN/CEFACT, Recommendation 20.
	const offers = [
		{ name: words.payAsYouGo, minPrice: prices.payAsYouGo.from, unitCode: 'MIN', unitText: 'minute' },
		{ name: words.plans, minPrice: prices.plans.from, unitCode: 'MON', unitText: 'month' },
	].map(({ name, ...price }) => ({
		'@type': 'Offer',
		name,
		priceSpecification: { '@type': 'UnitPriceSpecification', priceCurrency: prices.currency, ...price },
	}));
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
			offers,
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

/** Returns the text of a data block, which browsers do not run. No text in it may end the element (WHATWG HTML, section 4.12.1.3). */
export const dataBlock = (things: object[]): string =>
	JSON.stringify({ '@context': 'https://schema.org', '@graph': things }).replaceAll('<', '\\u003c');
