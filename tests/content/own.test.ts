import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { wordings } from '../../src/channels/notice.ts';
import { documents } from '../../src/discovery/documents.ts';
import { isRightToLeft } from '../../src/facts/language.ts';
import { API_ACCESS, paths, urlPath } from '../../src/facts/links.ts';
import { copyIn, facts, languageAt, languages, origin, pathIn, service, wordsIn } from '../../src/facts/load.ts';
import { AUTH, SKILL } from '../../src/facts/page.ts';
import { leadSchema } from '../../src/lead/lead.ts';
import type { Manifest } from '../../src/server/manifest.ts';
import { loadIndex } from '../../src/site/docs/search.ts';
import { builtFiles, client, pagesIn } from '../support/built-files.ts';
import { htmlMistakes } from '../support/html.ts';

/** The one place for what is true of our own content. Each failure names the file to edit: code has the small site. */
const built = (path: string) => readFileSync(`${client}${path}`, 'utf8');
const pages = pagesIn();
const skill = built(paths.skill);
const auth = built(paths.authMd);
const ownSkill = readFileSync(SKILL, 'utf8');
const withoutFacts = (text: string) => text.replaceAll(/<(Fact|Link) [^>]*>/g, '');

const find = await loadIndex(`data:application/json,${encodeURIComponent(built(paths.searchIndex))}`);
/** The words that a developer types into the search, and the place that explains them. */
const places: Record<string, string> = {
	'required fields': '/docs/send-a-lead#what-to-send',
	key: '/docs/authentication',
	'bearer token': '/docs/authentication#send-a-key',
	swagger: '/docs#machine-readable-description',
	'health check': '/docs/api#read-whether-the-api-is-up',
	honeypot: '/docs/api#submitLead-website',
	'rate limit': '/docs/send-a-lead#limits',
	idempotency: '/docs/send-a-lead#sending-again',
	'429': '/docs/errors#rate-limited',
	email_invalid: '/docs/api#submitLead-email',
	'llms.txt': '/docs/agents#the-documents',
	pricing: '/#prices',
	install: '/docs/send-a-lead',
	rest: '/docs/api#basics',
	gdpr: '/privacy',
	'privacy notice': '/privacy',
	'limits per minute': '/docs/send-a-lead#limits',
	webhook: '/docs/send-a-lead',
};

test.each(Object.entries(places))('“%s” leads first to %s', (words, url) => {
	const file = fileOf(url.split('#', 1)[0]!);
	const advice = `${file}: give the heading other words, or “keywords” in the front matter, or expect another place here.`;
	expect(find(words)[0]?.url, advice).toBe(url);
});

test.each([
	// Fields, languages, names and words are as long as they are: without those, 2.4 kB are the first 4 KiB.
	[SKILL, withoutFacts(ownSkill), 2650],
	[AUTH, auth, 6500],
	['content/en/site.yaml', built(paths.llmsTxt).split('\n## ')[0]!, 1200],
	['content/en/site.yaml', built(paths.openapi), 24_500],
])('%s makes a text that is short enough to be read whole', (file, text, most) => {
	expect(Buffer.byteLength(text), `${file}: say it in fewer words.`).toBeLessThanOrEqual(most);
});

test('the skill has the fields, the words of consent with the notice, what `lang` is, how to try an error, and all answers first', () => {
	for (const part of ['“<Fact name="consent.words" />” <Link to="link.privacy" />', '"list.consent"', '"list.fields"'])
		expect(ownSkill, SKILL).toContain(part);
	expect(skill.match(/`lang`/g), SKILL).toHaveLength(1);
	expect(skill, SKILL).toContain('`Test-Answer: 503`');
	const first = Buffer.from(withoutFacts(ownSkill)).subarray(0, 2400).toString();
	expect(first, SKILL).toMatch(/^- `200 [^]*^- 422 [^]*^- 408, [^]*^- Anything else: .*\n/m);
});

test('auth.md tells first how to register, has the heading that `claim_uri` leads to, and the limit, the test key and the prices', () => {
	expect(/^## .*$/m.exec(auth)![0], AUTH).toBe('## Register');
	expect(auth, AUTH).toMatch(/^## Claim$/m);
	expect(auth, AUTH).toMatch(/may send 20 leads in 10 minutes, .* no daily limit: up to 2,880 a day/);
	expect(auth, AUTH).toContain(`Authorization: Bearer ${facts['key.test']}`);
	expect(auth, AUTH).toContain(`${facts['price.payAsYouGo']} as you go, or ${facts['price.plans']}`);
	expect(auth, AUTH).not.toMatch(/<!--|\{\{|undefined/);
});

test.each([paths.authMd, `${paths.authentication}.md`])('%s says that there is no MCP server', (path) => {
	expect(built(path), fileOf(path)).toContain('There is no MCP server here; call the HTTP API.');
});

test('the page for agents lists each document, and that of webhooks each type of message', () => {
	for (const { path } of documents)
		expect(built('/docs/agents.md'), 'content/docs/agents.mdx: add <Documents />').toContain(`[${path}](`);
	for (const type of Object.keys(wordings))
		expect(built('/docs/webhook.md'), 'content/docs/webhook.mdx').toContain(`| \`${type}\` |`);
});

test('every example of a link that fills in the form has the email, and beside it stands what the link needs', () => {
	const linked = documents.filter(({ path }) => built(path).includes('#name='));
	expect(linked.length).toBeGreaterThan(1);
	for (const { path } of linked) {
		for (const [link] of built(path).matchAll(/#name=[^`\s]*/g)) expect(link, fileOf(path)).toMatch(/&email=/);
		expect(built(path), fileOf(path)).toContain('JavaScript');
	}
});

/** The leads that the prose sends as JSON, each with its file. */
const samples = globSync('content/**/*.mdx').flatMap((file) =>
	(readFileSync(file, 'utf8').match(/^```[^]*?^```$\n+.*/gm) ?? [])
		.filter((block) => block.includes('submitLead') && !/^```(typescript|javascript|python|php)/.test(block))
		.map((block) => ({ file, block, lead: JSON.parse(/\{\s*"[^{}]*\}/.exec(block)![0]) as unknown })),
);

test('who reads how to send a lead finds a sample of one', () => {
	const files = [AUTH, SKILL, 'content/docs/authentication.mdx', 'content/docs/send-a-lead.mdx'];
	expect(samples.map(({ file }) => file)).toEqual(expect.arrayContaining(files));
});

test.each(samples)('the sample in $file is a valid lead, with the test key, a key of one’s own, or called real', (sample) => {
	const { file, lead, block } = sample;
	expect(leadSchema.safeParse(lead).data, file).toEqual(lead);
	expect(block, file).toMatch(/Bearer (\{\{key\.test\}\}|\$\{\{key\.variable\}\})[^]*```|```\n+.*\bthis sends a real /i);
});

test.each([
	{ file: SKILL, text: skill, wanted: 'assistant' },
	...(service.keys === 'issued' ? [{ file: AUTH, text: auth, wanted: API_ACCESS }] : []),
])('the first example of $file says that a program wrote it, with the source $wanted, a language and a key', (example) => {
	const { file, text, wanted } = example;
	const [request] = /^POST [^]*?```$/m.exec(text)!;
	const { source, lang, message } = JSON.parse(/^\{[^]*\}$/m.exec(request)![0]) as Record<string, string>;
	expect(source, file).toBe(wanted);
	expect(languages, `${file}: write another "lang"`).toContain(lang);
	expect(message, file).toMatch(/assistant for Ana Ruiz/);
	expect(message!.startsWith('Scopes: contact:write\n'), file).toBe(wanted === API_ACCESS);
	expect(request, file).toMatch(/^Idempotency-Key: \S+$/m);
});

test.each([paths.llmsTxt, paths.authMd, paths.skill, paths.openapi])('%s says who may agree in the shared words', (path) => {
	const told = built(path).replace(copyIn('en').fields['consent']!.label!, '');
	const [before, ...after] = told.split(facts['consent.rule']!);
	const advice = `${fileOf(path)}: write <Fact name="consent.rule" />, whose words are consentRule in content/en/site.yaml.`;
	expect(after.length, advice).toBeGreaterThan(0);
	expect([before, ...after].join(''), advice).not.toMatch(/reading the|(has|have) read|in their place|consent\.rule/);
});

test.each(languages)('the start page in %s has a heading for each offer that search engines are told of', (language) => {
	const { payAsYouGo, plans } = wordsIn(language);
	const headings = Array.from(pages.get(pathIn(language, '/'))!.matchAll(/<h3[^>]*>(.*?)<\/h3>/g), ([, heading]) => heading);
	const advice = `content/${language}/home.mdx: name it as site.yaml does`;
	expect(headings, advice).toEqual(expect.arrayContaining([payAsYouGo, plans]));
});

test.each([...pages])('%s is valid HTML, without placeholder, template or anything empty', async (path, html) => {
	expect(await htmlMistakes(html), fileOf(path)).toBe('');
	expect(html, fileOf(path)).not.toMatch(/<template|\{\{|<(p|li|ul|ol|h2|details|figure)>\s*<\/\1>/);
	expect(/href="[^"]*\/trust"/.test(html), 'content/service.yaml: trust').toBe(service.trust !== undefined);
});

const texts = builtFiles('{**,.well-known/**}/*.{html,json,md,txt,xml}');

test('every link of pages and documents, and each path that code names, leads to something that is published', () => {
	const { paths: called } = JSON.parse(built(paths.openapi)) as { paths: object };
	const published = JSON.parse(readFileSync(`${client}/../server/files.json`, 'utf8')) as Manifest;
	const addresses = Object.keys({ ...published, ...called });
	const isDead = ({ origin: host, pathname, hash }: URL) => {
		const id = decodeURIComponent(hash.slice(1));
		// A fragment with values fills in the form.
		const isPlace = id === '' || id.includes('=') || !pages.has(pathname) || pages.get(pathname)!.includes(` id="${id}"`);
		return host === origin && !(addresses.includes(pathname) && isPlace);
	};
	const linksIn = (text: string) =>
		text.startsWith('<!DOCTYPE html>')
			? [...text.matchAll(/<[a-z][^>]*?\s(?:href|src)="([^"]*)"/g)].map(([, link]) => link!.replaceAll('&amp;', '&'))
			: (text.match(/https?:\/\/[^\s"'`<>()\\]+/g) ?? []).map((url) => url.replace(/[.,;:]+$/, ''));
	const dead = texts.flatMap((file) => {
		const links = linksIn(built(`/${file}`)).filter((link) => isDead(new URL(link, origin + urlPath(file))));
		return links.map((link) => `${fileOf(urlPath(file))}: ${link}`);
	});
	expect(texts.length).toBeGreaterThan(pages.size);
	const optional = [service.trust ? undefined : paths.trust, service.keys === 'none' ? paths.accessRequest : undefined];
	const missing = Object.values<string>(paths).filter((path) => ![...addresses, ...optional].includes(path));
	expect([dead, missing]).toEqual([[], []]);
});

test('nothing invisible is published, but the marks of amounts, placeholders and English in text from right to left', () => {
	const invisible = /(?![\n\t])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]|&(shy|zwn?j|lrm|rlm);/gu;
	const found = texts.flatMap((file) => {
		const text = built(`/${file}`);
		const shown = isRightToLeft(languageAt(`/${file}`))
			? text.replaceAll(/\u200f(?=\d)|(?<=\$)\u200e|\u200e(?=\{)|[\u2068\u2069]/g, '')
			: text;
		return [...shown.matchAll(invisible)].map(([mark]) => `${fileOf(urlPath(file))}: ${encodeURI(mark)}`);
	});
	expect(found).toEqual([]);
});

test('the licence of each font that styles load is published, as its package has it', () => {
	const styles = globSync('src/site/**/*.css').map((file) => readFileSync(file, 'utf8'));
	const packages = styles.flatMap((css) => css.match(/(?<=url\(')@fontsource\/[\w-]+/g) ?? []);
	expect(packages.length).toBeGreaterThan(0);
	for (const name of packages)
		expect(built('/fonts/OFL.txt'), 'public/fonts/OFL.txt').toContain(readFileSync(`node_modules/${name}/LICENSE`, 'utf8'));
});

/** Returns the file in `content/` with the text of an address. */
function fileOf(path: string): string {
	const own = { [paths.skill]: SKILL, [paths.authMd]: AUTH, [paths.docs]: 'content/docs/index.mdx' }[path];
	if (own) return own;
	const page = path.replace(/\.md$/, '');
	if (page.startsWith(paths.docs)) return `content${page}.mdx`;
	const language = languageAt(path);
	if (page.startsWith(pathIn(language, paths.contact))) return `content/${language}/contact.yaml`;
	return `content/${language}/${page === pathIn(language, '/') ? 'home' : page.split('/').at(-1)}.mdx`;
}

test.each(languages.filter(isRightToLeft))(
	'in %s a mark keeps the parts of what may begin with a digit in their order',
	(language) => {
		const { meant, thanks, confirmation } = copyIn(language);
		const { team, visit, actions } = wordsIn(language);
		const ofTeam = [team.meant, team.noMail, team.noMailCall, team.agreed, ...Object.values(visit), actions.about];
		const advice = `content/${language}/*.yaml: write \\u200E before the brace, in double quotes.`;
		for (const text of [meant, thanks.sent.text, confirmation.subject, confirmation.reference, ...ofTeam])
			expect(text, advice).not.toMatch(/[^\u200E]\{(?!time)\w+\}/);
	},
);
