import { globSync, readFileSync } from 'node:fs';
import type { Element, Nodes } from 'hast';
import jsonld from 'jsonld';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { expect, test } from 'vitest';
import { urlPath } from '../../src/facts/links.ts';
import { languages, links, origin, pathIn, service, wordsIn } from '../../src/facts/load.ts';
import { companyData, dataBlock } from '../../src/site/structured-data.ts';

const client = 'var/test/dist/client';
const pages = globSync('**/*.html', { cwd: client }).map((file) => ({
	path: urlPath(file),
	html: readFileSync(`${client}/${file}`, 'utf8'),
}));
/** The start pages. */
const described = pages.filter(({ html }) => html.includes('application/ld+json'));
const htmlOf = (path: string) => pages.find((page) => page.path === path)!.html;

test.each(described)('the data of $path is JSON-LD of schema.org, and all of it is understood', async ({ html }) => {
	const things = await thingsIn(html);
	expect(things.length).toBeGreaterThan(0);
	expect(things.flatMap(({ '@type': types }) => types)).not.toContain(undefined);
});

test.each(languages)('the start page in %s says who offers what, at which prices, and that there is an API', async (language) => {
	const words = wordsIn(language);
	const home = pathIn(language, '/');
	const [organization, offered, api] = (await compacted(htmlOf(home))) as [Thing, Thing, Thing];
	expect(organization).toMatchObject({ '@type': 'Organization', name: service.company, email: service.emails.sales });
	expect(offered).toMatchObject({ '@type': 'Service', name: service.name, description: words.description, url: origin + home });
	expect(offered).toMatchObject({ provider: { '@id': `${links.home}#organization` } });
	const { currency, payAsYouGo, plans } = service.prices;
	expect((offered['offers'] as Thing[]).map(({ priceSpecification }) => priceSpecification)).toMatchObject([
		{ minPrice: payAsYouGo.from, priceCurrency: currency, unitText: 'minute', unitCode: 'MIN' },
		{ minPrice: plans.from, priceCurrency: currency, unitText: 'month', unitCode: 'MON' },
	]);
	expect((offered['offers'] as Thing[]).map(({ name }) => name)).toEqual([words.payAsYouGo, words.plans]);
	for (const name of [words.payAsYouGo, words.plans]) expect(htmlOf(home)).toMatch(new RegExp(`<h3[^>]*>${name}</h3>`));
	expect(api).toMatchObject({
		'@type': 'WebAPI',
		description: words.apiDescription,
		documentation: [links.apiReference, links.openapi],
	});
});

test('no fact ends the data block, or begins a comment in it', async () => {
	const name = '</script><script>alert(1)</script><!-- <script>';
	const html = `<script type="application/ld+json">${dataBlock(companyData({ service: { ...service, name }, links, words: wordsIn('en'), language: 'en' }))}</script>`;
	expect(scriptsIn(html)).toHaveLength(1);
	const [, offered] = (await compacted(html)) as [Thing, Thing];
	expect(offered['name']).toBe(name);
});

type Thing = Record<string, unknown>;

/** The part of schema.org's context that matters for names: a name without a colon is one of its own. */
const context = { '@vocab': 'https://schema.org/' };
const options = {
	// Fails instead of dropping what it cannot understand.
	safe: true,
	documentLoader: (url: string) => {
		if (url !== 'https://schema.org') throw new Error(`No context is expected at ${url}.`);
		return Promise.resolve({ documentUrl: url, document: { '@context': context } });
	},
};

async function thingsIn(html: string): Promise<Thing[]> {
	return (await jsonld.expand(dataIn(html), options)) as Thing[];
}

async function compacted(html: string): Promise<Thing[]> {
	const { '@graph': graph, '@context': _, ...only } = await jsonld.compact(dataIn(html), context, options);
	return (graph as Thing[] | undefined) ?? [only];
}

function dataIn(html: string): jsonld.JsonLdDocument {
	const block = scriptsIn(html).find(({ properties }) => properties['type'] === 'application/ld+json');
	const [text] = block!.children;
	return JSON.parse(text?.type === 'text' ? text.value : '') as jsonld.JsonLdDocument;
}

const scriptsIn = (html: string) =>
	[...elementsIn(unified().use(rehypeParse).parse(html))].filter(({ tagName }) => tagName === 'script');

function* elementsIn(node: Nodes): Generator<Element> {
	if (node.type === 'element') yield node;
	if ('children' in node) for (const child of node.children) yield* elementsIn(child);
}
