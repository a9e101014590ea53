import { readFile } from 'node:fs/promises';
import { getFileInfo } from 'prettier';
import { beforeAll, describe, expect, test } from 'vitest';
import { copyOfAnotherBrand, firstDarkLine } from './another-brand.ts';

/** The messages for pages of documentation with one mistake each, on line 7 unless the message names another. */
const pages: Record<string, string> = {
	'7: found the link /docs/send-a-laed, wanted one that exists: did you mean /docs/send-a-lead?': '[here](/docs/send-a-laed)',
	'7: found the link /guides/agents, wanted one that exists: did you mean /docs/agents?': '[here](/guides/agents)',
	'7: found the link ./agents.mdx, wanted one that exists: did you mean /docs/agents?': '[here](./agents.mdx)',
	'7: found the link /contac, wanted one that exists: did you mean /contact?': '<a href="/contac">here</a>',
	'7: found a link to nothing, wanted a path of ours such as /docs, or a whole URL.': '[here]()',
	'7: found the link javascript:alert(1), wanted a path of ours such as /docs, or a URL that begins with https:, mailto: or tel:.':
		'[here](javascript:alert\\(1\\))',
	"7: found the link http://localhost:4321/docs, wanted the path alone, /docs: this host is the visitor's own machine.":
		'[here](http://localhost:4321/docs)',
	'8: found the reference [here][nope], wanted a name that a line such as `[name]: /docs` defines, or [words](/docs), or \\[ for the bracket itself.':
		'See \\[a][b], `[c][d]`, [e]\nand [here][nope]',
	'7: found the reference ][nope], wanted ': 'See [**here**][nope]',
	'7: found <iframe>, wanted a link in its place, or nothing: pages load nothing from other sites, and bring no code or style.':
		'<iframe src="https://video.example/1" />',
	'9: found <script>, wanted a link in its place, or nothing: ': 'x\n\n<script>alert(1)</script>',
	'7: found <p onclick="alert(1)">, wanted no onclick: pages bring no code or style.': '<p onclick="alert(1)">x</p>',
	'7: found <img srcset="/sign.svg 1x, //images.example/2.png 2x">, wanted a file of ours: pages load nothing from other sites.':
		'<img src="/sign.svg" srcset="/sign.svg 1x, //images.example/2.png 2x" alt="" />',
	'7: found the link /opening%hours, wanted a path that is published, such as /docs.': '[here](/opening%hours)',
	'7: found the link https://www.website.test/contac, wanted one that exists: did you mean /contact?':
		'[here](https://www.website.test/contac)',
	'7: found the link /docs/draft to a draft, wanted no link to it, or no `draft: true` in content/docs/draft.mdx.':
		'[here](/docs/draft)',
	'9: found the link #tow, wanted a heading of content/docs/PAGE.mdx, one that exists: did you mean two?':
		'## One\n\n[here](#tow)\n\n## Two',
	'7: found the link #tow, wanted a heading of content/docs/PAGE.mdx, but there is none.': '[here](#tow)',
	'7: found the link /docs/plain#what-too-send, wanted a heading of content/docs/plain.mdx, one that exists: did you mean what-to-send?':
		'[here](/docs/plain#what-too-send)',
	'7: found a link in the heading "What others do", wanted it in the text below: the heading is the link to its own place.':
		'## What [others](/docs) do',
	'7: found the image ./desk.png, wanted a file that exists: put it at content/docs/desk.png, or correct the name.':
		'![A desk](./desk.png)',
	'8: found the import ./desk.png, wanted a file that exists: put it at content/docs/desk.png, or correct the name.':
		"import './photo.png'\nimport desk from './desk.png'\n\nx",
	'7: found the image /desk.png, wanted a file of public/, one of /404.html, /Prices #1 (100%).pdf, /contact.html, /fi/sign.txt, /humans.txt, /sign.svg.':
		'![A desk](/desk.png)',
	'7: found the image ./photo.png, wanted ![what it shows](./photo.png) for an image beside the page, or /photo.png for one in public/.':
		'<img src="./photo.png" alt="A desk" />',
	'7: found the image https://images.example/desk.png, wanted an image of ours: pages load nothing from other sites.':
		'![A desk](https://images.example/desk.png)',
	'7: found the image /sign.svg without words, wanted ![what it shows](/sign.svg), or <img src="/…" alt="" /> where it only decorates.':
		'![](/sign.svg)',
	'7: found the image /sign.svg without words, wanted ![what it shows]': '<img src="/sign.svg" />',
	'7: found "More" as a heading of level 1, wanted level 2 (## More): the page has its heading of level 1.': '# More',
	'9: found "Two" as a heading of level 4, wanted level 3 (### Two): the one above is of level 2.': '## One\n\n#### Two',
	'7: found <When oauth="soon">, wanted one of live, planned.': '<When oauth="soon">x</When>',
	'7: found the component <when>, wanted one that exists: did you mean When?': '<when oauth="live">x</when>',
	'7: found the component <Card>, wanted one that exists: did you mean Cards?': '<Card>x</Card>',
	'7: found <Link> without to in quotes, wanted <Link to="…">.': '<Link too="path.docs" />',
	'8: found <Fact name="price.plan">, wanted one that exists: did you mean price.plans?': 'From\n<Fact name="price.plan" />',
	'7: found <Fact name="price.yearly">, wanted one of price.payAsYouGo, price.plans.': '<Fact name="price.yearly" />',
	'7: found <Link to="price.plans">, wanted one of ': '<Link to="price.plans" />',
	'7: found <Fact> without name in quotes, wanted <Fact name="…">.': '<Fact name={price.plans} />',
	'9: found the fact link.getStatsu, wanted one that exists: did you mean link.getStatus?':
		'```sh\ncurl\n"{{link.getStatsu}}"\n```',
	'7: found {{link.getStatus}}, wanted <code><Fact name="link.getStatus" /></code>': 'At `{{link.getStatus}}`',
	'7: found {price.plans} in prose, wanted <Fact name="price.plans" />.': 'From {price.plans}.',
	'7: found {{price.plans}} in prose, wanted <Fact name="price.plans" />.': 'From {{price.plans}}.',
	'7: found {firstName} in prose, wanted \\{firstName\\} for the braces themselves, or <Fact name="…" />.': 'Hello {firstName}',
	'7: found <Aside> without kind in quotes, wanted <Aside kind="…">.': '<Aside>\n\nx\n\n</Aside>',
	'9: found <Aside kind="warn">, wanted one that exists: did you mean warning?': 'x\n\n<Aside kind="warn">\n\nx\n\n</Aside>',
	'7: found <Aside> around nothing, wanted the words that are to be seen.': '<Aside kind="note" />',
	'7: found <Steps> around a list, wanted a list alone whose entries begin with 1., 2., and so on.':
		'<Steps>\n\n- One\n- Two\n\n</Steps>',
	'7: found <Steps> around numbered lines, text, wanted a list alone whose entries begin with 1., 2., and so on.':
		'<Steps>\n\n1. One\n\nSo it is.\n\n</Steps>',
	'7: found <Cards> around text, wanted a list alone, an entry for each card.': '<Cards>\n\n[One](/docs)\n\n</Cards>',
	'7: found <Tabs> around text, wanted a <Tab title="…"> around each part.': '<Tabs label="Ways in">\n\nx\n\n</Tabs>',
	'7: found <Tabs> around nothing, wanted a <Tab title="…"> around each part.': '<Tabs label="Ways in"></Tabs>',
	'7: found <Tab> alone, wanted <Tabs label="…"> around all that belong together.': '<Tab title="curl">\n\nx\n\n</Tab>',
	'9: found <Tab title="">, wanted words between the quotes.':
		'<Tabs label="Ways in">\n\n<Tab title="">\n\nx\n\n</Tab>\n\n</Tabs>',
	'9: found <Tabs label="ways in"> again, wanted another label: tabs of one label close each other.':
		'<Tabs label="Ways in"><Tab title="A">x</Tab></Tabs>\n\n<Tabs label="ways in"><Tab title="B">x</Tab></Tabs>',
	'7: found <Tabs label="From {{price.plans}}">, wanted the words themselves: facts stand in the text, not in attributes.':
		'<Tabs label="From {{price.plans}}"><Tab title="A">x</Tab></Tabs>',
	'7: found <Figure> around text, wanted an image, ![what it shows](./file.png), an empty line, and the words below the image.':
		'<Figure>\n\nA desk\n\n</Figure>',
	'7: found <Figure> around text, wanted an image, ': '<Figure>\n\n![A desk](/sign.svg)\n\n</Figure>',
	'9: found the image ./desk.png, wanted a file that exists: put it at content/docs/desk.png, or correct the name.':
		'<Figure>\n\n![A desk](./desk.png)\n\nOur desk\n\n</Figure>',
	'9: found the image /sign.svg without words, wanted ![what it shows](/sign.svg)':
		'<Figure>\n\n![](/sign.svg)\n\nOur desk\n\n</Figure>',
	'7: found what cannot be read, wanted valid MDX. Expected a closing tag for `<br>`': 'One<br>two',
};

const page = (title: string, order: number, prose: string) =>
	`---\ntitle: ${title}\ndescription: A page.\norder: ${order}\n---\n\n${prose}\n`;

/** Messages by file, each with the change of the file that causes it. A message that begins with a colon names that file. */
const changes: Record<string, Record<string, string | Uint8Array | [search: RegExp | string, replacement: string]>> = {
	'content/docs/latin.mdx': {
		': found bytes that are not UTF-8, wanted the file saved as UTF-8.': Buffer.from(page('Café', 90, 'x'), 'latin1'),
	},
	'content/da/contact.yaml': {
		': found bytes that are not UTF-8, wanted the file saved as UTF-8.': Buffer.from('title: Café', 'latin1'),
	},
	'content/docs/send-a-lead.mdx': {
		':2 title: found nothing, wanted some words.': [/^title:.*\n/m, ''],
	},
	'content/en/not-found.mdx': {
		':2 title: found "{{name}}", wanted the words themselves: facts are filled in below the dashes only.': [
			'title: This page does not exist',
			'title: "{{name}}"',
		],
		'content/ja/not-found.mdx:1: found no […](/privacy), wanted it once above the first heading, as in content/en/not-found.mdx:15.':
			[/$/, '\n[Privacy](/privacy)\n'],
	},
	'content/docs/agents.mdx': {
		':5 draf: found a member that does not exist, wanted one that exists: did you mean draft?': [
			'order: 20',
			'order: 20\ndraf: true',
		],
	},
	'content/docs/yes.mdx': {
		':4 draft: found "yes", wanted true or false.': page('Yes', 92, 'x').replace('order', 'draft: yes\norder'),
	},
	'content/sv/contact.yaml': {
		':3 is not valid YAML: All mapping items must start at the same column.': "fields:\n  name: '{a}'\n phone: '{b}'\n",
	},
	'content/docs/colon.mdx': {
		':2 is not valid YAML: put the value in quotes if it has a colon, or correct the indentation.': page('First: steps', 91, 'x'),
	},
	'content/en/contact.yaml': {
		':LINE too_long: found {label}, wanted it in quotes.': [
			'too_long: Use at most {max} characters for “{label}”.',
			'too_long: {label}',
		],
		':LINE required: found {label}: this field is needed., wanted it in quotes.': [
			'required: Fill in “{label}”.',
			'required: {label}: this field is needed.',
		],
		':LINE fields.emial: found a member that does not exist, wanted one that exists: did you mean email?': [
			'email: { label',
			'emial: { label',
		],
		' accessRequest.fields.consent: found a member that does not exist, wanted one of clinic, country, email, lang, message, name, phone, source, website.':
			['    message:\n      label: What we need', '    consent:\n      label: What we need'],
		':LINE accessRequest.fields.clinik: found a member that does not exist, wanted one that exists: did you mean clinic?': [
			'clinic: { label: Clinic or',
			'clinik: { label: Clinic or',
		],
		':LINE accessRequest.link: found the fact scope, wanted one that exists: did you mean scopes?': [
			'link: Ask for API',
			'link: Ask for {{scope}}',
		],
		':LINE errors.clinic_requierd: found a member that does not exist, wanted one that exists: did you mean clinic_required?': [
			'clinic_required:',
			'clinic_requierd:',
		],
		':LINE notices.unavailable.text: found {mail}, wanted {email}.': ['write to {email}', 'write to {mail}'],
		':8 introduction: found the fact price.plan, wanted one that exists: did you mean price.plans?': [
			'{{price.plans}}',
			'{{price.plan}}',
		],
	},
	'content/it/contact.yaml': {
		':2 is not valid YAML: put the words of introduction in quotes.': 'title: Scriveteci\nintroduction: {{name}} di {x}\n',
	},
	'content/en/privacy.mdx': {
		':4 is not valid YAML: Missing closing "quote.': [/^title: /m, 'title: "'],
	},
	'content/docs/twin.mdx': {
		':4: found order: 30, as in content/docs/api.mdx, wanted another number, such as ': page('Twin', 30, 'x'),
	},
	'content/docs/Opening hours.md': {
		': found a file that is no page, wanted the name opening-hours.mdx.': '# x',
	},
	'content/docs/more.mdx.txt': {
		': found a file that is no page, wanted the name more.mdx.': 'x',
	},
	'content/docs/plan.pdf': {
		': found a file that is no page, wanted a page (.mdx) or an image; what is to be downloaded lies in public/.': 'x',
	},
	'content/docs/My photo ü.png': {
		': found a name that addresses cannot hold as it is, wanted letters from a to z, digits, hyphens, dots and underscores, such as content/docs/My-photo-u.png.':
			'x',
	},
	'public/Prices #1 (100%).pdf': {
		': found a name that addresses cannot hold as it is, wanted letters from a to z, digits, hyphens, dots and underscores, such as public/Prices-1-100-.pdf.':
			'x',
	},
	'public/404.html': { ': found the same address as a page, wanted another name.': 'x' },
	'public/contact.html': { ': found the same address as a page, wanted another name.': 'x' },
	'content/docs/guides/first.mdx': {
		'content/docs/guides: found no index.mdx, wanted one: it gives the folder its title and its place.': page('First', 1, 'x'),
	},
	'content/docs/api/index.mdx': {
		': found the same address as content/docs/api.mdx, wanted one of the two.': page('API', 31, 'x'),
	},
	'content/docs/api/explorer.mdx': {
		': found the same address as src/pages/docs/api/explorer.astro, wanted another name.': page('Explorer', 1, 'x'),
	},
	'content/en/about.mdx': {
		': found a file that nothing reads, wanted one of contact.yaml, home.mdx, not-found.mdx, privacy.mdx, site.yaml.': page(
			'About',
			1,
			'x',
		),
	},
	'content/en/home.mdx': {
		':10: found "" as a heading of level 2, wanted <h1>: the page has no other heading above.': [/h1>/g, 'h2>'],
	},
	'content/auth.md': {
		':LINE: found the fact link.apiReferenec, wanted one that exists: did you mean link.apiReference?': [
			'{{link.apiReference}}',
			'{{link.apiReferenec}}',
		],
		': found <!-- oauth: soon -->, wanted <!-- oauth: planned --> or <!-- oauth: live -->, and after it <!-- /oauth -->.': [
			/$/,
			'\n<!-- oauth: soon -->\nx\n<!-- /oauth -->\n',
		],
	},
	'content/skills/send-a-lead/SKILL.md': {
		':LINE: found the fact list.filds, wanted one that exists: did you mean list.fields?': ['{{list.fields}}', '{{list.filds}}'],
		':LINE name: found "send-leads", wanted "send-a-lead".': ['name: send-a-lead', 'name: send-leads'],
	},
	'content/docs.yaml': {
		':LINE previus: found a member that does not exist, wanted one that exists: did you mean previous?': [
			'previous:',
			'previus:',
		],
		':LINE updated: found "Last updated recently", wanted words with {date} in them.': ['on {date}', 'recently'],
		':LINE search.field: found please behind a comma, without a value, wanted quotes around all the words, if the comma is one of theirs.':
			[
				/^search:\n(  .*\n)+/m,
				'search: { label: Search, field: Search, please, count: "{count}", nothing: "{words}", failed: x }\n',
			],
	},
	'content/docs/comma.mdx': {
		':4 order: found 10,5 with a comma, wanted 10.5.': '---\ntitle: Comma\ndescription: x\norder: 10,5\n---\n\nx\n',
	},
	'content/en/site.yaml': {
		':LINE tagilne: found a member that does not exist, wanted one that exists: did you mean tagline?': [
			/^tagline:/m,
			'tagilne:\ntagline:',
		],
	},
	'content/german/site.yaml': {
		'content/german: found a name that is no language, wanted the tag of one (BCP 47), such as de.': 'x',
	},
	'content/pages/home.mdx': {
		'content/pages: found a name that is no language, wanted the tag of one (BCP 47), such as de.': 'x',
	},
	'content/de_AT/x': {
		'content/de_AT: found a tag that is usually written in another way, wanted the name de-AT.': 'x',
	},
	'content/zh-hant/x': {
		'content/zh-hant: found a tag that is usually written in another way, wanted the name zh-Hant.': 'x',
	},
	'content/pt-br/contact.yaml': {
		'content/pt-br: found the same language as content/pt-BR, wanted one of the two.': 'x',
	},
	'public/fi/sign.txt': {
		'content/fi: found the same address as public/fi, wanted another name for that.': 'x',
	},
	'content/cs.yaml': {
		': found a file that nothing reads, wanted a folder of the language, content/cs, with contact.yaml, home.mdx, not-found.mdx, privacy.mdx, site.yaml.':
			'x',
	},
	'content/servce.yaml': {
		': found a file that nothing reads, wanted one that exists: did you mean service.yaml?': 'x',
	},
	'content/uk/site.yml': {
		'content/uk/home.mdx: found nothing, wanted content/en/home.mdx in Ukrainian.': 'x',
	},
	'content/uk/hom.mdx': {
		': found a file that nothing reads, wanted one that exists: did you mean home.mdx?': 'x',
	},
	'content/nl/contact.yaml': {
		':1 submit: found nothing, wanted what is in English “Send message”.': [/^submit: .*/m, ''],
		':LINE optional: found nothing, wanted what is in English “optional”.': [/(?<=^optional:).*/m, ''],
		':1 thanks.back: found nothing, wanted what is in English “See how a call is answered”.': [/^thanks:/m, 'thankss:'],
		'wanted what is in English “A person from our sales team reads what you wrote. The answer comes by email, from {email}.”.': [
			/^    - .*$/m,
			'',
		],
		' fields.clinic.label: found nothing, wanted what is in English “Clinic”.': [/^  clinic:\n    label: .*/m, '\n'],
		':LINE errorTitle: found no {title}, wanted it, as in English “Error: {title}”.': [/(?<=^errorTitle: ).*/m, 'Fout'],
		':LINE errors.consent_required: found {label}, wanted no braces here.': [
			/(?<=^  consent_required: ).*/m,
			'"Vink {label} aan."',
		],
		'confirmation.text: found no {{email.privacy}}, wanted it, as in English “': ['{{email.privacy}}', 'x'],
		':LINE caution: found the English words “Please do not write patients’ data here, such as names or diagnoses.”, wanted them in Dutch.':
			[/(?<=^caution: ).*/m, 'Please do not write patients’ data here, such as names or diagnoses.'],
	},
	'content/nl/site.yaml': {
		' fieldNames.country: found nothing, wanted what is in English “Country”.': [/^  country: .*/m, ''],
		':LINE skipToContents: found a member that does not exist, wanted one that exists: did you mean skipToContent?': [
			'skipToContent:',
			'skipToContents:',
		],
		':LINE language: found “English”, wanted what the language calls itself, such as “Nederlands”.': [
			/^language: .*/m,
			'language: English',
		],
		'description: found the fact nam, wanted one that exists: did you mean name?': [/\{\{name\}\}/, '{{nam}}'],
	},
	'content/ar/contact.yaml': {
		'left.few: found nothing, wanted the words for numbers such as 3, 4, and 5: in English “{count} characters left”.': [
			/(?<=^left:\n(  .*\n)*)  few: .*/m,
			'',
		],
		':LINE over.many: found no {count}, wanted it, as in English “{count} characters too many”.': [
			/(?<=^over:\n(  .*\n)*)  many: .*/m,
			'  many: x',
		],
	},
	'content/ja/contact.yaml': {
		'over.few: found a member that does not exist, wanted one of other.': [/(?<=^over:\n)/m, '  few: "{count}"\n'],
	},
	'content/nl/privacy.mdx': {
		':LINE: found the English words “This website sets no cookies, and loads nothing from other companies.”, wanted them in Dutch.':
			[/Thís wébsíté séts[^.]*\./, 'This website sets no cookies, and loads nothing from other companies.'],
		'found no <Link to="email.privacy">, wanted it once below this heading, as in content/en/privacy.mdx:LINE.': [
			'<Link to="email.privacy" />',
			'x',
		],
	},
	'content/nl/not-found.mdx': {
		':1: found no <Fact name="name">, wanted it once above the first heading, as in content/en/not-found.mdx:LINE.': [
			'<Fact name="name" />',
			'x',
		],
		'found <Action>, wanted none above the first heading, as in content/en/not-found.mdx:1.': [
			/$/,
			'\n<Action />\n\n[Prívácy](/nl/privacy)\n',
		],
		':LINE: found the English words “There is no page at this address.”, wanted them in Dutch.': [
			/(?<=^description: ).*/m,
			'There is no page at this address.',
		],
	},
	'content/ja/privacy.mdx': {
		':LINE: found “Cóókíés” as a heading of level 3, wanted one for “Cookies” as a heading of level 2 (content/en/privacy.mdx:LINE).':
			['## Cóókíés', '### Cóókíés'],
	},
	'content/nl/home.mdx': {
		':LINE: found the English words “No real call.”, wanted them in Dutch.': [
			/(?<=caption=")[^"]*/,
			'Een voorbeeld. No real call.',
		],
		':LINE: found the link #prices, wanted a heading of content/nl/home.mdx, one that exists: did you mean prícés?': [
			'(#prícés)',
			'(#prices)',
		],
	},
	'content/palette.css': {
		':LINE --wram: found a name that does not exist, wanted one that exists: did you mean --warm?': ['--warm:', '--wram:'],
		':1: found no --control for light, wanted each name once for light and once for dark.': ['--control: ', '--contrl: '],
		[`:${firstDarkLine}: found no --paper for dark, wanted each name once for light and once for dark.`]: [
			/(--paper: [^]*)--paper: .*/,
			'$1',
		],
		':LINE --muted: found it again for light, wanted it once.': ['--on-accent:', '--muted: teal; --on-accent:'],
		':LINE --accent: found tael, wanted a colour, such as #336699.': ['--accent: #336699', '--accent: tael'],
		':LINE --accent-strong: found #33669, wanted a colour, such as #336699.': [
			'--accent-strong: #336699',
			'--accent-strong: #33669',
		],
		':LINE --shadow: found soft 1px': ['--shadow: 0 1px', '--shadow: soft 1px'],
		':LINE: found what cannot be read, wanted valid CSS. ': ['\t--error: ', '\t-;error: '],
	},
	'content/logo.svg': {
		':1: found <svg> without viewBox, wanted <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 width height">.': [
			' viewBox="0 0 32 32"',
			'',
		],
		':LINE: found var(--acent), wanted one that exists: did you mean --accent?': ['var(--accent)', 'var(--acent)'],
		':LINE: found <script>, wanted a drawing without code.': ['</svg>', '<script>alert(1)</script>\n</svg>'],
		':5: found href="https://images.example/sign.png", wanted a drawing that has everything in it: no other file is loaded.': [
			'</svg>',
			'<image href="https://images.example/sign.png" />\n</svg>',
		],
		':LINE: found url(https://images.example/warm.svg), wanted a drawing that has everything in it: no other file is loaded.': [
			'fill="var(--warm)"',
			'fill="url(https://images.example/warm.svg)"',
		],
		':7: found what cannot be read, wanted well-formed XML. Un': ['</svg>', '<g>\n</svg>'],
	},
};

const written = Object.entries(changes).flatMap(([file, texts]) =>
	Object.entries(texts).map(([told, text]) => ({ file, told, text })),
);

const placeOf = (index: number) => `page-${index}`;

describe('a build stops, and tells all at once of', () => {
	let output = '';
	/** The line of each change in the unchanged file. */
	const lines: string[] = [];
	beforeAll(async () => {
		await using copy = await copyOfAnotherBrand();
		for (const language of ['ar', 'fi', 'ja', 'nl', 'pt-BR']) await copy.addLanguage(language);
		for (const file of ['photo.png', 'images/Foto.JPG']) await copy.write(`content/docs/${file}`, 'x');
		await copy.write('public/sign.svg', 'x');
		await copy.write('content/docs/marked.mdx', `\uFEFF${page('Marked', 98, 'x')}`);
		await copy.write('content/docs/plain.mdx', page('Plain', 97, '## What to send'));
		await copy.write('content/docs/draft.mdx', page('Draft', 99, 'x').replace('order', 'draft: true\norder'));
		for (const [index, prose] of Object.values(pages).entries())
			await copy.write(`content/docs/${placeOf(index)}.mdx`, page(`Page ${index}`, 100 + index, prose));
		for (const { file, text } of written)
			lines.push(Array.isArray(text) ? lineOf(await readFile(copy.at(file), 'utf8'), text[0]) : '');
		for (const { file, text } of written) await (Array.isArray(text) ? copy.edit(file, ...text) : copy.write(file, text));
		const { code, output: printed } = await copy.build();
		expect(code).toBe(1);
		output = printed;
		expect(output).not.toContain('docs/images');
		expect(output.match(/sv\/contact\.yaml/g)).toHaveLength(1);
		expect(output.match(/da\/contact\.yaml/g)).toHaveLength(1);
		expect(output).not.toContain('docs/marked');
		expect(output).not.toContain('import ./photo.png');
		expect(output).not.toMatch(/nl\/not-found\.mdx.*privacy/);
		expect(output).not.toContain('[a][b]');
		expect(output).not.toContain('[c][d]');
		expect(output).not.toContain('Stack trace');
	});

	test.each(Object.keys(pages).map((told, index) => ({ told, index })))('$told', ({ told, index }) => {
		expect(output).toContain(`content/docs/${placeOf(index)}.mdx:${told.replace('PAGE', placeOf(index))}`);
	});

	test.each(written.map(({ file, told }, index) => ({ told: told.startsWith(':') ? file + told : told, index })))(
		'$told',
		({ told, index }) => {
			expect(output).toContain(told.replaceAll('LINE', lines[index]!));
		},
	);
});

test.each(['service.yaml', 'palette.css', 'docs/guides/first.mdx', 'nl/contact.yaml'])(
	'content/%s is laid out as its editor likes: no formatter looks at it',
	async (file) => expect((await getFileInfo(`content/${file}`, { ignorePath: '.prettierignore' })).ignored).toBe(true),
);

const lineOf = (text: string, search: RegExp | string): string => String(text.split(search)[0]!.split('\n').length);
