import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { keyFormOf, RANDOM, withChecksum } from '../../src/facts/facts.ts';
import { linksFrom, paths } from '../../src/facts/links.ts';
import { facts, languages, origin, service } from '../../src/facts/load.ts';
import { keyHash, keyId } from '../../src/api/authentication.ts';
import type { Service } from '../../src/facts/schema.ts';
import { ofIssuedKeys } from '../discovery/published.ts';
import { pages } from '../fixtures/site/pages.ts';
import { newApiKey } from '../support/api-key.ts';
import { htmlMistakes } from '../support/html.ts';
import { startLeadKeeping } from '../support/lead-places.ts';
import { postLead } from '../support/post-lead.ts';
import { TestProcess } from '../support/process.ts';
import { copyOfProject } from '../support/project-copy.ts';
import { startBuilt } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The facts of another company: those that we have with other values, those that we do not have, and no API keys. */
const yaml = readFileSync('tests/fixtures/site/service.yaml', 'utf8').replace('keys: issued', 'keys: none');
const said = parse(yaml) as Required<Service>;
const site = 'https://www.glockenwerk.example';
const siteLinks = linksFrom(site);
const keyForm = keyFormOf(said.identifier);

const drawing = readFileSync('content/logo.svg', 'utf8');
const palette = readFileSync('content/palette.yaml', 'utf8');
/** Returns the colours of a palette that no other project is likely to use. */
const coloursIn = (text: string) => text.match(/#(?!(..)\1\1)[\da-f]{6}/g) ?? [];
const otherPalette = palette.replace(/#(..)(..)(..)/g, '#$3$1$2');
/** An image of one pixel. */
const dot = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
	'base64',
);
const page = (title: string, order: number, prose: string) =>
	`---\ntitle: ${title}\ndescription: A page.\norder: ${order}\n---\n\n${prose}\n`;
/** Examples that the documentation for editors gives to copy. */
const samples = ['README.md', 'components.md'].flatMap((file) =>
	[...readFileSync(`content/${file}`, 'utf8').matchAll(/^(```+)mdx\n([^]*?)\n\1$/gm)].map(([, , source]) => source!),
);

/** The files that the company writes. */
const written: Record<string, string | Uint8Array> = {
	'content/service.yaml': yaml,
	'content/palette.yaml': `\uFEFF${otherPalette}`,
	'content/logo.svg': `\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE svg>\n<!-- Drawn by hand -->\n${pages['logo.svg']}`,
	'content/docs/hours.mdx': page('Opening hours', 9090, '## Weekdays\n\nFrom <Fact name="price.plans" />.'),
	'content/docs/code.mdx': page('Code', 9091, '[b](#b-1)\n## B\n## B\n```js\n// {{company}}\nconst most = {{limit.leads}};\n```'),
	'content/docs/guides/index.mdx': page('Guides', 15.0625, 'Begin with the [first](/docs/guides/first-steps#at-the-desk).'),
	'content/docs/guides/second-steps.mdx': page('Second steps', 2, '[Why](/docs/errors#invalid-lead), [write](/nl/contact#email)'),
	'content/docs/guides/first-steps.mdx': page('First steps', 1, '## At the *desk*\n\n![Dot](./dot.png)\n\n![Line](/line.svg)'),
	'content/docs/guides/dot.png': dot,
	'content/docs/recipes.mdx': page('Recipes', 16.0625, samples.join('\n\n')),
	'content/docs/slip.png': dot,
	'public/line.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="9" />',
	'public/google123.html': 'google-site-verification: google123.html',
	'public/sounds/call.mp3': 'No sound.',
};

/** The built copy. A build takes half a minute of processor time: this one serves all tests that need another than `npm run test:build` makes. */
const copy = shared(async () => {
	const copy = await copyOfProject(languages);
	for (const [file, content] of Object.entries(written)) await copy.write(file, content);
	for (const file of ['auth.mdx', 'skills/send-a-lead/SKILL.mdx']) await copy.edit(`content/${file}`, /^/, '\uFEFF');
	await copy.edit('content/en/contact.yaml', 'from {email},', 'from {email} or {email},');
	await copy.addLanguage('nl');
	await copy.edit('content/nl/contact.yaml', /^title: .*/m, 'title: Schrijf ons');
	const { code, output } = await copy.build({ SITE_URL: site });
	expect(code, output).toBe(0);
	// What is older than its English, or has no record yet, does not stop a build.
	expect(output).toContain('content/translated.yaml: found nothing on new texts of nl');
	return copy;
});
const built = (file: string) => copy().built(file);
const dist = () => copy().at('var/test/dist');

test('nothing that is built has our facts, our colours or our drawing, and nothing for readers speaks of API keys', async () => {
	const ours = [
		service.name,
		service.company,
		service.identifier,
		origin,
		...Object.values(service.emails),
		facts['price.payAsYouGo']!,
		facts['price.plans']!,
		...coloursIn(palette),
		...[...drawing.matchAll(/ d="(.*?)"/g)].map(([, path]) => path!),
	].map((fact) => fact.toLowerCase());
	const entries = await readdir(dist(), { recursive: true, withFileTypes: true });
	for (const { name, parentPath } of entries.filter((entry) => entry.isFile() && !/\.(br|gz|bin)$/.test(entry.name))) {
		const text = `${name}\n${readFileSync(`${parentPath}/${name}`, 'utf8')}`;
		expect([name, ours.filter((fact) => text.toLowerCase().includes(fact))]).toEqual([name, []]);
		const words = /\.m?js$/.test(name) ? '' : text.replace(/<[^>]*>|\s+/g, ' ').replace(/ +/g, ' ');
		expect([name, ofIssuedKeys.exec(words)?.[0]]).toEqual([name, undefined]);
	}
});

const escapedName = 'Glocken &lt;Werk&gt; &amp; &quot;Ton&quot; GmbH';
const builtTexts: Record<string, string[]> = {
	'index.html': [
		said.name,
		'<circle fill="var(--warm)"',
		'<audio controls preload="none" src="/sounds/call.mp3"',
		'<strong>Caller</strong> &lt;Hello&gt; &amp; good afternoon.</li>',
	],
	// Prices in its currency, with all their details, as the readers of each language write them.
	'index.md': ['JPY 61 per minute', 'JPY 14,500', '1,234', 'JPY 70 per minute', '12 months', 'JPY 9,000', '14 days'],
	'de.md': ['61 JPY', '14.500 JPY', '1.234', '70 JPY', '12 Monate', '9.000 JPY', '14 Tage'],
	'docs.html': ['/docs/hours'],
	'docs/hours.html': ['From JPY 14,500 per month.'],
	'docs/hours.md': ['\n# Opening hours\n', '\n\n## Weekdays\n\nFrom JPY 14,500 per month.\n'],
	'docs/guides/first-steps.html': [`<a href="${said.editUrl}/content/docs/guides/first-steps.mdx">`],
	'docs/code.html': [`// ${escapedName}`],
	'docs/code.md': [`// ${said.company}`, 'const most = 20;'],
	'contact.html': ['>hallo@glockenwerk.example</a> or <a', '3 working days', 'href="/nl/contact"'],
	// In the reader's language or, where the facts have no words in it, in English.
	'trust.md': [
		'](https://hosting.example/privacy) · Servers · Ireland · without',
		'Calls for 30 days.',
		'(registered as Glockenwerk Telefonie GmbH)',
		'WCAG 2.2 AA on November 1, 2026',
		'mailto:zugang@',
	],
	'de/trust.html': [
		'>Hosting &lt;A&gt;</a> · <bdi>Server</bdi> · <bdi>Irland</bdi>',
		'Alles in Irland.',
		'Each call begins with it.',
		'1. November 2026',
	],
	'de/privacy.html': [
		'Glockenwerk Telefonie GmbH',
		'Musterstraße 1, 10115 Berlin',
		'<bdi>Server</bdi> · <bdi>Irland</bdi>',
		'Alles in Irland.',
	],
	'contact/thanks.html': ['3 working days', 'A call of 20 minutes.', 'href="https://calendar.example/glockenwerk?with=$&amp;"'],
	'de/contact.html': ['href="/nl/contact"'],
	'nl/contact.html': ['<html lang="nl"', '>Schrijf ons<'],
	'nl/contact.md': ['\n# Schrijf ons\n'],
	'favicon.svg': ['<circle fill="var(--warm)"', /warm: '(.*)'/.exec(otherPalette)![1]!],
	'.well-known/security.txt': [said.emails.security],
	'../machines/nachtglocke-web.service': ['StateDirectory=nachtglocke-web'],
	'llms.txt': ['JPY 61 per minute', 'JPY 9,000', '/docs/hours'],
	'openapi.json': ['JPY 14,500 per month', 'JPY 9,000'],
	'auth.md': [],
	'.well-known/agent-skills/send-a-lead/SKILL.md': ['JPY 9,000'],
};
test.each(Object.entries(builtTexts))('%s has the facts, and nothing from before texts and logo', async (file, texts) => {
	const content = (await built(file)).replaceAll('\u00a0', ' ');
	for (const text of texts) expect(content).toContain(text);
	// Such as a byte order mark that an editor's program saved.
	expect(content).not.toMatch(/\uFEFF|<\?xml|<!DOCTYPE svg|Drawn by hand/);
});

test('the page for the lawyer of a buyer is below every page, and in the sitemap', async () => {
	for (const [file, path] of Object.entries({ 'docs.html': '/trust', 'de/contact.html': '/de/trust' }))
		expect(await built(file)).toContain(`<a href="${path}">`);
	expect(await built('sitemap.xml')).toContain(`<loc>${site}/nl/trust</loc>`);
});

test('the imprint of a company is under every page, with numbers to call: the receptionist’s, and beside the form the office’s', async () => {
	const office = '<a href="tel:+493023125000" dir="ltr">+49\u00a030\u00a023125\u00a0000</a>';
	const profile = '<a href="https://network.example/glockenwerk">Example Network</a>';
	for (const file of ['index.html', 'docs.html', 'de/contact.html']) {
		const [footer] = /<footer[^]*<\/footer>/.exec(await built(file))!;
		for (const text of [said.legalName, said.address, said.register, office, profile]) expect(footer).toContain(text);
	}
	const mainOf = async (file: string) => /<main[^]*<\/main>/.exec(await built(file))![0];
	expect(await mainOf('index.html')).toContain('<a href="tel:+493023125001" dir="ltr">');
	for (const text of ['href="tel:+493023125000"', said.address]) expect(await mainOf('contact.html')).toContain(text);
});

test('a page is found by the search, with its facts', async () => {
	const index = JSON.parse(await built('docs/search.json')) as { path: string }[];
	// The pages of problems repeat their table.
	expect(index.filter(({ path }) => path.startsWith(`${paths.errors}/`))).toEqual([]);
	const parts = [{ text: 'A page.' }, { anchor: 'weekdays', heading: 'Weekdays', text: 'From JPY 14,500 per month.' }];
	expect(index).toContainEqual({ path: '/docs/hours', title: 'Opening hours', parts });
});

test('a folder is a group, named and placed by its index', async () => {
	const linked = async (file: string, among: string[]) => {
		const [navigation] = /<nav class="[^"]*docs-nav"[^]*?<\/nav>/.exec(await built(file))!;
		return [...navigation.matchAll(/href="\/docs\/?([^"]*)"/g)].map(([, path]) => path!).filter((path) => among.includes(path));
	};
	const first = ['', 'send-a-lead', 'guides', 'recipes', 'agents', 'api', 'hours'];
	expect(await linked('docs.html', first)).toEqual(first);
	const group = ['guides', 'guides/first-steps', 'guides/second-steps'];
	for (const file of ['docs/guides.html', 'docs/guides/first-steps.html']) expect(await linked(file, group)).toEqual(group);
	for (const file of ['llms.txt', 'sitemap.xml']) expect((await built(file)).match(/(?<=\/docs\/)guides[\w/-]*/g)).toEqual(group);
});

test('images and components show what their documentation says, in HTML and in Markdown', async () => {
	const images = /<img src="\/_astro\/dot\.[^"]*" alt="Dot"[^]*<img src="\/line\.svg" alt="Line"\/>/;
	expect(await built('docs/guides/first-steps.html')).toMatch(images);
	const html = await built('docs/recipes.html');
	expect(html).toMatch(/<figure class="figure"[^]*?<img [^]*?<figcaption><p>The note that a team gets[^]*?per month\.<\/p>/);
	const tabs = [...html.matchAll(/<details class="tab" name="([^"]*)"( open)?/g)];
	const opened = tabs.filter(([, , open]) => open).map(([, name]) => name);
	expect(opened, 'one of each group').toEqual([...new Set(tabs.map(([, name]) => name))]);
	const markdown = await built('docs/recipes.md');
	for (const text of [
		'\n> **Never send patients’ data.** Write to [',
		`\n1. Ask whether the API is up:\n\n   \`\`\`bash\n   curl '${siteLinks.getStatus}'\n   \`\`\`\n\n2. Read the [reference](`,
		'\n**By form**\n\nFill in',
		`\n- [Send a lead](${site}/docs/send-a-lead)\n\n  From your own website.\n`,
		')\n\nThe note that a team gets after a call. Plans begin at JPY 14,500 per month.\n',
	])
		expect(markdown).toContain(text);
});

test('every page is valid HTML', async () => {
	const files = [
		'index',
		'trust',
		'nl/trust',
		'contact',
		'contact/thanks',
		'nl/contact',
		'docs/recipes',
		'docs/code',
		'docs/guides/first-steps',
	];
	for (const file of files) expect([file, await htmlMistakes(await built(`${file}.html`))]).toEqual([file, '']);
});

describe('its server', () => {
	const smtp = shared(startSmtpServer);
	const folder = shared(temporaryFolder);
	const server = shared(() => {
		const store = { LEAD_STORE: `sqlite:${folder().path}/leads.db`, LEAD_AUTOREPLY: 'on' };
		return startBuilt(dist(), { ...smtp().settings, ...store });
	});

	test('confirms a message with what the company says of itself, and no mail says how to issue a key', async () => {
		await postLead(server().url, { source: 'api-access' });
		await smtp().received(2);
		const { text } = smtp().mails.find(({ from }) => from === '')!.parsed;
		for (const fact of ['3 working days', said.bookingUrl, siteLinks.privacy]) expect(text).toContain(fact);
		expect(text!.split('\n\n').at(-1)).toBe(`${said.legalName}\n${said.address}\n${said.register}\n`);
		for (const { parsed } of smtp().mails) expect(parsed.text).not.toContain('issue');
	});

	test('has no page that asks for a key, and answers a form that does with the contact page', async () => {
		for (const path of [paths.accessRequest, `${paths.accessRequest}.md`])
			expect((await fetch(server().url + path)).status).toBe(404);
		const body = new URLSearchParams({ source: 'api-access', name: 'Ana' });
		const answer = await fetch(server().url + paths.submitLead, { method: 'POST', body });
		const [title] = /<h1[^]*<\/h1>/.exec(await built('contact.html'))!;
		expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining(title)]);
	});

	test('keeps the name of a file of public/ with its ending, HTML too', async () => {
		const answer = await fetch(`${server().url}/google123.html`);
		expect(await answer.text()).toBe(written['public/google123.html']);
		expect((await fetch(`${server().url}/google123`)).status).toBe(404);
	});
});

test('where no keys are issued, the command issues none, and the server refuses a key of before, and knows the public test key', async () => {
	await using keeping = await startLeadKeeping({ LEAD_WEBHOOK_URL: '' });
	const issue = ['issue', '--name', 'Ana Ruiz', '--email', 'ana@clinicasol.example'];
	await using command = new TestProcess([`${dist()}/server/keys.mjs`, ...issue], { env: keeping.env });
	expect([await command.exit(), await keeping.store.keys.list()]).toEqual([1, []]);

	const key = withChecksum(keyForm.prefix + 'A'.repeat(RANDOM));
	const hash = keyHash(keeping.store.secret, key);
	await keeping.store.keys.insert({ ...newApiKey(), id: keyId(hash), hash });
	await using server = await startBuilt(dist(), keeping.env);
	const statusWith = async (credential: string) =>
		(await postLead(server.url, {}, { authorization: `Bearer ${credential}` })).status;
	// 503, because delivery is not configured.
	expect([await statusWith(key), await statusWith(keyForm.publicTestKey)]).toEqual([401, 503]);
});
