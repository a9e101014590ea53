import { globSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { isRightToLeft } from '../../src/facts/language.ts';
import { paths } from '../../src/facts/links.ts';
import { facts, languageAt, languages, links, origin, pathIn, service, wordsIn } from '../../src/facts/load.ts';
import { paletteNames } from '../../src/facts/palette.ts';
import type { Manifest } from '../../src/server/manifest.ts';
import { dataBlock } from '../../src/site/structured-data.ts';
import { pagesIn } from '../support/built-files.ts';
import { htmlMistakes } from '../support/html.ts';
import { postForm } from '../support/post-lead.ts';
import { startBuilt } from '../support/server.ts';
import { SMALL_SITE, smallClient as client } from '../support/small-site.ts';

const manifest = JSON.parse(readFileSync(`${SMALL_SITE}/dist/server/files.json`, 'utf8')) as Manifest;
const read = (file: string) => readFileSync(`${client}/${file}`, 'utf8');
const htmlOf = pagesIn(client);
const pages = Array.from(htmlOf, ([path, html]) => ({ path, html }));

test.each(pages)('$path is valid HTML, with no placeholder, nothing empty, a link to llms.txt, all colours', async ({ html }) => {
	const files = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href]) => client + href!);
	const css = files.map((file) => readFileSync(file, 'utf8')).join();
	expect(paletteNames.filter((name) => !css.includes(`${name}:`))).toEqual([]);
	expect(html).toMatch(/<a href="\/llms\.txt"[^>]*>llms\.txt<\/a>/);
	expect(await htmlMistakes(html)).toBe('');
	expect(html).not.toMatch(/<template|\{\{|<(p|li|ul|ol|h2|details|figure)>\s*<\/\1>/);
});

test('the form that was not sent is valid HTML', async () => {
	await using server = await startBuilt(`${SMALL_SITE}/dist`);
	const response = await postForm(server.url, { name: '<b>Ana', email: 'no' });
	expect([response.status, await htmlMistakes(await response.text())]).toEqual([422, '']);
});

test('a page has an icon for every browser and for the home screens of Apple', () => {
	const icons = [...pages[0]!.html.matchAll(/<link rel="[^"]*icon" href="([^"]*)"/g)].map(([, href]) => href);
	expect(icons).toEqual(['/favicon.ico', '/favicon.svg', '/apple-touch-icon.png']);
});

test.each([
	['/favicon.ico', 32, 32],
	['/apple-touch-icon.png', 180, 180],
	['/shared.png', 1200, 630],
])('%s is a PNG, and other sites may show it', async (path, width, height) => {
	const { file, headers } = manifest[path]!;
	expect(headers).toMatchObject({ 'content-type': 'image/png', 'cross-origin-resource-policy': 'cross-origin' });
	expect(await sharp(readFileSync(`${client}/${file}`)).metadata()).toMatchObject({ format: 'png', width, height });
});

test.each(pages)('a link to $path is shown with its title, description and our image, if it may be found', ({ path, html }) => {
	const metas = html.matchAll(/<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)"/g);
	const told = Object.fromEntries(Array.from(metas, (match) => match.slice(1))) as Record<string, string>;
	const isHidden = /(404|thanks|explorer)$/.test(path);
	expect([html.includes('content="noindex"'), 'og:image' in told]).toEqual([isHidden, !isHidden]);
	if (isHidden) return;
	expect(told).toMatchObject({
		'og:type': 'website',
		'og:site_name': service.name,
		'og:title': /<title>(.*)<\/title>/.exec(html)![1]!.replace(` · ${told['og:site_name']}`, ''),
		'og:description': /<meta name="description" content="([^"]*)"/.exec(html)![1],
		'og:locale': expect.stringMatching(/^[a-z]+_[A-Z]{2}$/),
		'og:url': origin + path.replace(/(?<=\/contact)\/[\w-]+$/, ''),
		'og:image': `${origin}/shared.png`,
		'og:image:width': '1200',
		'og:image:height': '630',
		'og:image:alt': service.name,
		'twitter:card': 'summary_large_image',
	});
});

test('the page for the lawyer of a buyer, and the link to it, exist where the facts have its answers', () => {
	expect(pages.map(({ path }) => path).filter((path) => path.endsWith('/trust'))).toHaveLength(languages.length);
	for (const { path, html } of pages) expect(html).toContain(`<a href="${pathIn(languageAt(path), '/trust')}"`);
	expect(read('sitemap.xml')).toContain(`<loc>${origin}/ar/trust</loc>`);
});

test('the imprint of a company is under every page, with numbers to call: the receptionist’s, and beside the form the office’s', () => {
	const office = '<a href="tel:+493023125000" dir="ltr">+49\u00a030\u00a023125\u00a0000</a>';
	const profile = '<a href="https://network.example/glockenwerk">Example Network</a>';
	for (const { html } of pages)
		for (const text of [service.legalName!, service.address!, service.register!, office, profile])
			expect(/<footer class="site-footer"[^]*<\/footer>/.exec(html)![0]).toContain(text);
	const mainOf = (file: string) => /<main[^]*<\/main>/.exec(read(file))![0];
	expect(mainOf('index.html')).toContain('<a href="tel:+493023125001" dir="ltr">');
	for (const text of ['href="tel:+493023125000"', service.address!]) expect(mainOf('contact.html')).toContain(text);
	// In a line from right to left, the full stop of such a text would stand before it.
	for (const text of [service.demo!['en'], service.address])
		expect(mainOf('ar/contact.html')).toContain(`>\u2068${text}\u2069</`);
	expect(mainOf('ar/privacy.html')).toContain('<bdi>Glocken &lt;Werk&gt;');
	expect(read('ar.html')).toContain(`<li dir="auto">${service.legalName}</li>`);
});

test('a page is in the search with its facts, and those of problems, which repeat their table, are not', () => {
	const index = JSON.parse(read('docs/search.json')) as { path: string }[];
	expect(index.filter(({ path }) => path.startsWith(`${paths.errors}/`))).toEqual([]);
	const parts = [{ text: 'A page.' }, { anchor: 'sending-again', heading: 'Sending again', text: `curl '${links.getStatus}'` }];
	expect(index).toContainEqual({ path: '/docs/send-a-lead', title: 'Send', parts });
});

test('a folder is a group, named and placed by its index', () => {
	const group = ['guides', 'guides/first-steps', 'guides/second-steps'];
	const before = ['', 'send-a-lead', 'authentication', 'errors', 'agents', 'api', 'api/explorer'];
	for (const file of ['docs.html', 'docs/guides/first-steps.html']) {
		const [navigation] = /<nav class="[^"]*docs-nav"[^]*?<\/nav>/.exec(read(file))!;
		const linked = [...navigation.matchAll(/href="\/docs\/?([^"]*)"/g)].map(([, path]) => path!);
		expect(linked).toEqual([...before, ...group, 'changes', 'code', 'recipes']);
	}
	for (const file of ['llms.txt', 'sitemap.xml']) expect(read(file).match(/(?<=\/docs\/)guides[\w/-]*/g)).toEqual(group);
});

test('images and components show what their documentation says, in HTML and in Markdown, and code has its facts', () => {
	expect(read('docs/code.html')).toContain('// Glocken &lt;Werk&gt; &amp; &quot;Ton&quot; GmbH');
	expect(read('docs/code.md')).toContain(`// ${service.company}`);
	const steps = read('docs/guides/first-steps.html');
	expect(steps).toMatch(/<img src="\/_astro\/slip\.[^"]*" alt="Dot"[^]*<img src="\/line\.svg" alt="Line"\/>/);
	expect(steps).toContain(`<a href="${service.editUrl}/content/docs/guides/first-steps.mdx">`);
	const html = read('docs/recipes.html');
	expect(html).toMatch(/<figure class="figure"[^]*?<img [^]*?<figcaption><p>The note that a team gets[^]*?perMonth\.<\/p>/);
	const tabs = [...html.matchAll(/<details class="tab" name="([^"]*)"( open)?/g)];
	const opened = tabs.filter(([, , open]) => open).map(([, name]) => name);
	expect(opened, 'one of each group').toEqual([...new Set(tabs.map(([, name]) => name))]);
	const markdown = read('docs/recipes.md');
	for (const text of [
		'\n> **Never send patients’ data.** Write to [',
		`\n1. Ask whether the API is up:\n\n   \`\`\`bash\n   curl '${links.getStatus}'\n   \`\`\`\n\n2. Read the [reference](`,
		'\n**By form**\n\nFill in',
		`\n- [Send a lead](${links.docs}/send-a-lead)\n\n  From your own website.\n`,
		`)\n\nThe note that a team gets after a call. Plans begin at ${facts['price.plans']}.\n`,
	])
		expect(markdown).toContain(text);
});

test('styles use the names of the palette, each of them, and no other but their own', () => {
	const styles = globSync('src/site/**/*.css').map((file) => readFileSync(file, 'utf8'));
	const all = (pattern: RegExp) => new Set(styles.flatMap((css) => css.match(pattern) ?? []));
	const own = all(/(?<![\w-])--[\w-]+(?=:)/g);
	expect([...own].filter((name) => paletteNames.includes(name))).toEqual([]);
	expect([...all(/(?<=var\()--[\w-]+/g)].filter((name) => !own.has(name)).toSorted()).toEqual(paletteNames.toSorted());
});

test.each(languages)('the start page in %s says who offers what, at which prices, and that there is an API', (language) => {
	const words = wordsIn(language);
	const home = pathIn(language, '/');
	const [, data] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(htmlOf.get(home)!)!;
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

/** The pages that every language has, by their paths in the default one. */
const translated = ['/', '/contact', '/contact/api-access', '/contact/thanks', '/privacy', '/404'];
const addresses = languages.flatMap((language) =>
	translated.map((path) => ({ language, path, address: pathIn(language, path) })),
);

test.each(addresses)('$address has its language, direction, and a menu to the same page in each, by its own name', (page) => {
	const { language, path, address } = page;
	const html = htmlOf.get(address)!;
	const [, lang, dir = 'ltr'] = /<html lang="(.*?)"(?: dir="(.*?)")?>/.exec(html)!;
	expect([lang, dir]).toEqual([language, isRightToLeft(language) ? 'rtl' : 'ltr']);
	const menu = /<nav id="languages".*?<\/nav>/s.exec(html)![0];
	const links = [...menu.matchAll(/<a href="(.*?)" lang="(.*?)" hreflang="\2"( aria-current="true")?[^>]*>(.*?)<\/a>/gs)];
	const target = path === '/404' ? '/' : path;
	expect(links.map(([, href, tag, current, name]) => [href, tag, current !== undefined, name!.trim()])).toEqual(
		languages.map((tag) => [pathIn(tag, target), tag, tag === language, wordsIn(tag).language]),
	);
});

const found = addresses.filter(({ path }) => ['/', '/contact', '/privacy'].includes(path));
test.each(found)('$address names the same page in every language, and so does the sitemap', ({ address, path }) => {
	const named = languages.map((tag) => [tag, origin + pathIn(tag, path)]);
	const alternates = Object.fromEntries([...named, ['x-default', origin + path]]) as object;
	const alternatesIn = (text: string) =>
		Object.fromEntries([...text.matchAll(/rel="alternate" hreflang="(.*?)" href="(.*?)"/g)].map((match) => match.slice(1)));
	expect(alternatesIn(htmlOf.get(address)!)).toEqual(alternates);
	const entries = read('sitemap.xml').split('\n');
	expect(alternatesIn(entries.find((entry) => entry.includes(`<loc>${origin}${address}</loc>`))!)).toEqual(alternates);
});

test('pages that only the default language has name no other, and their menu leads to the start pages', () => {
	const docs = [...htmlOf].filter(([path]) => path.startsWith('/docs'));
	expect(docs.length).toBeGreaterThan(0);
	for (const [path, html] of docs) {
		const links = Array.from(html.matchAll(/(?:href="(\S*)" lang="\S*" )?hreflang=/g), ([, href]) => href);
		expect([path, ...links]).toEqual([path, ...languages.map((tag) => pathIn(tag, '/'))]);
	}
});
