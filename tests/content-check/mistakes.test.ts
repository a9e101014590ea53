import { globSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkContent } from '../../src/content-check/check.ts';
import { components } from '../../src/content-check/rules/components.ts';
import type { Findings } from '../../src/content-check/rules/words.ts';
import { origin } from '../../src/facts/load.ts';
import { copyOfProject } from '../support/project-copy.ts';

/** The text of a page of documentation with each mistake. */
const pages = [
	'[here](/docs/send-a-laed)',
	'[here]()',
	'[here](javascript:alert\\(1\\))',
	'<iframe src="https://video.example/1" />',
	'<p onclick="alert(1)">x</p>',
	'<img src="/sign.svg" srcset="/sign.svg 1x, //images.example/2.png 2x" alt="" />',
	'[here](/opening%hours)',
	'[here](/docs/plain#what-too-send)',
	'## What [others](/docs) do',
	'![A desk](/desk.png)',
	'<img src="./photo.png" alt="A desk" />',
	'![A desk](https://images.example/desk.png)',
	'![](/sign.svg)',
	'# More\n\n```yaml\nkey: ${{ secrets.KEY }} {{ name }}\n```\n\nAnd `{{ $json.x }}`',
	'## One\n\n#### Two',
	'<When keys="soon">x</When>',
	'<when keys="issued">x</when>',
	'<Link too="path.docs" />',
	'From\n<Fact name="price.plan" />',
	'<Fact name={price.plans} />',
	'```sh\ncurl\n"{{links.getStatus}}"\n```',
	'At `{{link.getStatus}}`',
	'From {price.plans}.',
	'Hello {firstName}',
	'<Box kind="steps">\n\n- One\n- Two\n\n</Box>',
	'<Tabs label="Ways in">\n\nx\n\n</Tabs>',
	'<Tabs label="Ways in">\n\n<Tab title="">\n\nx\n\n</Tab>\n\n</Tabs>',
	'<Tabs label="From {{price.plans}}"><Tab title="A">x</Tab></Tabs>',
	'<Figure>\n\n![A desk](/sign.svg)\n\n</Figure>',
	'One<br>two',
	'<Samples of="getStatus" />',
	'<Tabs label="Ways">\n\n<Note>x</Note>\n\n</Tabs>',
];

const page = (title: string, order: number, prose: string) =>
	`---\ntitle: ${title}\ndescription: A page.\norder: ${order}\n---\n\n${prose}\n`;

/** Links that lead to places. */
const right = `[a](/docs/errors/invalid-lead), [b](/docs/errors#invalid-lead), [c](/docs/api#submitLead-email)

<When keys="none">

## Without keys

[d](#without-keys)

</When>
`;

/** The files that the test writes. */
const written: Record<string, string | Uint8Array> = {
	...Object.fromEntries(
		pages.map((prose, index) => [`content/docs/page-${index}.mdx`, page(`Page ${index}`, 9100 + index, prose)]),
	),
	'content/docs/plain.mdx': page('Plain', 9097, `## What to send\n\n${right}`),
	'content/docs/marked.mdx': `\uFEFF${page('Marked', 9098, 'x')}`,
	'content/docs/latin.mdx': Buffer.from(page('Café', 9090, 'x'), 'latin1'),
	'content/docs/keyed.mdx': page('Keyed', 9093, '## Two').replace('order', 'keywords:\n  tow: [cors]\norder'),
	'content/docs/colon.mdx': page('First: steps', 9091, 'x'),
	'content/docs/comma.mdx': page('Comma', 0, 'x').replace('order: 0', 'order: 10,5'),
	'content/docs/test-guides/first.mdx': page('First', 1, 'x'),
	'content/docs/errors/invalid-lead.mdx': page('Invalid', 1, 'x'),
	'content/docs/api/index.mdx': page('API', 31, 'x'),
	'content/docs/Opening hours.md': '# x',
	'content/docs/photo.png': 'x',
	'content/docs/images/Foto.JPG': 'x',
	'content/it/contact.yaml': 'title: Scriveteci\nintroduction: {{name}} di {x}\n',
	'content/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg">\n\t<path fill="var(--acent)" d="M0 0h32v12z" />\n</svg>\n',
	'public/Prices #1 (100%).pdf': 'x',
	'public/contact.html': 'x',
	'public/sign.svg': 'x',
};

type Edits = Record<string, [search: RegExp | string, replacement: string][]>;

/** The changes of our own files, but for the English words. */
const edits: Edits = {
	'content/docs/send-a-lead.mdx': [[/^title:.*\n/m, '']],
	'content/en/not-found.mdx': [
		['title: This page does not exist', 'title: "{{name}}"'],
		[/$/, '\n[Privacy](/privacy)\n'],
	],
	'content/en/home.mdx': [[/h1>/g, 'h2>']],
	'content/auth.mdx': [['to="link.llmsTxt"', 'to="link.llmsTxtt"']],
	'content/skills/send-a-lead/SKILL.mdx': [
		['"list.fields"', '"list.filds"'],
		['name: send-a-lead', 'name: send-leads'],
	],
	'content/nl/contact.yaml': [
		[/^    - .*$/m, ''],
		[/^  clinic:\n    label: .*/m, '\n'],
		[/(?<=^errorTitle: ).*/m, 'Fout'],
		[/(?<=^  consent_required: ).*/m, '"Vink {label} aan."'],
		['{{email.privacy}}', 'x'],
		['{when}', '{ when }'],
	],
	'content/ar/contact.yaml': [
		[/(?<=^  answer:\n(    .*\n)*)    many: .*/m, '    many: x'],
		[/(?<=^  answer:\n(    .*\n)*)    few: .*/m, ''],
	],
	'content/ar/site.yaml': [[/(?<=^withinWorkingDays:\n(  .*\n)*)  few: .*/m, '']],
	'content/ja/contact.yaml': [[/(?<=^  answer:\n)/m, '    few: "{count}"\n']],
	'content/nl/home.mdx': [['(#prices)', '(#pricse)']],
	'content/palette.yaml': [
		[/accent-strong: .*/, "accent-strong: '#33669'"],
		[/(?<=muted: )'(.*)'/, '$1'],
	],
};

/** The changes of the English words: translations are compared with them while they are right. */
const englishEdits: Edits = {
	'content/en/contact.yaml': [
		['too_long: Use at most {max} characters for “{label}”.', 'too_long: {label}'],
		['email: { label', 'emial: { label'],
		['    message: { label: What does', '    consent: { label: What does'],
		['write to {email}', 'write to {mail}'],
		['{{price.plans}}', '{{price.plan}}'],
	],
};

test('all mistakes are told at once, in the words of mistakes.txt, without our own texts, their lines and names of files and fields', async () => {
	/** The lines of the changes, by file. */
	const changed = new Map<string, number[]>();
	await using copy = await copyOfProject();
	for (const language of ['ar', 'it', 'ja', 'nl']) await copy.addLanguage(language);
	await rm(copy.at('content/it/home.mdx'));
	for (const [file, content] of Object.entries(written)) await copy.write(file, content);
	const found: Findings[] = [];
	for (const round of [edits, englishEdits]) {
		for (const [file, changes] of Object.entries(round)) {
			const before = await readFile(copy.at(file), 'utf8');
			const lines = changes.map(([search]) => before.split(search)[0]!.split('\n').length);
			changed.set(file, lines);
			for (const change of changes) await copy.edit(file, ...change);
		}
		found.push(checkContent(copy.at(''), origin));
	}
	const lineOf = (place: string, file: string, line: string) =>
		file in written ? place : `${file}:${changed.get(file)?.includes(Number(line)) ? 'CHANGED' : 'LINE'}`;
	const wordsOf = (name: 'mistakes' | 'untranslated') =>
		[...new Set(found.flatMap((findings) => findings[name]))]
			.map((line) =>
				line
					.replace(/^(\S+?\.\w+):(\d+)/, lineOf)
					.replaceAll(/“[^”]*”/g, '“…”')
					.replace(/(?<=wanted .*one of ).*/, '…'),
			)
			.toSorted()
			.join('\n');
	const words = `${wordsOf('mistakes')}\n\nNot translated yet:\n${wordsOf('untranslated')}\n`;
	await expect(words).toMatchFileSnapshot('mistakes.txt');
	expect(found[0]!.mistakes[0], 'what causes others is first').toContain('is not valid YAML');
	expect(found[0]!.untranslated[0]).toContain('the file of this name');
});

test('a build stops at a mistake in the facts, and tells the others with it, such as files that are not there', async () => {
	await using copy = await copyOfProject();
	const missing = ['palette.yaml', 'logo.svg', 'auth.mdx'];
	for (const file of missing) await rm(copy.at(`content/${file}`));
	await copy.edit('content/service.yaml', /sales: .*/, 'sales: sales.website.example');
	const { code, output } = await copy.build();
	expect(code).toBe(1);
	expect(output).toMatch(/content\/service\.yaml:\d+ emails\.sales: found "sales\.website\.example", wanted an email address/);
	for (const file of missing)
		expect(output).toContain(`content/${file}: found nothing, wanted the file of this name: the site needs it.`);
	expect(output).not.toMatch(/the fact |Stack trace|unhandled error/);
});

test('the check knows each component for prose, and no other', () => {
	const files = globSync('src/site/prose/*.astro').map((file) => path.basename(file, '.astro'));
	expect(Object.keys(components).toSorted()).toEqual(files.toSorted());
});
