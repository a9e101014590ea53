import { globSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkContent } from '../../src/content-check/check.ts';
import { components } from '../../src/content-check/rules/components.ts';
import { type Findings, recordTranslations } from '../../src/content-check/rules/translations.ts';
import { copyIn, origin } from '../../src/facts/load.ts';
import { copyOfProject } from '../support/project-copy.ts';

const COLOUR = "wanted a colour in quotes, such as '#336699', 'rgb(…)' or 'hsl(…)'.";
const OURS = 'wanted a link in its place, or nothing: pages load nothing from other sites, and bring no code or style.';

const PATH = 'wanted a path of ours such as /docs, or a URL that begins with https:, mailto: or tel:.';
const IMPORT = 'wanted an import by its path from this page, or another first word than import and export.';
const ROWS = ':9: found a table that shows as text, wanted a second line, | - | - |, with as many cells as its first.';
const MARK = 'a mark that shows as text, wanted ## or - first in its line, an ordinary space behind it.';
const LINK = 'a link that shows as text, wanted (its address) right behind [its words], with %20 in the place of each space.';
const meant = (name: string) => `one that exists: did you mean ${name}?`;

/** What is found in a page of documentation, in line 7 if it names no other, by the text of the page. */
const prose: Record<string, string> = {
	'[here](/docs/send-a-laed)': `the link /docs/send-a-laed, wanted ${meant('/docs/send-a-lead')}`,
	'[here]()': `a link to nothing, ${PATH}`,
	'[here](javascript:alert\\(1\\))': `the link javascript:alert(1), ${PATH}`,
	'<p onclick="alert(1)">x</p>': `<p onclick="alert(1)">, ${OURS}`,
	'<img src="/sign.svg" srcset="/sign.svg 1x, //images.example/2.png 2x" alt="" />': `<img srcset="/sign.svg 1x, //images.example/2.png 2x">, ${OURS}`,
	'[here](/nl/contact#nmae=Ana)': `the link /nl/contact#nmae=Ana, wanted a field of the form, ${meant('name')}`,
	'[here](/contact#consent=on)': 'the link /contact#consent=on, wanted a field of the form, one of …',
	'[here](/opening%hours)': 'the link /opening%hours, wanted a path that is published, such as /docs.',
	'[here](/docs/plain#what-too-send)': `the link /docs/plain#what-too-send, wanted a heading of content/docs/plain.mdx, ${meant('what-to-send')}`,
	'## [Others](/docs)': 'a link in the heading "Others", wanted it in the text below: the heading is the link to its own place.',
	'![A desk](/desk.png)': 'the image /desk.png, wanted a file of public/, one of …',
	'<img src="./photo.png" alt="A desk" />':
		'the image ./photo.png, wanted ![what it shows](./photo.png) for an image beside the page, or /photo.png for one in public/.',
	'![A desk](https://images.example/desk.png)':
		'the image https://images.example/desk.png, wanted an image of ours: pages load nothing from other sites.',
	'![](/sign.svg)':
		'the image /sign.svg without words, wanted ![what it shows](/sign.svg), or <img src="/…" alt="" /> where it only decorates.',
	'# More\n\n```yaml\nkey: ${{ secrets.KEY }} {{ name }}\n```\n\nAnd `{{ $json.x }}`':
		'"More" as a heading of level 1, wanted level 2 (## More): the page has its heading of level 1.',
	'## One\n\n#### Two': ':9: found "Two" as a heading of level 4, wanted level 3 (### Two): the one above is of level 2.',
	'<When keys="soon">x</When>': '<When keys="soon">, wanted one of …',
	'<link to="path.docs" />': `the component <link>, wanted ${meant('Link')}`,
	'<h2>\n  More\n</h2>': 'the text of <h2> on lines of its own, wanted <h2>…</h2> on one line.',
	'<Link too="path.docs" />': `<Link too="…">, wanted an attribute of Link, ${meant('to')}`,
	'From\n<Fact name="price.plan" />': `:8: found <Fact name="price.plan">, wanted ${meant('price.plans')}`,
	'<Fact name={price.plans} />': '<Fact> without name in quotes, wanted <Fact name="…">.',
	'```sh\ncurl\n"{{links.getStatus}}"\n```': `:9: found the fact links.getStatus, wanted ${meant('link.getStatus')}`,
	'At `{{link.getStatus}}`': '{{link.getStatus}}, wanted <Fact name="…" />: only blocks of code know {{…}}.',
	'From {price.plans}.': '{price.plans} in prose, wanted <Fact name="price.plans" />.',
	'Hello {firstName}': '{firstName} in prose, wanted \\{firstName\\} for the braces themselves, or <Fact name="…" />.',
	'<Box kind="steps">\n\n- One\n- Two\n\n</Box>':
		'other content in <Box kind="steps">, wanted a list alone whose entries begin with 1., 2., and so on.',
	'<Tabs label="Ways in">\n\nx\n\n</Tabs>': 'other content in <Tabs>, wanted a <Tab title="…"> around each part.',
	'<Tabs label="x">\n\n<Tab title="">\n\nx\n\n</Tab>\n\n</Tabs>': ':9: found <Tab title="">, wanted words between the quotes.',
	'<Tabs label="From {{price.plans}}"><Tab title="A">x</Tab></Tabs>':
		'<Tabs label="From {{price.plans}}">, wanted the words themselves: facts go into the text, not into attributes.',
	'<Tab title="By form">\n\nx\n\n</Tab>': '<Tab>, wanted it directly inside <Tabs>.',
	'<Hero><Slip slot="outcome" caption="x">y</Slip></Hero>': '<Slip slot="outcome">, wanted it directly inside <Call>.',
	'<Slip slot="result" caption="x">y</Slip>': '<Slip slot="result">, wanted one of …',
	'| a | b |\n| - | - |\n| 1 |': ':9: found cells in this row: 1, wanted 2, as in the first row.',
	'- | a | b |\n  | - | - |\n  | 1 | 2\\|2 |\n  | 1 | 2 | 3 |':
		':10: found cells in this row: 3, wanted 2, as in the first row: write \\| for a line within a cell.',
	'x\n\n| a | b |\n| --- |\n| 1 | 2 |': ROWS,
	'x\n\n| a | b |\n| 1 | 2 |': ROWS,
	'<Figure>\n\n![A desk](/sign.svg)\n\n</Figure>':
		'other content in <Figure>, wanted an image, ![what it shows](./file.png), an empty line, and the words below the image.',
	'One<br>two':
		'a syntax error, wanted valid MDX. Expected a closing tag for `<br>` (7:4) before the end of `paragraph`. Write \\{ or \\< for what shows, " for “.',
	'<Samples of="getStatus" />': 'the component <Samples>, wanted its import, as in content…',
	'import Samples from \'../../../src/site/reference/Samples.astro\'\n\n<Samples of="getStatus" />': `import Samples from '../../../src/site/reference/Samples.astro', ${IMPORT}`,
	'export the list\nfirst.': `export the list, ${IMPORT}`,
	...Object.fromEntries(['##\u00a0Week', '##Week', '\u200b## Week', '\u200b- One', '•\tOne'].map((text) => [text, MARK])),
	'- [b](/docs) and `[c](/d e)`\n- [a](/docs/send a lead)': `:8: found ${LINK}`,
	'[a] (/docs)': LINK,
	'[here](http://www.localhost:4321/docs#top)':
		'the link http://www.localhost:4321/docs#top, wanted /docs#top: a path leads to this site at every address.',
	'**<Fact name="name">our name**</Fact>': 'words in <Fact>, wanted <Fact … /> alone: it has words of its own.',
	'<Tabs label="Ways">\n\n<Note>x</Note>\n\n</Tabs>': ':9: found the component <Note>, wanted one of …',
};
for (const name of ['audio', 'base', 'embed', 'frame', 'iframe', 'meta', 'object', 'script', 'style', 'video'])
	prose[`<${name} src="https://video.example/1" />`] = `<${name}>, ${OURS}`;

const page = (title: string, order: number, prose: string) =>
	`---\ntitle: ${title}\ndescription: A page.\norder: ${order}\n---\n\n${prose}\n`;

/** Titles that YAML reads otherwise than they look, by the name of their page. */
const lines = { anchor: '&Sons', comment: 'Suite #200', hidden: '!Now', twice: 'A\ntitle: B', wrapped: 'A\nand B' };

/** Links that lead to places. */
const right = `[a](/docs/errors/invalid-lead), [b](/docs/errors#invalid-lead), [c](/docs/api#submitLead-email), [d](#what-to-send-1), [f](/.well-known/assetlinks.json), [g](/contact#name=Ana%20Ruiz&message=%23), [h](/nl/contact#consent)

<When keys="none">

## Without keys

[e](#without-keys)

</When>

| Day |
| - |
| • Monday<br/>• Sunday |

## What to send
`;

const written: Record<string, string | Uint8Array> = {
	'content/docs/plain.mdx': page('Plain', 9097, `## What to send\n\n${right}`),
	'content/docs/marked.mdx': `\uFEFF${page('Marked', 9098, 'x').replaceAll('---', '--- ')}`,
	'content/docs/latin.mdx': Buffer.from(page('Café', 9090, 'x'), 'latin1'),
	'content/docs/utf16.mdx': Buffer.from('x', 'utf16le'),
	'content/docs/merged.mdx': page('Merged', 9089, '>>>>>>> feature'),
	...Object.fromEntries(Object.entries(lines).map(([name, title]) => [`content/docs/${name}.mdx`, page(title, 9088, 'x')])),
	'content/docs/keyed.mdx': page('Keyed', 9093, '## Two').replace('order', 'keywords:\n  tow: [cors]\norder'),
	'content/docs/colon.mdx': page('First: steps', 9091, 'x'),
	'content/docs/comma.mdx': page('Comma', 0, 'x').replace('order: 0', 'order: 10,5'),
	'content/docs/test-guides/first.mdx': page('First', 1, 'x'),
	'content/docs/errors/invalid-lead.mdx': page('Invalid', 1, 'x'),
	'content/docs/api/index.mdx': page('API', 31, 'x'),
	'content/docs/Opening hours.md': '# x',
	'content/docs/First Steps/index.mdx': page('First', 1, 'x'),
	'content/docs/photo.png': 'x',
	'content/docs/images/Foto.JPG': 'x',
	'content/it/contact.yaml': 'title: Scriveteci\nintroduction: {{name}} di {x}\n',
	'content/logo.svg':
		'<svg xmlns="http://www.w3.org/2000/svg" style="fill: red">\n\t<path fill="var(--acent)" d="M0 0h32v12z" />\n</svg>\n',
	'public/Prices #1 (100%).pdf': 'x',
	'public/contact.html': 'x',
	'public/sign.svg': 'x',
	'public/.well-known/assetlinks.json': '[]',
};
const inProse: string[] = [];
for (const [index, [text, finding]] of Object.entries(prose).entries()) {
	written[`content/docs/page-${index}.mdx`] = page(`Page ${index}`, 9100 + index, text);
	inProse.push(`content/docs/page-${index}.mdx${finding.startsWith(':') ? '' : ':7: found '}${finding}`);
}

type Edit = [file: string, search: RegExp | string, replacement: string];

/** The changes of our own files, but for the English words. */
const edits: Edit[] = [
	['content/docs/send-a-lead.mdx', /^title:.*\n/m, ''],
	['content/en/not-found.mdx', /^title: .*/m, 'title: "{{name}}"'],
	['content/en/not-found.mdx', /$/, '\n[Privacy](/privacy)\n'],
	['content/service.yaml', /$/, '\nrecording:\n  file: /cal.mp3\n  transcript: x\n'],
	['content/en/home.mdx', /<h1>[^]*<\/h1>/, '<h2>Home</h2>'],
	['content/auth.mdx', 'to="link.llmsTxt"', 'to="link.llmsTxtt"'],
	['content/skills/send-a-lead/SKILL.mdx', '{{name}}', '{{nam}}'],
	['content/skills/send-a-lead/SKILL.mdx', 'name: send-a-lead', 'name: send-leads'],
	['content/nl/contact.yaml', /^    - .*$(?!\n    - )/m, ''],
	['content/nl/contact.yaml', /^  clinic:\n    label: .*/m, '\n'],
	['content/nl/contact.yaml', /(?<=^errorTitle: ).*/m, 'Fout'],
	['content/nl/contact.yaml', /(?<=^  consent_required: ).*/m, '"Vink {label} aan."'],
	['content/nl/contact.yaml', '{{email.privacy}}', 'x'],
	['content/nl/contact.yaml', /^submit: .*/m, 'submit: Vraag &amp; <b>antwoord'],
	['content/nl/contact.yaml', '{when}', '{ when }'],
	['content/ar/contact.yaml', /(?<=^  answer:\n(    .*\n)*)    many: .*/m, '    many: x'],
	['content/ar/contact.yaml', /(?<=^  answer:\n(    .*\n)*)    few: .*/m, ''],
	['content/ar/site.yaml', /(?<=^withinWorkingDays:\n(  .*\n)*)  few: .*/m, ''],
	['content/ja/contact.yaml', /(?<=^  answer:\n)/m, '    few: "{count}"\n'],
	['content/ja/home.mdx', /\(#.*?\)/, '(#prïcse)'],
	['content/palette.yaml', /accent-strong: .*/, "accent-strong: '#33669'"],
	['content/palette.yaml', /(?<=muted: )'(.*)'/, '$1'],
];

/** The changes of the English words: translations are compared with them while they are right. */
const englishEdits: Edit[] = [
	['content/en/contact.yaml', /^  too_long: .*/m, '  too_long: {label}'],
	['content/en/contact.yaml', 'email: { label', 'emial: { label'],
	['content/en/contact.yaml', /^    message: (?=\{ label)/m, '    consent: '],
	['content/en/contact.yaml', /(?<=^  unavailable:\n.*\n    text: .*)\{email\}/m, '{mail}'],
	['content/en/contact.yaml', '{{price.plans}}', '{{price.plan}}'],
];

/** What is found in these files and changes. */
const others = [
	'content/auth.mdx:CHANGED: found <Link to="link.llmsTxtt">, wanted one that exists: did you mean link.llmsTxt?',
	...['Opening hours.md', 'First Steps/index.mdx'].map(
		(name) =>
			`content/docs/${name}: found a file that nothing reads, wanted a page such as content/docs/first-steps.mdx (small letters, digits and hyphens), a file of a language such as content/pt-BR/site.yaml, an image, or a download in public/.`,
	),
	'content/docs/api.mdx: found the same address as content/docs/api/index.mdx, wanted another name.',
	'content/docs/colon.mdx:2 is not valid YAML: put the value in quotes if it has a colon, or correct the indentation.',
	'content/docs/comma.mdx:4 order: found "10,5", wanted a number, such as 10 or 0.5.',
	'content/docs/errors/invalid-lead.mdx: found a page among those of problems, wanted another folder than content/docs/errors.',
	'content/docs/utf16.mdx: found bytes that are not UTF-8, wanted the file saved as UTF-8.',
	...['title', 'description', 'order'].map(
		(field) =>
			`content/docs/utf16.mdx:1 ${field}: found nothing, wanted ${field === 'order' ? 'a number, such as 10 or 0.5' : 'some words'}.`,
	),
	'content/docs/merged.mdx:7: found two versions that git could not merge, wanted one of …',
	...['anchor', 'comment', 'hidden'].map(
		(name) =>
			`content/docs/${name}.mdx:2 is not valid YAML: put the whole value in quotes, in double ones if it has an apostrophe.`,
	),
	'content/docs/twice.mdx:3 is not valid YAML: leave one of the lines with this name.',
	'content/docs/wrapped.mdx:3 is not valid YAML: write a colon and a space behind the name, or spaces in front of what goes on with the text above.',
	'content/docs/keyed.mdx:5: found the keywords of tow, wanted a heading of content/docs/keyed.mdx, one that exists: did you mean two?',
	'content/docs/latin.mdx: found bytes that are not UTF-8, wanted the file saved as UTF-8.',
	'content/docs/send-a-lead.mdx:CHANGED title: found nothing, wanted some words.',
	'content/docs/test-guides: found no index.mdx, wanted one: it gives the folder its title and its place.',
	'content/en/contact.yaml:CHANGED accessRequest.fields.consent: found a member that does not exist, wanted one of …',
	'content/en/contact.yaml:CHANGED errors.too_long: found {}, wanted words, in quotes if they begin with {.',
	'content/en/contact.yaml:CHANGED fields.emial: found a member that does not exist, wanted one that exists: did you mean email?',
	'content/en/contact.yaml:CHANGED notices.unavailable.text: found {mail}, wanted {email}.',
	'content/en/contact.yaml:LINE introduction: found the fact price.plan, wanted one that exists: did you mean price.plans?',
	'content/en/home.mdx:CHANGED: found "Home" as a heading of level 2, wanted level 1 (# Home): the page has no other heading above.',
	'content/en/not-found.mdx:CHANGED title: found "{{name}}", wanted the words themselves: a page shows this as it is.',
	'content/it/contact.yaml:2 is not valid YAML: put the whole value in quotes, in double ones if it has an apostrophe.',
	'content/logo.svg:1: found <svg> without viewBox, wanted <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 width height">.',
	'content/logo.svg:1: found style=, wanted fill="…" in each shape: pages take no style in the logo.',
	'content/logo.svg:2: found var(--acent), wanted one that exists: did you mean --accent?',
	...['&amp;', '<b>'].map(
		(code) =>
			`content/nl/contact.yaml:CHANGED submit: found ${code}, wanted plain words: a page or a mail would show this as it is.`,
	),
	'content/nl/contact.yaml:CHANGED notices.limited.text: found { when }, wanted {email} or {when}.',
	'content/ja/home.mdx:CHANGED: found the link #prïcse, wanted a heading of content/ja/home.mdx, one that exists: did you mean prïcës?',
	`content/palette.yaml:CHANGED light.accent-strong: found "#33669", ${COLOUR}`,
	`content/palette.yaml:CHANGED light.muted: found nothing, ${COLOUR}`,
	'content/service.yaml: found the recording /cal.mp3, wanted a file of public/, one of …',
	'content/skills/send-a-lead/SKILL.mdx:CHANGED name: found "send-leads", wanted "send-a-lead".',
	'content/skills/send-a-lead/SKILL.mdx:CHANGED: found the fact nam, wanted one that exists: did you mean name?',
	'public/Prices #1 (100%).pdf: found a name that addresses must escape, wanted letters from a to z, digits, hyphens, dots and underscores.',
	'public/contact.html: found the same address as a page, wanted another name.',
];

/** What is found where only a translation is missing. */
const untranslated = [
	'content/ar/contact.yaml:CHANGED next.answer.many: found no {count}, wanted it, as in English “…”.',
	'content/ar/contact.yaml:LINE next.answer.few: found nothing, wanted the words for numbers such as 3, 4, and 5: in English “…”.',
	'content/ar/site.yaml:LINE withinWorkingDays.few: found nothing, wanted the words for numbers such as 3, 4, and 5: in English “…”.',
	'content/it/home.mdx: found nothing, wanted the translation of content/en/home.mdx.',
	'content/nl/contact.yaml:CHANGED errorTitle: found no {title}, wanted it, as in English “…”.',
	'content/nl/contact.yaml:LINE confirmation.text: found no {{email.privacy}}, wanted it, as in English “…”.',
	'content/nl/contact.yaml:LINE fields.clinic.label: found nothing, wanted the translation of the English “…”.',
	`content/nl/contact.yaml:LINE next.steps.${copyIn('en').next.steps.length - 1}: found nothing, wanted the translation of the English “…”.`,
];

test('all mistakes at once are found, and nothing else; what causes others comes first, and what only lacks its translation is told apart', async () => {
	/** The places of the changes: file and line. */
	const changed = new Set<string>();
	await using copy = await copyOfProject();
	for (const language of ['ar', 'it', 'ja', 'nl']) await copy.addLanguage(language);
	recordTranslations(copy.at(''), ['ar', 'it', 'ja', 'nl']);
	await rm(copy.at('content/it/home.mdx'));
	for (const [file, content] of Object.entries(written)) await copy.write(file, content);
	const rounds: Findings[] = [];
	for (const round of [edits, englishEdits]) {
		for (const [file, search, replacement] of round) {
			const [above] = (await readFile(copy.at(file), 'utf8')).split(search);
			changed.add(`${file}:${above!.split('\n').length}`);
			await copy.edit(file, search, replacement);
		}
		rounds.push(checkContent(copy.at(''), origin));
	}
	const lineOf = (place: string, file: string) =>
		file in written ? place : `${file}:${changed.has(place) ? 'CHANGED' : 'LINE'}`;
	/** Leaves out words of ours and their lines. */
	const plain = (finding: string) =>
		finding
			.replace(/^(\S+?\.\w+):\d+/, lineOf)
			.replaceAll(/“[^”]*”/g, '“…”')
			.replace(/(?<=wanted .*(one of |as in content)).*/, '…');
	const found = (name: keyof Findings) => [...new Set(rounds.flatMap((findings) => findings[name].map(plain)))].toSorted();
	expect(found('mistakes')).toEqual([...inProse, ...others].toSorted());
	expect(found('untranslated')).toEqual(untranslated.toSorted());
	expect(rounds[0]!.mistakes.slice(0, 4).join()).toMatch(/not UTF-8.*git could not merge.*not UTF-8.*is not valid YAML/);
});

test('a build stops at a mistake in the facts, and tells the others with it, such as files that are not there', async () => {
	await using copy = await copyOfProject();
	const missing = ['palette.yaml', 'logo.svg', 'auth.mdx', 'docs/api.mdx'];
	for (const file of missing) await rm(copy.at(`content/${file}`));
	await copy.edit('content/service.yaml', /sales: .*/, 'sales: sales.website.example');
	await copy.edit('content/service.yaml', /^company: .*/m, 'company: Smith &amp; Sons');
	const { code, output } = await copy.build();
	expect(code).toBe(1);
	expect(output).toMatch(/content\/service\.yaml:\d+ emails\.sales: found "sales\.website\.example", wanted an email address/);
	expect(output).toContain('company: found "Smith &amp; Sons", wanted the words themselves: a page shows this as it is.');
	for (const file of missing)
		expect(output).toContain(`content/${file}: found nothing, wanted the file of this name: the site needs it.`);
	expect(output).not.toMatch(/the fact |Stack trace|unhandled error/);
});

test('the check knows each component for prose, and no other', () => {
	const files = globSync('src/site/prose/*.astro').map((file) => path.basename(file, '.astro'));
	expect(Object.keys(components).toSorted()).toEqual(files.toSorted());
});
