import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { languages, links, origin, pathIn, service, wordsIn } from '../../src/facts/load.ts';
import { smallClient } from '../support/small-site.ts';
import { dataBlock } from '../../src/site/structured-data.ts';

test.each(languages)('the start page in %s says who offers what, at which prices, and that there is an API', (language) => {
	const words = wordsIn(language);
	const home = pathIn(language, '/');
	const html = readFileSync(`${smallClient}${home === '/' ? '/index' : home}.html`, 'utf8');
	const [, data] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)!;
	const { currency, payAsYouGo, plans } = service.prices;
	const provider = { '@id': `${links.home}#organization` };
	expect(JSON.parse(data!)).toMatchObject({
		'@context': 'https://schema.org',
		'@graph': [
			{ '@type': 'Organization', ...provider, name: service.company, email: service.emails.sales },
			{
				'@type': 'Service',
				name: service.name,
				description: words.description,
				url: origin + home,
				provider,
				offers: [
					{ name: words.payAsYouGo, priceSpecification: { minPrice: payAsYouGo.from, priceCurrency: currency, unitCode: 'MIN' } },
					{ name: words.plans, priceSpecification: { minPrice: plans.from, priceCurrency: currency, unitCode: 'MON' } },
				],
			},
			{ '@type': 'WebAPI', description: words.apiDescription, documentation: [links.apiReference, links.openapi] },
		],
	});
});

test('no fact ends the data block, or begins a comment in it', () => {
	const name = '</script><script>alert(1)</script><!-- <script>';
	const block = dataBlock([{ '@type': 'Service', name }]);
	expect(block).not.toContain('<');
	expect(JSON.parse(block)).toMatchObject({ '@graph': [{ name }] });
});
