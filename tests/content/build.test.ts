import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { liveOauth } from '../discovery/published.ts';
import { facts, links, service } from '../../src/service/load.ts';
import { htmlMistakes } from '../support/html.ts';
import { TestProcess } from '../support/process.ts';
import { copyOfProject } from '../support/project-copy.ts';
import { testWhereIssued } from '../support/where-issued.ts';

/** An image of one pixel. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const page = (title: string, order: number, prose: string) =>
	`---\ntitle: ${title}\ndescription: A page.\norder: ${order}\n---\n\n${prose}\n`;

const { currency } = service.prices;

describe('an editor changes in one place', () => {
	let copy: Awaited<ReturnType<typeof copyOfProject>>;
	// One build for all of it: none touches what another is about.
	beforeAll(async () => {
		copy = await copyOfProject();
		await copy.edit('content/service.yaml', /payAsYouGo: \{ from: [\d.]+/, 'payAsYouGo: { from: 7');
		await copy.edit('content/service.yaml', /plans: \{ from: [\d.]+/, 'plans: { from: 777');
		await copy.edit('content/service.yaml', /^oauth:\n  state: planned$/m, `oauth: ${JSON.stringify(liveOauth)}`);
		await copy.write(
			'content/docs/opening-hours.mdx',
			page('Opening hours', 90, '## Weekdays\n\nFrom <Fact name="price.plans" />.'),
		);
		await copy.write('content/docs/half-done/index.mdx', page('Half done', 92, 'x').replace('order', 'draft: true\norder'));
		await copy.write('content/docs/half-done/more.mdx', page('More', 1, 'x'));
		await copy.write(
			'content/docs/guides/index.mdx',
			page('Guides', 15, 'Begin with the [first](/docs/guides/first-steps#at-the-desk).'),
		);
		const tab = (title: string, text: string) => `<Tab title="${title}">\n\n${text}\n\n</Tab>`;
		await copy.write(
			'content/docs/guides/second-steps.mdx',
			page(
				'Second steps',
				2,
				`<Tabs label="Ways in">\n\n${tab('curl', "```bash\ncurl '{{link.getStatus}}'\n```")}\n\n${tab('By mail', 'To <Link to="email.sales" />')}\n\n</Tabs>\n\n` +
					'See the [problems](/docs/api#invalid-lead), or [write to us](/de/contact#email), or [ask](/contact?for=api-access#message).',
			),
		);
		await copy.write(
			'content/docs/guides/first-steps.mdx',
			page('First steps', 1, '## At the *desk*\n\n![A dot](./dot.png)\n\n![A line](/line.svg)'),
		);
		await copy.write('content/docs/guides/dot.png', Buffer.from(DOT, 'base64'));
		await copy.write('public/line.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="9" />');
		for (const language of ['de', 'pt-br']) await copy.addLanguage(language);
		await copy.edit('content/contact/de.yaml', 'title: Talk to us', 'title: Sprechen Sie mit uns');
		await copy.edit('content/contact/de.yaml', 'title: Ask for API access', 'title: Zugang zur API');
		expect(await copy.build()).toMatchObject({ code: 0 });
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
		expect(await copy.built('docs/opening-hours.html')).toContain(`From ${currency} 777 per month.`);
		expect(await copy.built('docs/opening-hours.md')).toMatch(
			new RegExp(`^# Opening hours\n[^]*\n## Weekdays\n\nFrom ${currency} 777 per month\\.\n$`, 'm'),
		);
		for (const file of ['docs.html', 'llms.txt', 'sitemap.xml']) expect(await copy.built(file)).toContain('/docs/opening-hours');
	});

	test('the groups there are: a folder is one, named and placed by its index', async () => {
		const html = await copy.built('docs/guides/first-steps.html');
		const navigation = /<nav class="docs-nav"[^]*?<\/nav>/.exec(html)![0];
		expect([...navigation.matchAll(/href="\/docs\/?([^"]*)"/g)].map(([, path]) => path)).toEqual([
			'',
			'send-a-lead',
			'guides',
			'guides/first-steps',
			'guides/second-steps',
			'agents',
			'api',
			'opening-hours',
		]);
		expect(html).toMatch(/<nav class="docs-groups"[^]*href="\/docs"[^]*href="\/docs\/guides"/);
		expect(await copy.built('docs/guides/first-steps.md')).toMatch(/^# First steps\n/m);
		for (const file of ['llms.txt', 'sitemap.xml'])
			expect((await copy.built(file)).match(/\/docs\/guides[\w/-]*/g)).toEqual([
				'/docs/guides',
				'/docs/guides/first-steps',
				'/docs/guides/second-steps',
			]);
	});

	test('the images there are, in valid HTML', async () => {
		const html = await copy.built('docs/guides/first-steps.html');
		expect(html).toMatch(/<img src="\/_astro\/dot\.[^"]*" alt="A dot"[^]*<img src="\/line\.svg" alt="A line">/);
		expect(await htmlMistakes(html)).toBe('');
	});

	test('the tabs there are, with facts, the first of them open; in Markdown all', async () => {
		const html = await copy.built('docs/guides/second-steps.html');
		expect(html.match(/<details class="tab"[^>]*>/g)).toEqual([
			'<details class="tab" name="ways-in" open>',
			'<details class="tab" name="ways-in">',
		]);
		expect(await htmlMistakes(html)).toBe('');
		expect(await copy.built('docs/guides/second-steps.md')).toContain(
			`**curl**\n\n\`\`\`bash\ncurl '${links.getStatus}'\n\`\`\`\n\n**By mail**\n\nTo [${facts['email.sales']}]`,
		);
	});

	test('drafts, which nobody gets to see, and what is in their folder', async () => {
		for (const file of ['docs.html', 'llms.txt', 'sitemap.xml']) expect(await copy.built(file)).not.toContain('half-done');
		for (const file of ['docs/half-done.html', 'docs/half-done/more.html'])
			await expect(copy.built(file)).rejects.toThrow('ENOENT');
	});

	test('the languages there are', async () => {
		expect(await copy.built('de/contact.html')).toMatch(/<html lang="de"[\s\S]*<h1[^>]*>Sprechen Sie mit uns/);
		expect(await copy.built('de/contact.md')).toMatch(/^# Sprechen Sie mit uns\n/m);
		expect(await copy.built('contact.html')).toContain('href="/de/contact"');
	});

	testWhereIssued(
		'the request for API access in each language, in answer to a form too, even to one that was too large to be read',
		async () => {
			const env = { PORT: '0', LEAD_STORE: 'none' };
			await using server = new TestProcess([copy.at('var/test/dist/server/entry.mjs')], { env });
			const [, url] = await server.printed(/"url":"(.*?)"/);
			const page = '/de/contact?for=api-access';
			const post = async (values: Record<string, string>) => {
				const request = { method: 'POST', body: new URLSearchParams(values), headers: { referer: url + page } };
				return (await fetch(`${url}/api/contact`, request)).text();
			};
			const pages = [
				await (await fetch(url + page)).text(),
				await post({ lang: 'de', source: 'api-access' }),
				await post({ message: 'x'.repeat(70_000) }),
			];
			for (const html of pages) {
				expect(html).toMatch(/<html lang="de"[^]*<h1[^>]*>Zugang zur API[^]*href="\/pt-BR\/contact\/api-access"/);
				expect(html).toMatch(/name="lang" value="de"[^]*name="source" value="api-access"/);
			}
			expect(await copy.built('de/contact.html')).toContain('href="/de/contact/api-access"');
		},
	);

	test('a language by any letter case of its tag', async () => {
		expect(await copy.built('pt-BR/contact.html')).toContain('<html lang="pt-BR"');
	});

	test('that OAuth is live, and nothing says any more that it is planned', async () => {
		expect(await copy.built('docs/agents.md')).toContain('OAuth is live.');
		for (const file of ['docs.html', 'docs.md', 'docs/agents.html', 'docs/agents.md', 'docs/api.md', 'auth.md', 'llms.txt'])
			expect([file, /planned|not live|none yet/i.exec(await copy.built(file))]).toEqual([file, null]);
	});
});
