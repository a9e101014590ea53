import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { liveOauth } from '../discovery/published.ts';
import { facts, links, origin, service } from '../../src/facts/load.ts';
import { htmlMistakes } from '../support/html.ts';
import { startBuilt } from '../support/server.ts';
import { cloudFront } from '../hosts/support/cloudfront.ts';
import { copyOfProject } from '../support/project-copy.ts';
import { wholeWords } from '../support/translation.ts';
import { testWhereIssued } from '../support/where-issued.ts';

/** An image of one pixel. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const page = (title: string, order: number, prose: string) =>
	`---\ntitle: ${title}\ndescription: A page.\norder: ${order}\n---\n\n${prose}\n`;

/** The sources of the components in `components.md`. */
const sources = [...readFileSync('content/components.md', 'utf8').matchAll(/^(```+)mdx\n([^]*?)\n\1$/gm)].map(
	([, , source]) => source!,
);

const { currency } = service.prices;

describe('an editor changes in one place', () => {
	let copy: Awaited<ReturnType<typeof copyOfProject>>;
	let output: string;
	// One build serves all tests: none changes what another looks at.
	beforeAll(async () => {
		copy = await copyOfProject();
		await copy.setFacts({
			'prices.payAsYouGo.from': 7,
			'prices.plans.from': 777,
			oauth: liveOauth,
			editUrl: 'https://code.example/website/edit/main',
		});
		await copy.write(
			'content/docs/test-hours.mdx',
			page('Opening hours', 9090, '## Weekdays\n\nFrom <Fact name="price.plans" />.'),
		);
		await copy.write(
			'content/docs/test-half-done/index.mdx',
			page('Half done', 9092, 'x').replace('order', 'draft: true\norder'),
		);
		await copy.write('content/docs/test-half-done/more.mdx', page('More', 1, 'x'));
		await copy.write(
			'content/docs/test-guides/index.mdx',
			page('Guides', 15.0625, 'Begin with the [first](/docs/test-guides/first-steps#at-the-desk).'),
		);
		const tab = (title: string, text: string) => `<Tab title="${title}">\n\n${text}\n\n</Tab>`;
		await copy.write(
			'content/docs/test-guides/second-steps.mdx',
			page(
				'Second steps',
				2,
				`<Tabs label="Ways in">\n\n${tab('curl', "```bash\ncurl '{{link.getStatus}}'\n```")}\n\n${tab('By mail', 'To <Link to="email.sales" />')}\n\n</Tabs>\n\n` +
					'See the [problems](/docs/errors#invalid-lead), or [write to us](/nl/contact#email), or [ask](/contact/api-access#message).',
			),
		);
		await copy.write(
			'content/docs/test-guides/first-steps.mdx',
			page('First steps', 1, '## At the *desk*\n\n![A dot](./dot.png)\n\n![A line](/line.svg)'),
		);
		await copy.write('content/docs/test-recipes/index.mdx', page('Recipes', 16.0625, 'x'));
		await copy.write('content/docs/test-recipes/first.mdx', page('First recipe', 1, sources.join('\n\n')));
		await copy.write('content/docs/test-recipes/slip.png', Buffer.from(DOT, 'base64'));
		await copy.write('content/docs/test-guides/dot.png', Buffer.from(DOT, 'base64'));
		await copy.write('public/line.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="9" />');
		await copy.write('public/google123.html', 'google-site-verification: google123.html');
		await copy.write('public/tour/index.html', '<!doctype html><title>A tour</title>');
		await copy.edit('content/en/home.mdx', /$/, '\n[Cookies](/privacy#cookies), [questions](/#questions)\n');
		for (const language of ['nl', 'pt-BR', 'ja', 'ko']) await copy.addLanguage(language);
		await copy.edit('content/nl/home.mdx', /\(\/privacy#cookies\)(.*)\(\/#questions\)/, '(/nl/privacy#cookies)$1(/nl#qúéstíóns)');
		await copy.edit('content/ja/contact.yaml', /^title: .*/m, 'title: お問い合わせ');
		await copy.edit('content/ko/contact.yaml', /^title: .*/m, 'title: 문의하기');
		await copy.edit('content/nl/contact.yaml', /^title: .*/m, 'title: Schrijf ons');
		await copy.edit('content/nl/contact.yaml', /(?<=^accessRequest:\n(  .*\n)*)  title: .*/m, '  title: Toegang tot de API');
		await copy.edit('content/nl/contact.yaml', /(?<=^submit: ).*/m, 'Send message');
		await copy.edit('content/nl/privacy.mdx', '## Cóókíés', '## Cookies');
		await copy.edit('content/nl/contact.yaml', /(?<=^optional: ).*/m, 'optional');
		for (const file of ['palette.css', 'logo.svg', 'auth.md', 'skills/send-a-lead/SKILL.md'])
			await copy.edit(`content/${file}`, /^/, '\uFEFF');
		await copy.edit(
			'content/logo.svg',
			'<svg',
			'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE svg>\n<!-- Drawn by hand -->\n<svg',
		);
		await copy.edit('content/nl/site.yaml', /^/, "asInEnglish: [optional, 'Error: {title}']\n");
		await cp(copy.at('content/en'), copy.at('content/en-GB'), { recursive: true });
		for (const file of ['contact.yaml', 'site.yaml'])
			await copy.write(
				`content/en-GB/${file}`,
				stringify(wholeWords(await readFile(copy.at(`content/en/${file}`), 'utf8'), file)),
			);
		await copy.edit('content/en-GB/site.yaml', /^language: .*/m, 'language: British English');
		commit(copy.at('.'), 'content/docs/agents.mdx', 'content/docs/test-guides', 'content/en/privacy.mdx');
		await copy.edit('content/docs/test-guides/second-steps.mdx', 'See the', 'Look at the');
		for (let n = 0; n < 40; n += 1) await copy.write(`public/${'a-file-with-a-long-name-'.repeat(3)}${n}.txt`, 'x');
		output = await copy.buildWhole();
	});
	afterAll(() => copy[Symbol.asyncDispose]());

	test.each(['index.html', 'index.md', 'contact.html', 'contact.md', 'llms.txt', 'openapi.json'])(
		'a price, in %s',
		async (file) => {
			const text = await copy.built(file);
			expect([text.includes(`${currency} 7 per minute`), text.includes(`${currency} 777 per month`)]).toEqual([true, true]);
			const prices = [facts['price.payAsYouGo']!, facts['price.plans']!];
			expect(prices.filter((before) => text.includes(before))).toEqual([]);
		},
	);

	test('the pages there are', async () => {
		expect(await copy.built('docs/test-hours.html')).toContain(`From ${currency} 777 per month.`);
		expect(await copy.built('docs/test-hours.md')).toMatch(
			new RegExp(`^# Opening hours\n[^]*\n## Weekdays\n\nFrom ${currency} 777 per month\\.\n$`, 'm'),
		);
		for (const file of ['docs.html', 'llms.txt', 'sitemap.xml']) expect(await copy.built(file)).toContain('/docs/test-hours');
	});

	test.each(['favicon.svg', 'index.html', 'auth.md', '.well-known/agent-skills/send-a-lead/SKILL.md'])(
		'files that an editor saved with a byte order mark: %s has none',
		async (file) => expect(await copy.built(file)).not.toContain('\uFEFF'),
	);

	test('the logo, of which pages take the drawing alone and not how its file begins', async () => {
		expect(await copy.built('index.html')).toMatch(/class="logo" aria-hidden="true">\s*<svg/);
	});

	test('the groups there are: a folder is one, named and placed by its index', async () => {
		const html = await copy.built('docs/test-guides/first-steps.html');
		const group = ['', 'test-guides', 'test-guides/first-steps', 'test-guides/second-steps', 'test-recipes'];
		expect(navigationIn(html, group)).toEqual(group);
		expect(navigationIn(await copy.built('docs/test-guides.html'), group)).toEqual(group);
		expect(navigationIn(html, ['agents', 'api', 'send-a-lead'])).toEqual([]);
		const first = ['', 'send-a-lead', 'test-guides', 'test-recipes', 'agents', 'api', 'test-hours'];
		const pagesOfGroups = ['test-guides/first-steps', 'test-recipes/first'];
		for (const file of ['docs.html', 'docs/api.html'])
			expect(navigationIn(await copy.built(file), [...first, ...pagesOfGroups])).toEqual(first);
		expect(html).toMatch(/<nav class="docs-groups"[^]*href="\/docs"[^]*href="\/docs\/test-guides"/);
		expect(await copy.built('docs/test-guides/first-steps.md')).toMatch(/^# First steps\n/m);
		for (const file of ['llms.txt', 'sitemap.xml'])
			expect((await copy.built(file)).match(/\/docs\/test-guides[\w/-]*/g)).toEqual([
				'/docs/test-guides',
				'/docs/test-guides/first-steps',
				'/docs/test-guides/second-steps',
			]);
	});

	test('where a page is edited, and when that was last done as far as the history of the content knows', async () => {
		const [known, edited] = await Promise.all(
			['first-steps', 'second-steps'].map(async (name) => footIn(await copy.built(`docs/test-guides/${name}.html`))),
		);
		expect(known).toContain(
			'<a href="https://code.example/website/edit/main/content/docs/test-guides/first-steps.mdx">Edit this page</a>',
		);
		expect(known).toMatch(/Last updated on\s*<time datetime="2026-02-03T09:05:06.000Z">\s*February 3, 2026\s*<\/time>/);
		expect(edited).toContain('second-steps.mdx">Edit this page</a>');
		expect(edited).not.toContain('Last updated');
	});

	test('what the search finds: every page by heading, as it is published', async () => {
		const index = JSON.parse(await copy.built('docs/search.json')) as { path: string }[];
		expect(index.map(({ path }) => path)).toEqual(
			expect.arrayContaining(['/docs', '/docs/api', '/docs/test-guides/first-steps']),
		);
		expect(index.find(({ path }) => path === '/docs/test-hours')).toEqual({
			path: '/docs/test-hours',
			title: 'Opening hours',
			parts: [{ text: 'A page.' }, { anchor: 'weekdays', heading: 'Weekdays', text: `From ${currency} 777 per month.` }],
		});
	});

	test('the images there are, in valid HTML', async () => {
		const html = await copy.built('docs/test-guides/first-steps.html');
		expect(html).toMatch(/<img src="\/_astro\/dot\.[^"]*" alt="A dot"[^]*<img src="\/line\.svg" alt="A line">/);
		expect(await htmlMistakes(html)).toBe('');
	});

	test('a file of public/, which keeps its name with the ending, HTML too', async () => {
		await using server = await startBuilt(copy.at('var/test/dist'));
		const { url } = server;
		for (const path of ['/google123.html', '/humans.txt', '/tour/index.html']) {
			const answer = await fetch(url + path);
			expect([path, answer.status, await answer.text()]).toEqual([path, 200, await readFile(copy.at(`public${path}`), 'utf8')]);
		}
		expect((await fetch(`${url}/google123`)).status).toBe(404);
		const host = (file: string) => readFile(copy.at(`var/test/dist/${file}`), 'utf8');
		expect(await host('nginx.conf')).toContain('location = /google123.html {\n\ttry_files /google123.html =404;');
		expect(await host('hosts/cloudflare/assets/_redirects')).toBe('/google123.html /google123 200\n/tour/index.html /tour 200\n');
		expect(await host('hosts/vercel/.vercel/output/config.json')).not.toContain('"path": "google123"');
		const request = { method: 'GET', path: '/google123.html', headers: {}, address: '192.0.2.1', body: Buffer.of() };
		const { status, headers } = cloudFront(copy.at('var/test/dist/hosts/lambda'))(request);
		expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=0, must-revalidate']);
	});

	test('the tabs there are, with facts, the first of them open; in Markdown all', async () => {
		const html = await copy.built('docs/test-guides/second-steps.html');
		expect(html.match(/<details class="tab"[^>]*>/g)).toEqual([
			'<details class="tab" name="ways-in" open>',
			'<details class="tab" name="ways-in">',
		]);
		expect(await htmlMistakes(html)).toBe('');
		expect(await copy.built('docs/test-guides/second-steps.md')).toContain(
			`**curl**\n\n\`\`\`bash\ncurl '${links.getStatus}'\n\`\`\`\n\n**By mail**\n\nTo [${facts['email.sales']}]`,
		);
	});

	test('what components show, as their documentation says, in HTML and in Markdown', async () => {
		const html = await copy.built('docs/test-recipes/first.html');
		expect(html).toMatch(/<figure class="figure"[^]*?<img [^]*?<figcaption><p>The note that a team gets[^]*?per month\.<\/p>/);
		expect(await htmlMistakes(html)).toBe('');
		const markdown = await copy.built('docs/test-recipes/first.md');
		for (const text of [
			'\n> **Never send patients’ data.** Write to [',
			`\n1. Ask whether the API is up:\n\n   \`\`\`bash\n   curl '${links.getStatus}'\n   \`\`\`\n\n2. Read the [reference](`,
			'\n**By form**\n\nFill in',
			`\n- [Send a lead](${origin}/docs/send-a-lead)\n\n  From your own website.\n`,
			`)\n\nThe note that a team gets after a call. Plans begin at ${currency} 777 per month.\n`,
		])
			expect(markdown).toContain(text);
		expect(await copy.built('docs/search.json')).toContain('From your own website. For agents');
		expect(await copy.built('llms-full.txt')).toContain('> **Never send patients’ data.**');
	});

	test('drafts, which nobody gets to see, and what is in their folder', async () => {
		for (const file of ['docs.html', 'llms.txt', 'sitemap.xml']) expect(await copy.built(file)).not.toContain('test-half-done');
		for (const file of ['docs/test-half-done.html', 'docs/test-half-done/more.html'])
			await expect(copy.built(file)).rejects.toThrow('ENOENT');
	});

	test('what a host has no room for, of which a build warns', async () => {
		expect(output).toMatch(/Cloudflare takes 100 rules for headers, and this site has \d{3}: there, \/\S+ and what follows it/);
		expect(output).toMatch(/CloudFront takes functions of 10240 bytes, and will refuse cloudfront\/response\.js of \d{5}/);
	});

	test('the languages there are', async () => {
		expect(await copy.built('nl/contact.html')).toMatch(/<html lang="nl"[\s\S]*<h1[^>]*>Schrijf ons/);
		expect(await copy.built('nl/contact.md')).toMatch(/^# Schrijf ons\n/m);
		expect(await copy.built('contact.html')).toContain('href="/nl/contact"');
		expect(await copy.built('nl.html')).toMatch(/href="\/nl\/privacy#cookies"[^]*href="\/nl#/);
	});

	testWhereIssued(
		'the request for API access in each language, in answer to a form too, even to one that was too large to be read',
		async () => {
			await using server = await startBuilt(copy.at('var/test/dist'));
			const { url } = server;
			const page = '/nl/contact/api-access';
			const post = async (values: Record<string, string>) => {
				const request = { method: 'POST', body: new URLSearchParams(values), headers: { referer: url + page } };
				return (await fetch(`${url}/api/contact`, request)).text();
			};
			const pages = [
				await (await fetch(url + page)).text(),
				await post({ lang: 'nl', source: 'api-access' }),
				await post({ message: 'x'.repeat(70_000) }),
			];
			for (const html of pages) {
				expect(html).toMatch(/<html lang="nl"[^]*href="\/pt-BR\/contact\/api-access"[^]*<h1[^>]*>Toegang tot de API/);
				expect(html).toMatch(/name="lang" value="nl"[^]*name="source" value="api-access"/);
			}
			expect(await copy.built('nl/contact.html')).toContain('href="/nl/contact/api-access"');
		},
	);

	test('the English of another country, in the same words', async () => {
		expect(await copy.built('en-GB/contact.html')).toContain('<html lang="en-GB"');
	});

	test('the texts of a language that are still English, which a build lists but for those that are meant', async () => {
		const [warnings, lineOf] = [
			output.match(/content\/nl.*found the English words.*/g),
			(text: string, search: string) => text.split(search)[0]!.split('\n').length,
		];
		const [contact, privacy] = await Promise.all(
			['contact.yaml', 'privacy.mdx'].map((name) => readFile(copy.at(`content/nl/${name}`), 'utf8')),
		);
		const told = (place: string, words: string) =>
			`content/nl/${place}: found the English words “${words}”, wanted them in Dutch, or “${words}” in asInEnglish of content/nl/site.yaml.`;
		expect(warnings).toEqual([
			told(`contact.yaml:${lineOf(contact!, 'submit:')} submit`, 'Send message'),
			told(`privacy.mdx:${lineOf(privacy!, '## Cookies')}`, 'Cookies'),
		]);
	});

	test('how a link to a page in another language looks, without letters that the image cannot show', async () => {
		const html = await copy.built('nl/contact.html');
		for (const [name, value] of [
			['locale', 'nl_NL'],
			['title', 'Schrijf ons'],
			['image', `${origin}/cards/nl/contact.png`],
		])
			expect(html).toContain(`<meta property="og:${name}" content="${value}">`);
		const [dutch, japanese, korean] = await Promise.all(
			['nl', 'ja', 'ko'].map((language) => copy.built(`cards/${language}/contact.png`)),
		);
		expect(japanese).not.toBe(dutch);
		expect(japanese).toBe(korean);
	});

	test('when a page was last changed, by the history of what is committed', async () => {
		const changed = [...(await copy.built('sitemap.xml')).matchAll(/<loc>[^<]*?([^/<]*)<\/loc><lastmod>(.*)<\/lastmod>/g)];
		expect(changed.map(([, page, date]) => `${page} ${date}`).toSorted()).toEqual([
			'agents 2026-02-03T09:05:06.000Z',
			'first-steps 2026-02-03T09:05:06.000Z',
			'privacy 2026-02-03T09:05:06.000Z',
			'test-guides 2026-02-03T09:05:06.000Z',
		]);
	});

	test('that OAuth is live, and nothing says any more that it is planned', async () => {
		expect(await copy.built('docs/agents.md')).toContain('OAuth is live.');
		for (const file of ['docs.html', 'docs.md', 'docs/agents.html', 'docs/agents.md', 'docs/api.md', 'auth.md', 'llms.txt'])
			expect([file, /planned|not live|none yet/i.exec(await copy.built(file))]).toEqual([file, null]);
	});
});

/** Returns those of the paths that the navigation of a page has, in its order. The site has pages of its own besides. */
const navigationIn = (html: string, paths: string[]) => {
	const navigation = /<nav class="docs-nav"[^]*?<\/nav>/.exec(html)![0];
	return [...navigation.matchAll(/href="\/docs\/?([^"]*)"/g)].map(([, path]) => path!).filter((path) => paths.includes(path));
};

const footIn = (html: string) => /<footer class="docs-foot"[^]*?<\/footer>/.exec(html)![0];

/** Makes a folder a repository. */
function commit(folder: string, ...files: string[]): void {
	const env = { ...process.env, GIT_COMMITTER_DATE: '2026-02-03T04:05:06-05:00' };
	const identity = ['-c', 'user.name=x', '-c', 'user.email=x@clinic.test'];
	for (const args of [['init'], ['add', ...files], ['commit', '--message', 'x']])
		execFileSync('git', [...identity, ...args], { cwd: folder, env, stdio: 'ignore' });
}
