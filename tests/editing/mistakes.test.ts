import { readFile, rm } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { paletteNames } from '../../src/editing/palette.ts';
import { copyOfProject } from '../support/project-copy.ts';

/** Each colour on a line of its own. */
const colours = paletteNames('.').map((name) => `\t\t${name}: ${name === '--shadow' ? '0 1px 2px #0008' : '#336699'};\n`);

/** What stands in the places of our own. */
const brand: Record<string, string> = {
	'content/palette.css': [
		':root {\n',
		...colours,
		'}\n@media (prefers-color-scheme: dark) {\n\t:root {\n',
		...colours,
		'\t}\n}\n',
	].join(''),
	'content/logo.svg': [
		'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">',
		'\t<path fill="var(--accent)" d="M0 0h32v12z" />',
		'\t<path fill="var(--warm)" d="M0 32h32v-12z" />',
		'</svg>\n',
	].join('\n'),
};
const dark = colours.length + 4;

async function copyWithBrand() {
	const copy = await copyOfProject();
	for (const [file, text] of Object.entries(brand)) await copy.write(file, text);
	return copy;
}

/** Pages of documentation with one mistake each, on line 7 where nothing else is said; and what the editor is told of it. */
const pages: [mistake: string, prose: string, told: string][] = [
	[
		'a link to no page',
		'[here](/docs/send-a-laed)',
		'7: found the link /docs/send-a-laed, wanted one that exists: did you mean /docs/send-a-lead?',
	],
	[
		'a link to a page elsewhere',
		'[here](/guides/agents)',
		'7: found the link /guides/agents, wanted one that exists: did you mean /docs/agents?',
	],
	[
		'a link to a file',
		'[here](./agents.mdx)',
		'7: found the link ./agents.mdx, wanted one that exists: did you mean /docs/agents?',
	],
	['a link in a tag', '<a href="/contac">here</a>', '7: found the link /contac, wanted one that exists: did you mean /contact?'],
	['a link to nothing', '[here]()', '7: found a link to nothing, wanted a path of ours such as /docs, or a whole URL.'],
	[
		'a link that runs code',
		'[here](javascript:alert\\(1\\))',
		'7: found the link javascript:alert(1), wanted a path of ours such as /docs, or a URL that begins with https:, mailto: or tel:.',
	],
	[
		'a reference that nothing defines',
		'See \\[a][b], `[c][d]`, [e]\nand [here][nope]',
		'8: found the reference [here][nope], wanted a name that a line such as `[name]: /docs` defines, or [words](/docs), or \\[ for the bracket itself.',
	],
	[
		'a reference that nothing defines, with words that stand out',
		'See [**here**][nope]',
		'7: found the reference ][nope], wanted ',
	],
	[
		'a frame',
		'<iframe src="https://video.example/1" />',
		'7: found <iframe>, wanted a link in its place, or nothing: pages load nothing from other sites, and bring no code or style.',
	],
	['a script', 'x\n\n<script>alert(1)</script>', '9: found <script>, wanted a link in its place, or nothing: '],
	[
		'code in an attribute',
		'<p onclick="alert(1)">x</p>',
		'7: found <p onclick="alert(1)">, wanted no onclick: pages bring no code or style.',
	],
	[
		'images of another site, by size',
		'<img src="/sign.svg" srcset="/sign.svg 1x, //images.example/2.png 2x" alt="" />',
		'7: found <img srcset="/sign.svg 1x, //images.example/2.png 2x">, wanted a file of ours: pages load nothing from other sites.',
	],
	[
		'a link with a broken escape',
		'[here](/opening%hours)',
		'7: found the link /opening%hours, wanted a path that is published, such as /docs.',
	],
	[
		'a link with its origin',
		'[here](https://www.website.test/contac)',
		'7: found the link https://www.website.test/contac, wanted one that exists: did you mean /contact?',
	],
	[
		'a link to a draft',
		'[here](/docs/draft)',
		'7: found the link /docs/draft to a draft, wanted no link to it, or no `draft: true` in content/docs/draft.mdx.',
	],
	[
		'a link to no heading of its page',
		'## One\n\n[here](#tow)\n\n## Two',
		'9: found the link #tow, wanted a heading of content/docs/PAGE.mdx, one that exists: did you mean two?',
	],
	[
		'a link to a heading of a page without any',
		'[here](#tow)',
		'7: found the link #tow, wanted a heading of content/docs/PAGE.mdx, but there is none.',
	],
	[
		'a link to no heading of another page',
		'[here](/docs/plain#what-too-send)',
		'7: found the link /docs/plain#what-too-send, wanted a heading of content/docs/plain.mdx, one that exists: did you mean what-to-send?',
	],
	[
		'a link in a heading',
		'## What [others](/docs) do',
		'7: found a link in the heading "What others do", wanted it in the text below: the heading is the link to its own place.',
	],
	[
		'an image that is not beside the page',
		'![A desk](./desk.png)',
		'7: found the image ./desk.png, wanted a file that exists: put it at content/docs/desk.png, or correct the name.',
	],
	[
		'an import of a file that is not there',
		"import './photo.png'\nimport desk from './desk.png'\n\nx",
		'8: found the import ./desk.png, wanted a file that exists: put it at content/docs/desk.png, or correct the name.',
	],
	[
		'an image that is not in public/',
		'![A desk](/desk.png)',
		'7: found the image /desk.png, wanted a file of public/, one of /fi/sign.txt, /sign.svg.',
	],
	[
		'an image beside the page, in a tag',
		'<img src="./photo.png" alt="A desk" />',
		'7: found the image ./photo.png, wanted ![what it shows](./photo.png) for an image beside the page, or /photo.png for one in public/.',
	],
	[
		'an image of another site',
		'![A desk](https://images.example/desk.png)',
		'7: found the image https://images.example/desk.png, wanted an image of ours: pages load nothing from other sites.',
	],
	[
		'an image without words',
		'![](/sign.svg)',
		'7: found the image /sign.svg without words, wanted ![what it shows](/sign.svg), or <img src="/…" alt="" /> where it only decorates.',
	],
	[
		'an image without words, in a tag',
		'<img src="/sign.svg" />',
		'7: found the image /sign.svg without words, wanted ![what it shows]',
	],
	[
		'a second heading of level 1',
		'# More',
		'7: found "More" as a heading of level 1, wanted level 2 (## More): the page has its heading of level 1.',
	],
	[
		'a level left out',
		'## One\n\n#### Two',
		'9: found "Two" as a heading of level 4, wanted level 3 (### Two): the one above is of level 2.',
	],
	['a state that does not exist', '<When oauth="soon">x</When>', '7: found <When oauth="soon">, wanted one of live, planned.'],
	[
		'a component in small letters',
		'<when oauth="live">x</when>',
		'7: found the component <when>, wanted one that exists: did you mean When?',
	],
	[
		'a component that does not exist',
		'<Card>x</Card>',
		'7: found the component <Card>, wanted one that exists: did you mean Cards?',
	],
	['an attribute that does not exist', '<Link too="path.docs" />', '7: found <Link> without to in quotes, wanted <Link to="…">.'],
	[
		'a fact that does not exist',
		'From\n<Fact name="price.plan" />',
		'8: found <Fact name="price.plan">, wanted one that exists: did you mean price.plans?',
	],
	[
		'a fact that nothing comes near',
		'<Fact name="price.yearly" />',
		'7: found <Fact name="price.yearly">, wanted one of price.payAsYouGo, price.plans.',
	],
	['a fact that is no target', '<Link to="price.plans" />', '7: found <Link to="price.plans">, wanted one of '],
	['a fact without quotes', '<Fact name={price.plans} />', '7: found <Fact> without name in quotes, wanted <Fact name="…">.'],
	[
		'a fact in code',
		'```sh\ncurl\n"{{link.getStatsu}}"\n```',
		'9: found the fact link.getStatsu, wanted one that exists: did you mean link.getStatus?',
	],
	[
		'a fact in words of code',
		'At `{{link.getStatus}}`',
		'7: found {{link.getStatus}}, wanted <code><Fact name="link.getStatus" /></code>',
	],
	['a fact in braces', 'From {price.plans}.', '7: found {price.plans} in prose, wanted <Fact name="price.plans" />.'],
	['a fact in two braces', 'From {{price.plans}}.', '7: found {{price.plans}} in prose, wanted <Fact name="price.plans" />.'],
	[
		'braces',
		'Hello {firstName}',
		'7: found {firstName} in prose, wanted \\{firstName\\} for the braces themselves, or <Fact name="…" />.',
	],
	['an aside of no kind', '<Aside>\n\nx\n\n</Aside>', '7: found <Aside> without kind in quotes, wanted <Aside kind="…">.'],
	[
		'an aside of a kind that does not exist',
		'x\n\n<Aside kind="warn">\n\nx\n\n</Aside>',
		'9: found <Aside kind="warn">, wanted one that exists: did you mean warning?',
	],
	['an aside without words', '<Aside kind="note" />', '7: found <Aside> around nothing, wanted the words that are to be seen.'],
	[
		'steps without numbers',
		'<Steps>\n\n- One\n- Two\n\n</Steps>',
		'7: found <Steps> around a list, wanted a list alone whose entries begin with 1., 2., and so on.',
	],
	[
		'steps with text beside them',
		'<Steps>\n\n1. One\n\nSo it is.\n\n</Steps>',
		'7: found <Steps> around numbered lines, text, wanted a list alone whose entries begin with 1., 2., and so on.',
	],
	[
		'cards without a list',
		'<Cards>\n\n[One](/docs)\n\n</Cards>',
		'7: found <Cards> around text, wanted a list alone, an entry for each card.',
	],
	[
		'tabs without a tab',
		'<Tabs label="Ways in">\n\nx\n\n</Tabs>',
		'7: found <Tabs> around text, wanted a <Tab title="…"> around each part.',
	],
	[
		'tabs around nothing',
		'<Tabs label="Ways in"></Tabs>',
		'7: found <Tabs> around nothing, wanted a <Tab title="…"> around each part.',
	],
	[
		'a tab that is in no tabs',
		'<Tab title="curl">\n\nx\n\n</Tab>',
		'7: found <Tab> alone, wanted <Tabs label="…"> around all that belong together.',
	],
	[
		'a tab without a title',
		'<Tabs label="Ways in">\n\n<Tab title="">\n\nx\n\n</Tab>\n\n</Tabs>',
		'9: found <Tab title="">, wanted words between the quotes.',
	],
	[
		'tabs with a label that others have',
		'<Tabs label="Ways in"><Tab title="A">x</Tab></Tabs>\n\n<Tabs label="ways in"><Tab title="B">x</Tab></Tabs>',
		'9: found <Tabs label="ways in"> again, wanted another label: tabs of one label close each other.',
	],
	[
		'a fact in an attribute',
		'<Tabs label="From {{price.plans}}"><Tab title="A">x</Tab></Tabs>',
		'7: found <Tabs label="From {{price.plans}}">, wanted the words themselves: facts stand in the text, not in attributes.',
	],
	[
		'a figure without an image',
		'<Figure>\n\nA desk\n\n</Figure>',
		'7: found <Figure> around text, wanted an image, ![what it shows](./file.png), an empty line, and the words below the image.',
	],
	[
		'a figure without words below the image',
		'<Figure>\n\n![A desk](/sign.svg)\n\n</Figure>',
		'7: found <Figure> around text, wanted an image, ',
	],
	[
		'a figure of an image that is not there',
		'<Figure>\n\n![A desk](./desk.png)\n\nOur desk\n\n</Figure>',
		'9: found the image ./desk.png, wanted a file that exists: put it at content/docs/desk.png, or correct the name.',
	],
	[
		'a figure of an image without words',
		'<Figure>\n\n![](/sign.svg)\n\nOur desk\n\n</Figure>',
		'9: found the image /sign.svg without words, wanted ![what it shows](/sign.svg)',
	],
	['a tag that is not closed', 'One<br>two', '7: found what cannot be read, wanted valid MDX. Expected a closing tag for `<br>`'],
];

const page = (title: string, order: number, prose: string) =>
	`---\ntitle: ${title}\ndescription: A page.\norder: ${order}\n---\n\n${prose}\n`;

/** Other changes to the project, with what the editor is told. */
const changes: [
	mistake: string,
	file: string,
	text: string | Uint8Array | [search: RegExp | string, replacement: string],
	told: string,
][] = [
	[
		'a page that is not UTF-8',
		'content/docs/latin.mdx',
		Buffer.from(page('Café', 90, 'x'), 'latin1'),
		'content/docs/latin.mdx: found bytes that are not UTF-8, wanted the file saved as UTF-8.',
	],
	[
		'words of the contact page that are not UTF-8',
		'content/da/contact.yaml',
		Buffer.from('title: Café', 'latin1'),
		'content/da/contact.yaml: found bytes that are not UTF-8, wanted the file saved as UTF-8.',
	],
	[
		'a page without a title',
		'content/docs/send-a-lead.mdx',
		[/^title:.*\n/m, ''],
		'content/docs/send-a-lead.mdx:2 title: found nothing, wanted a string.',
	],
	[
		'a fact on top of a page',
		'content/en/not-found.mdx',
		['title: This page does not exist', 'title: "{{name}}"'],
		'content/en/not-found.mdx:2 title: found "{{name}}", wanted the words themselves: facts are filled in below the dashes only.',
	],
	[
		'a member on top that does not exist',
		'content/docs/agents.mdx',
		['order: 20', 'order: 20\ndraf: true'],
		'content/docs/agents.mdx:5 draf: found a member that does not exist, wanted one that exists: did you mean draft?',
	],
	[
		'a draft in other words',
		'content/docs/yes.mdx',
		page('Yes', 92, 'x').replace('order', 'draft: yes\norder'),
		'content/docs/yes.mdx:4 draft: found "yes", wanted true or false.',
	],
	[
		'an indentation that is wrong',
		'content/sv/contact.yaml',
		"fields:\n  name: '{a}'\n phone: '{b}'\n",
		'content/sv/contact.yaml:3 is not valid YAML: All mapping items must start at the same column.',
	],
	[
		'a colon in a title',
		'content/docs/colon.mdx',
		page('First: steps', 91, 'x'),
		'content/docs/colon.mdx:2 is not valid YAML: put the value in quotes if it has a colon, or correct the indentation.',
	],
	[
		'words without quotes that begin with a name in braces',
		'content/en/contact.yaml',
		['too_long: Use at most {max} characters for “{label}”.', 'too_long: {label}'],
		'content/en/contact.yaml:LINE too_long: found {label}, wanted it in quotes.',
	],
	[
		'words without quotes that begin with a name in braces, and a colon',
		'content/en/contact.yaml',
		['required: Fill in “{label}”.', 'required: {label}: this field is needed.'],
		'content/en/contact.yaml:LINE required: found {label}: this field is needed., wanted it in quotes.',
	],
	[
		'words without quotes that begin with a fact',
		'content/it/contact.yaml',
		'title: Scriveteci\nintroduction: {{name}} di {x}\n',
		'content/it/contact.yaml:2 is not valid YAML: put the words of introduction in quotes.',
	],
	[
		'a top that is not valid YAML',
		'content/en/privacy.mdx',
		[/^title: /m, 'title: "'],
		'content/en/privacy.mdx:4 is not valid YAML: Missing closing "quote.',
	],
	[
		'the order of another page',
		'content/docs/twin.mdx',
		page('Twin', 30, 'x'),
		'content/docs/twin.mdx:4: found order: 30, as in content/docs/api.mdx, wanted another number, such as ',
	],
	[
		'Markdown that is no MDX',
		'content/docs/Opening hours.md',
		'# x',
		'content/docs/Opening hours.md: found a file that is no page, wanted the name opening-hours.mdx.',
	],
	[
		'an ending that is mistyped',
		'content/docs/more.mdx.txt',
		'x',
		'content/docs/more.mdx.txt: found a file that is no page, wanted the name more.mdx.',
	],
	[
		'a file that is no page',
		'content/docs/plan.pdf',
		'x',
		'content/docs/plan.pdf: found a file that is no page, wanted a page (.mdx) or an image; what is to be downloaded lies in public/.',
	],
	[
		'a folder without its page',
		'content/docs/guides/first.mdx',
		page('First', 1, 'x'),
		'content/docs/guides: found no index.mdx, wanted one: it gives the folder its title and its place.',
	],
	[
		'two pages at one address',
		'content/docs/api/index.mdx',
		page('API', 31, 'x'),
		'content/docs/api/index.mdx: found the same address as content/docs/api.mdx, wanted one of the two.',
	],
	[
		'a page at an address that the site has',
		'content/docs/api/explorer.mdx',
		page('Explorer', 1, 'x'),
		'content/docs/api/explorer.mdx: found the same address as src/pages/docs/api/explorer.astro, wanted another name.',
	],
	[
		'a page where none is shown',
		'content/en/about.mdx',
		page('About', 1, 'x'),
		'content/en/about.mdx: found a file that nothing reads, wanted one of contact.yaml, home.mdx, not-found.mdx, privacy.mdx, site.yaml.',
	],
	[
		'no heading of level 1 on the start page',
		'content/en/home.mdx',
		[/h1>/g, 'h2>'],
		'content/en/home.mdx:10: found "" as a heading of level 2, wanted <h1>: the page has no other heading above.',
	],
	[
		'a fact that does not exist, in auth.md',
		'content/auth.md',
		['{{link.apiReference}}', '{{link.apiReferenec}}'],
		'content/auth.md:LINE: found the fact link.apiReferenec, wanted one that exists: did you mean link.apiReference?',
	],
	[
		'a fact that does not exist, in the skill',
		'content/skills/send-a-lead/SKILL.md',
		['{{list.fields}}', '{{list.filds}}'],
		'content/skills/send-a-lead/SKILL.md:LINE: found the fact list.filds, wanted one that exists: did you mean list.fields?',
	],
	[
		'a skill with another name than its folder',
		'content/skills/send-a-lead/SKILL.md',
		['name: send-a-lead', 'name: send-leads'],
		'content/skills/send-a-lead/SKILL.md:LINE name: found "send-leads", wanted "send-a-lead".',
	],
	[
		'a field that does not exist',
		'content/en/contact.yaml',
		['email: { label', 'emial: { label'],
		'content/en/contact.yaml:LINE fields.emial: found a member that does not exist, wanted one that exists: did you mean email?',
	],
	[
		'other words for the consent, in a request for API access: what a visitor has agreed to is one text in each language',
		'content/en/contact.yaml',
		['    message:\n      label: What we need', '    consent:\n      label: What we need'],
		' accessRequest.fields.consent: found a member that does not exist, wanted one of clinic, country, email, lang, message, name, phone, source, website.',
	],
	[
		'a field that does not exist, in the words of a request for API access',
		'content/en/contact.yaml',
		['clinic: { label: Clinic or', 'clinik: { label: Clinic or'],
		'content/en/contact.yaml:LINE accessRequest.fields.clinik: found a member that does not exist, wanted one that exists: did you mean clinic?',
	],
	[
		'a fact that does not exist, in those words',
		'content/en/contact.yaml',
		['link: Ask for API', 'link: Ask for {{scope}}'],
		'content/en/contact.yaml:LINE accessRequest.link: found the fact scope, wanted one that exists: did you mean scopes?',
	],
	[
		'an error that does not exist',
		'content/en/contact.yaml',
		['clinic_required:', 'clinic_requierd:'],
		'content/en/contact.yaml:LINE errors.clinic_requierd: found a member that does not exist, wanted one that exists: did you mean clinic_required?',
	],
	[
		'a word around the documentation that does not exist',
		'content/docs.yaml',
		['previous:', 'previus:'],
		'content/docs.yaml:LINE previus: found a member that does not exist, wanted one that exists: did you mean previous?',
	],
	[
		'such a word without the place for what is filled in',
		'content/docs.yaml',
		['on {date}', 'recently'],
		'content/docs.yaml:LINE updated: found "Last updated recently", wanted words with {date} in them.',
	],
	[
		'a placeholder that nothing fills in',
		'content/en/contact.yaml',
		['write to {email}', 'write to {mail}'],
		'content/en/contact.yaml:LINE notices.unavailable.text: found {mail}, wanted {email}.',
	],
	[
		'a fact that does not exist, in the words of the form',
		'content/en/contact.yaml',
		['{{price.plans}}', '{{price.plan}}'],
		'content/en/contact.yaml:8 introduction: found the fact price.plan, wanted one that exists: did you mean price.plans?',
	],
	[
		'a language by its name',
		'content/german/site.yaml',
		'x',
		'content/german: found a name that is no language, wanted the tag of one (BCP 47), such as de.',
	],
	[
		'a language by a name that nobody knows',
		'content/pages/home.mdx',
		'x',
		'content/pages: found a name that is no language, wanted the tag of one (BCP 47), such as de.',
	],
	[
		'a language with an underscore',
		'content/de_AT/x',
		'x',
		'content/de_AT: found a tag that is usually written in another way, wanted the name de-AT.',
	],
	[
		'a language in other letter case',
		'content/zh-hant/x',
		'x',
		'content/zh-hant: found a tag that is usually written in another way, wanted the name zh-Hant.',
	],
	[
		'a language that is there already',
		'content/pt-br/contact.yaml',
		'x',
		'content/pt-br: found the same language as content/pt-BR, wanted one of the two.',
	],
	[
		'a language with the address of other files',
		'public/fi/sign.txt',
		'x',
		'content/fi: found the same address as public/fi, wanted another name for that.',
	],
	[
		'a file named for a language',
		'content/cs.yaml',
		'x',
		'content/cs.yaml: found a file that nothing reads, wanted a folder of the language, content/cs, with contact.yaml, home.mdx, not-found.mdx, privacy.mdx, site.yaml.',
	],
	[
		'a file beside the languages that nothing reads',
		'content/servce.yaml',
		'x',
		'content/servce.yaml: found a file that nothing reads, wanted one that exists: did you mean service.yaml?',
	],
	[
		'a language that is not there whole',
		'content/uk/site.yml',
		'x',
		'content/uk/home.mdx: found nothing, wanted content/en/home.mdx in Ukrainian.',
	],
	[
		'a file of a language with a name that is mistyped',
		'content/uk/hom.mdx',
		'x',
		'content/uk/hom.mdx: found a file that nothing reads, wanted one that exists: did you mean home.mdx?',
	],
	[
		'a word that a language lacks',
		'content/nl/contact.yaml',
		[/^submit: .*/m, ''],
		'content/nl/contact.yaml:1 submit: found nothing, wanted what is in English “Send message”.',
	],
	[
		'a word that a language has no more than the name of',
		'content/nl/contact.yaml',
		[/(?<=^optional:).*/m, ''],
		'content/nl/contact.yaml:LINE optional: found nothing, wanted what is in English “optional”.',
	],
	[
		'each of many words that a language lacks',
		'content/nl/contact.yaml',
		[/^thanks:/m, 'thankss:'],
		'content/nl/contact.yaml:1 thanks.back: found nothing, wanted what is in English “See how a call is answered”.',
	],
	[
		'an entry of a list that a language lacks',
		'content/nl/contact.yaml',
		[/^    - .*$/m, ''],
		'wanted what is in English “A person from our sales team reads what you wrote. The answer comes by email, from {email}.”.',
	],
	[
		'a field that a language has no words for',
		'content/nl/contact.yaml',
		[/^  clinic:\n    label: .*/m, '\n'],
		' fields.clinic.label: found nothing, wanted what is in English “Clinic”.',
	],
	[
		'a field that a language has no name for',
		'content/nl/site.yaml',
		[/^  country: .*/m, ''],
		' fieldNames.country: found nothing, wanted what is in English “Country”.',
	],
	[
		'a word of a language that does not exist',
		'content/nl/site.yaml',
		['skipToContent:', 'skipToContents:'],
		'content/nl/site.yaml:LINE skipToContents: found a member that does not exist, wanted one that exists: did you mean skipToContent?',
	],
	[
		'a language that is called English',
		'content/nl/site.yaml',
		[/^language: .*/m, 'language: English'],
		'content/nl/site.yaml:LINE language: found “English”, wanted what the language calls itself, such as “Nederlands”.',
	],
	[
		'a placeholder that the words of a language lack',
		'content/nl/contact.yaml',
		[/(?<=^errorTitle: ).*/m, 'Fout'],
		'content/nl/contact.yaml:LINE errorTitle: found no {title}, wanted it, as in English “Error: {title}”.',
	],
	[
		'a placeholder that the English does not have',
		'content/nl/contact.yaml',
		[/(?<=^  consent_required: ).*/m, '"Vink {label} aan."'],
		'content/nl/contact.yaml:LINE errors.consent_required: found {label}, wanted no braces here.',
	],
	[
		'a fact that the words of a language lack',
		'content/nl/contact.yaml',
		['{{email.privacy}}', 'x'],
		'confirmation.text: found no {{email.privacy}}, wanted it, as in English “',
	],
	[
		'a fact that the words of a language mistype',
		'content/nl/site.yaml',
		[/\{\{name\}\}/, '{{nam}}'],
		'description: found the fact nam, wanted one that exists: did you mean name?',
	],
	[
		'a plural form that a language needs',
		'content/ar/contact.yaml',
		[/(?<=^left:\n(  .*\n)*)  few: .*/m, ''],
		'left.few: found nothing, wanted the words for numbers such as 3, 4, and 5: in English “{count} characters left”.',
	],
	[
		'a plural form without its number',
		'content/ar/contact.yaml',
		[/(?<=^over:\n(  .*\n)*)  many: .*/m, '  many: x'],
		'content/ar/contact.yaml:LINE over.many: found no {count}, wanted it, as in English “{count} characters too many”.',
	],
	[
		'a plural form that a language does not have',
		'content/ja/contact.yaml',
		[/(?<=^over:\n)/m, '  few: "{count}"\n'],
		'over.few: found a member that does not exist, wanted one of other.',
	],
	[
		'words of a language that are English',
		'content/nl/contact.yaml',
		[/(?<=^caution: ).*/m, 'Please do not write patients’ data here, such as names or diagnoses.'],
		'content/nl/contact.yaml:LINE caution: found the English words “Please do not write patients’ data here, such as names or diagnoses.”, wanted them in Dutch.',
	],
	[
		'a sentence of a page that is English',
		'content/nl/privacy.mdx',
		[/Thís wébsíté séts[^.]*\./, 'This website sets no cookies, and loads nothing from other companies.'],
		'content/nl/privacy.mdx:LINE: found the English words “This website sets no cookies, and loads nothing from other companies.”, wanted them in Dutch.',
	],
	[
		'a fact that the page of a language lacks',
		'content/nl/not-found.mdx',
		['<Fact name="name" />', 'x'],
		'content/nl/not-found.mdx:1: found no <Fact name="name">, wanted it once above the first heading, as in content/en/not-found.mdx:LINE.',
	],
	[
		'a link that a section of the page lacks, while another has it',
		'content/nl/privacy.mdx',
		['<Link to="email.privacy" />', 'x'],
		'found no <Link to="email.privacy">, wanted it once below this heading, as in content/en/privacy.mdx:LINE.',
	],
	[
		'a component that the English page does not have',
		'content/nl/not-found.mdx',
		[/$/, '\n<Action />\n\n[Prívácy](/nl/privacy)\n'],
		'found <Action>, wanted none above the first heading, as in content/en/not-found.mdx:1.',
	],
	[
		'a link that the pages of languages lack',
		'content/en/not-found.mdx',
		[/$/, '\n[Privacy](/privacy)\n'],
		'content/ja/not-found.mdx:1: found no […](/privacy), wanted it once above the first heading, as in content/en/not-found.mdx:15.',
	],
	[
		'a heading of another level than the English one',
		'content/ja/privacy.mdx',
		['## Cóókíés', '### Cóókíés'],
		'content/ja/privacy.mdx:LINE: found “Cóókíés” as a heading of level 3, wanted one for “Cookies” as a heading of level 2 (content/en/privacy.mdx:LINE).',
	],
	[
		'a description that is English',
		'content/nl/not-found.mdx',
		[/(?<=^description: ).*/m, 'There is no page at this address.'],
		'content/nl/not-found.mdx:LINE: found the English words “There is no page at this address.”, wanted them in Dutch.',
	],
	[
		'words in an attribute that are English',
		'content/nl/home.mdx',
		[/(?<=caption=")[^"]*/, 'Een voorbeeld. No real call.'],
		'content/nl/home.mdx:LINE: found the English words “No real call.”, wanted them in Dutch.',
	],
	[
		'a link to a heading by its English words',
		'content/nl/home.mdx',
		['(#prícés)', '(#prices)'],
		'content/nl/home.mdx:LINE: found the link #prices, wanted a heading of content/nl/home.mdx, one that exists: did you mean prícés?',
	],
	[
		'a colour that is misspelt',
		'content/palette.css',
		['--warm:', '--wram:'],
		'content/palette.css:LINE --wram: found a name that does not exist, wanted one that exists: did you mean --warm?',
	],
	[
		'a colour that is not there for light',
		'content/palette.css',
		['--control: ', '--contrl: '],
		'content/palette.css:1: found no --control for light, wanted each name once for light and once for dark.',
	],
	[
		'a colour that is not there for dark',
		'content/palette.css',
		[/(--paper: [^]*)--paper: .*/, '$1'],
		`content/palette.css:${dark}: found no --paper for dark, wanted each name once for light and once for dark.`,
	],
	[
		'a colour that is there twice for light',
		'content/palette.css',
		['--on-accent:', '--muted: teal; --on-accent:'],
		'content/palette.css:LINE --muted: found it again for light, wanted it once.',
	],
	[
		'a word that is no colour',
		'content/palette.css',
		['--accent: #336699', '--accent: tael'],
		'content/palette.css:LINE --accent: found tael, wanted a colour, such as #336699.',
	],
	[
		'a colour with a digit too few',
		'content/palette.css',
		['--accent-strong: #336699', '--accent-strong: #33669'],
		'content/palette.css:LINE --accent-strong: found #33669, wanted a colour, such as #336699.',
	],
	[
		'a shadow that is none',
		'content/palette.css',
		['--shadow: 0 1px', '--shadow: soft 1px'],
		'content/palette.css:LINE --shadow: found soft 1px',
	],
	[
		'a palette that is not valid CSS',
		'content/palette.css',
		['\t--error: ', '\t-;error: '],
		'content/palette.css:LINE: found what cannot be read, wanted valid CSS. ',
	],
	[
		'a logo without its measure',
		'content/logo.svg',
		[' viewBox="0 0 32 32"', ''],
		'content/logo.svg:1: found <svg> without viewBox, wanted <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 width height">.',
	],
	[
		'a colour of the logo that the palette does not have',
		'content/logo.svg',
		['var(--accent)', 'var(--acent)'],
		'content/logo.svg:LINE: found var(--acent), wanted one that exists: did you mean --accent?',
	],
	[
		'code in the logo',
		'content/logo.svg',
		['</svg>', '<script>alert(1)</script>\n</svg>'],
		'content/logo.svg:LINE: found <script>, wanted a drawing without code.',
	],
	[
		'an image of another site in the logo',
		'content/logo.svg',
		['</svg>', '<image href="https://images.example/sign.png" />\n</svg>'],
		'content/logo.svg:5: found href="https://images.example/sign.png", wanted a drawing that has everything in it: no other file is loaded.',
	],
	[
		'a style of another site in the logo',
		'content/logo.svg',
		['fill="var(--warm)"', 'fill="url(https://images.example/warm.svg)"'],
		'content/logo.svg:LINE: found url(https://images.example/warm.svg), wanted a drawing that has everything in it: no other file is loaded.',
	],
	[
		'a tag of the logo that is not closed',
		'content/logo.svg',
		['</svg>', '<g>\n</svg>'],
		'content/logo.svg:7: found what cannot be read, wanted well-formed XML. Un',
	],
];

const placeOf = (index: number) => `page-${index}`;

describe('a build stops, and tells all at once of', () => {
	let output = '';
	/** Where each file is edited, as it stood before. */
	const lines: string[] = [];
	beforeAll(async () => {
		await using copy = await copyWithBrand();
		for (const language of ['ar', 'fi', 'ja', 'nl', 'pt-BR']) await copy.addLanguage(language);
		for (const file of ['photo.png', 'images/Foto.JPG']) await copy.write(`content/docs/${file}`, 'x');
		await copy.write('public/sign.svg', 'x');
		await copy.write('content/docs/marked.mdx', `\uFEFF${page('Marked', 98, 'x')}`);
		await copy.write('content/docs/plain.mdx', page('Plain', 97, '## What to send'));
		await copy.write('content/docs/draft.mdx', page('Draft', 99, 'x').replace('order', 'draft: true\norder'));
		for (const [index, [, prose]] of pages.entries())
			await copy.write(`content/docs/${placeOf(index)}.mdx`, page(`Page ${index}`, 100 + index, prose));
		for (const [, file, text] of changes)
			lines.push(Array.isArray(text) ? lineOf(await readFile(copy.at(file), 'utf8'), text[0]) : '');
		for (const [, file, text] of changes) await (Array.isArray(text) ? copy.edit(file, ...text) : copy.write(file, text));
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
	});

	test.each(pages.map(([mistake, , told], index) => ({ mistake, told: told.replace('PAGE', placeOf(index)), index })))(
		'$mistake',
		({ told, index }) => {
			expect(output).toContain(`content/docs/${placeOf(index)}.mdx:${told}`);
		},
	);

	test.each(changes.map(([mistake, , , told], index) => ({ mistake, told, index })))('$mistake', ({ told, index }) => {
		expect(output).toContain(told.replaceAll('LINE', lines[index]!));
	});
});

test('a build stops at a link to a place that the components of another page do not make', async () => {
	await using copy = await copyOfProject();
	await copy.edit('content/docs/agents.mdx', '(/docs/send-a-lead)', '(/docs/api#invalid-laed)');
	const { code, output } = await copy.build();
	expect(code).toBe(1);
	expect(output).toMatch(
		/content\/docs\/agents\.mdx:\d+: found the link \/docs\/api#invalid-laed, wanted one that exists: did you mean invalid-lead\?/,
	);
});

test('a build stops where palette and logo are not there', async () => {
	await using copy = await copyOfProject();
	await rm(copy.at('content/palette.css'));
	await rm(copy.at('content/logo.svg'));
	const { code, output } = await copy.build();
	expect(code).toBe(1);
	for (const file of ['palette.css', 'logo.svg'])
		expect(output).toContain(`content/${file}: found nothing, wanted the file of this name: the site needs it.`);
});

test('a build stops where palette and logo end too early', async () => {
	await using copy = await copyWithBrand();
	await copy.edit('content/palette.css', /\}\s*$/, '\n');
	await copy.edit('content/logo.svg', '</svg>', '');
	const { code, output } = await copy.build();
	expect(code).toBe(1);
	expect(output).toMatch(/content\/palette\.css:\d+: found the end, wanted \} before it, for each \{\./);
	expect(output).toMatch(/content\/logo\.svg:\d+: found what cannot be read, wanted well-formed XML\. Unclosed root tag\./);
});

test('a build stops at a palette that has no colours for dark', async () => {
	await using copy = await copyWithBrand();
	await copy.edit('content/palette.css', '(prefers-color-scheme: dark)', 'print');
	const { code, output } = await copy.build();
	expect(code).toBe(1);
	expect(output).toContain('content/palette.css:1: found :root, @media print :root, wanted :root { … } for light, and then ');
});

const lineOf = (text: string, search: RegExp | string): string => String(text.split(search)[0]!.split('\n').length);
