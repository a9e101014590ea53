import { globSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkContent } from '../../src/content-check/check.ts';
import type { Findings } from '../../src/content-check/rules/files.ts';
import { components } from '../../src/content-check/rules/components.ts';
import { origin } from '../../src/facts/load.ts';
import { copyOfProject } from '../support/project-copy.ts';

/** A logo of which the test knows each line. */
const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
	<path fill="var(--accent)" d="M0 0h32v12z" />
	<path fill="var(--warm)" d="M0 32h32v-12z" />
</svg>
`;

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
	'<Tabs label="Ways in"><Tab title="A">x</Tab></Tabs>\n\n<Tabs label="ways in"><Tab title="B">x</Tab></Tabs>',
	'<Tabs label="From {{price.plans}}"><Tab title="A">x</Tab></Tabs>',
	'<Figure>\n\n![A desk](/sign.svg)\n\n</Figure>',
	'One<br>two',
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

/** The content of each file, or the change of it. */
const changes: Record<string, (string | Uint8Array | [search: RegExp | string, replacement: string])[]> = {
	'content/docs/latin.mdx': [Buffer.from(page('Café', 9090, 'x'), 'latin1')],
	'content/docs/send-a-lead.mdx': [[/^title:.*\n/m, '']],
	'content/en/not-found.mdx': [
		['title: This page does not exist', 'title: "{{name}}"'],
		[/$/, '\n[Privacy](/privacy)\n'],
	],
	'content/docs/keyed.mdx': [page('Keyed', 9093, '## Two').replace('order', 'keywords:\n  tow: [cors]\norder')],
	'content/docs/colon.mdx': [page('First: steps', 9091, 'x')],
	'content/en/contact.yaml': [
		['too_long: Use at most {max} characters for “{label}”.', 'too_long: {label}'],
		['email: { label', 'emial: { label'],
		['    message:\n      label: What we need', '    consent:\n      label: What we need'],
		['write to {email}', 'write to {mail}'],
		['{{price.plans}}', '{{price.plan}}'],
	],
	'content/it/contact.yaml': ['title: Scriveteci\nintroduction: {{name}} di {x}\n'],
	'content/docs/twin.mdx': [page('Twin', 30, 'x')],
	'content/docs/Opening hours.md': ['# x'],
	'public/Prices #1 (100%).pdf': ['x'],
	'public/contact.html': ['x'],
	'content/docs/test-guides/first.mdx': [page('First', 1, 'x')],
	'content/docs/errors/invalid-lead.mdx': [page('Invalid', 1, 'x')],
	'content/docs/api/index.mdx': [page('API', 31, 'x')],
	'content/en/home.mdx': [[/h1>/g, 'h2>']],
	'content/auth.mdx': [['to="link.apiReference"', 'to="link.apiReferenec"']],
	'content/skills/send-a-lead/SKILL.mdx': [
		['"list.fields"', '"list.filds"'],
		['name: send-a-lead', 'name: send-leads'],
	],
	'content/docs/comma.mdx': ['---\ntitle: Comma\ndescription: x\norder: 10,5\n---\n\nx\n'],
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
	'content/ja/contact.yaml': [[/(?<=^  answer:\n)/m, '    few: "{count}"\n']],
	'content/nl/home.mdx': [['(#prices)', '(#pricse)']],
	'content/palette.yaml': [
		[/accent-strong: .*/, "accent-strong: '#33669'"],
		[/(?<=muted: )'(.*)'/, '$1'],
	],
	'content/logo.svg': [
		[' viewBox="0 0 32 32"', ''],
		['var(--accent)', 'var(--acent)'],
	],
};

test('all mistakes are told at once, in the words of mistakes.txt, without our own texts, their lines and names of files and fields', async () => {
	/** The lines of all changes in the unchanged files. */
	const lines = new Map<string, number[]>();
	await using copy = await copyOfProject();
	await copy.write('content/logo.svg', logo);
	for (const language of ['ar', 'ja', 'nl']) await copy.addLanguage(language);
	for (const file of ['photo.png', 'images/Foto.JPG']) await copy.write(`content/docs/${file}`, 'x');
	await copy.write('public/sign.svg', 'x');
	await copy.write('content/docs/marked.mdx', `\uFEFF${page('Marked', 9098, 'x')}`);
	await copy.write('content/docs/plain.mdx', page('Plain', 9097, `## What to send\n\n${right}`));
	for (const [index, prose] of pages.entries())
		await copy.write(`content/docs/page-${index}.mdx`, page(`Page ${index}`, 9100 + index, prose));
	const found: Findings[] = [];
	// Translations are compared with the English words once those are right.
	for (const isEnglish of [false, true]) {
		for (const [file, texts] of Object.entries(changes).filter(([file]) => /^content\/en\/\w+\.yaml$/.test(file) === isEnglish)) {
			const edits = texts.filter((text) => Array.isArray(text));
			const before = edits.length > 0 ? await readFile(copy.at(file), 'utf8') : '';
			lines.set(
				file,
				edits.map(([search]) => before.split(search)[0]!.split('\n').length),
			);
			for (const text of texts) await (Array.isArray(text) ? copy.edit(file, ...text) : copy.write(file, text));
		}
		found.push(checkContent(copy.at(''), origin));
	}
	const isOurs = (file: string) => !/page-\d+\.mdx$/.test(file) && (changes[file]?.some(Array.isArray) ?? true);
	const lineOf = (place: string, file: string, line: string) =>
		isOurs(file) && line !== '1' ? `${file}:${lines.get(file)?.includes(Number(line)) ? 'CHANGED' : 'LINE'}` : place;
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
	expect(found[0]!.untranslated.findLastIndex((line) => line.includes('the file of this name'))).toBe(3);
});

test('a build stops at a mistake in the facts, and tells the others with it, such as files that are not there', async () => {
	await using copy = await copyOfProject();
	const missing = ['palette.yaml', 'logo.svg', 'auth.mdx'];
	for (const file of missing) await rm(copy.at(`content/${file}`));
	await copy.edit('content/service.yaml', /sales: .*/, 'sales: sales.website.example');
	await copy.edit('content/service.yaml', /^keys:/m, 'recording: { file: /call.mp3, transcript: x }\nkeys:');
	const { code, output } = await copy.build();
	expect(code).toBe(1);
	expect(output).toMatch(/content\/service\.yaml:\d+ emails\.sales: found "sales\.website\.example", wanted an email address/);
	expect(output).toMatch(/content\/service\.yaml:\d+ recording\.file: found "\/call\.mp3", wanted a file of public\//);
	for (const file of missing)
		expect(output).toContain(`content/${file}: found nothing, wanted the file of this name: the site needs it.`);
	expect(output).not.toMatch(/the fact |Stack trace|unhandled error/);
});

test('the check knows each component for prose, and no other', () => {
	const files = globSync('src/site/prose/*.astro').map((file) => path.basename(file, '.astro'));
	expect(Object.keys(components).toSorted()).toEqual(files.toSorted());
});
