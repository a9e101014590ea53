import { readFile } from 'node:fs/promises';
import { getFileInfo } from 'prettier';
import { beforeAll, describe, expect, test } from 'vitest';
import { copyOfAnotherBrand, firstDarkLine } from './another-brand.ts';

/** Where each mistake in a page of documentation is found, and what it is. `mistakes.txt` has the whole messages. */
const pages: Record<string, string> = {
	'7: found the link /docs/send-a-laed': '[here](/docs/send-a-laed)',
	'7: found the link /guides/agents': '[here](/guides/agents)',
	'7: found the link ./agents.mdx': '[here](./agents.mdx)',
	'7: found the link /contac': '<a href="/contac">here</a>',
	'7: found a link to nothing': '[here]()',
	'7: found the link javascript:alert(1)': '[here](javascript:alert\\(1\\))',
	'7: found the link http://localhost:4321/docs': '[here](http://localhost:4321/docs)',
	'8: found the reference [here][nope]': 'See \\[a][b], `[c][d]`, [e]\nand [here][nope]',
	'7: found the reference ][nope]': 'See [**here**][nope]',
	'7: found <iframe>': '<iframe src="https://video.example/1" />',
	'9: found <script>': 'x\n\n<script>alert(1)</script>',
	'7: found <p onclick="alert(1)">': '<p onclick="alert(1)">x</p>',
	'7: found <img srcset="/sign.svg 1x, //images.example/2.png 2x">':
		'<img src="/sign.svg" srcset="/sign.svg 1x, //images.example/2.png 2x" alt="" />',
	'7: found the link /opening%hours': '[here](/opening%hours)',
	'7: found the link https://www.website.test/contac': '[here](https://www.website.test/contac)',
	'7: found the link /docs/draft to a draft': '[here](/docs/draft)',
	'9: found the link #tow': '## One\n\n[here](#tow)\n\n## Two',
	'7: found the link #tow': '[here](#tow)',
	'7: found the link /docs/plain#what-too-send': '[here](/docs/plain#what-too-send)',
	'7: found a link in the heading "What others do"': '## What [others](/docs) do',
	'7: found the image ./desk.png': '![A desk](./desk.png)',
	'8: found the import ./desk.png': "import './photo.png'\nimport desk from './desk.png'\n\nx",
	'7: found the image /desk.png': '![A desk](/desk.png)',
	'7: found the image ./photo.png': '<img src="./photo.png" alt="A desk" />',
	'7: found the image https://images.example/desk.png': '![A desk](https://images.example/desk.png)',
	'7: found the image /sign.svg without words': '![](/sign.svg)',
	'7: found the image /sign.svg without words,': '<img src="/sign.svg" />',
	'7: found "More" as a heading of level 1': '# More',
	'9: found "Two" as a heading of level 4': '## One\n\n#### Two',
	'7: found <When oauth="soon">': '<When oauth="soon">x</When>',
	'7: found the component <when>': '<when oauth="live">x</when>',
	'7: found the component <Card>': '<Card>x</Card>',
	'7: found <Link> without to in quotes': '<Link too="path.docs" />',
	'8: found <Fact name="price.plan">': 'From\n<Fact name="price.plan" />',
	'7: found <Fact name="price.yearly">': '<Fact name="price.yearly" />',
	'7: found <Link to="price.plans">': '<Link to="price.plans" />',
	'7: found <Fact> without name in quotes': '<Fact name={price.plans} />',
	'9: found the fact link.getStatsu': '```sh\ncurl\n"{{link.getStatsu}}"\n```',
	'7: found {{link.getStatus}}': 'At `{{link.getStatus}}`',
	'7: found {price.plans} in prose': 'From {price.plans}.',
	'7: found {{price.plans}} in prose': 'From {{price.plans}}.',
	'7: found {firstName} in prose': 'Hello {firstName}',
	'7: found <Aside> without kind in quotes': '<Aside>\n\nx\n\n</Aside>',
	'9: found <Aside kind="warn">': 'x\n\n<Aside kind="warn">\n\nx\n\n</Aside>',
	'7: found <Aside> around nothing': '<Aside kind="note" />',
	'7: found <Steps> around a list': '<Steps>\n\n- One\n- Two\n\n</Steps>',
	'7: found <Steps> around numbered lines, text': '<Steps>\n\n1. One\n\nSo it is.\n\n</Steps>',
	'7: found <Cards> around text': '<Cards>\n\n[One](/docs)\n\n</Cards>',
	'7: found <Tabs> around text': '<Tabs label="Ways in">\n\nx\n\n</Tabs>',
	'7: found <Tabs> around nothing': '<Tabs label="Ways in"></Tabs>',
	'7: found <Tab> alone': '<Tab title="curl">\n\nx\n\n</Tab>',
	'9: found <Tab title="">': '<Tabs label="Ways in">\n\n<Tab title="">\n\nx\n\n</Tab>\n\n</Tabs>',
	'9: found <Tabs label="ways in"> again':
		'<Tabs label="Ways in"><Tab title="A">x</Tab></Tabs>\n\n<Tabs label="ways in"><Tab title="B">x</Tab></Tabs>',
	'7: found <Tabs label="From {{price.plans}}">': '<Tabs label="From {{price.plans}}"><Tab title="A">x</Tab></Tabs>',
	'7: found <Figure> around text': '<Figure>\n\nA desk\n\n</Figure>',
	'7: found <Figure> around text,': '<Figure>\n\n![A desk](/sign.svg)\n\n</Figure>',
	'9: found the image ./desk.png': '<Figure>\n\n![A desk](./desk.png)\n\nOur desk\n\n</Figure>',
	'9: found the image /sign.svg without words': '<Figure>\n\n![](/sign.svg)\n\nOur desk\n\n</Figure>',
	'7: found what cannot be read': 'One<br>two',
};

const page = (title: string, order: number, prose: string) =>
	`---\ntitle: ${title}\ndescription: A page.\norder: ${order}\n---\n\n${prose}\n`;

/** What is found in each file after a change of it. What begins with a colon is found in that file. */
const changes: Record<string, Record<string, string | Uint8Array | [search: RegExp | string, replacement: string]>> = {
	'content/docs/latin.mdx': {
		': found bytes that are not UTF-8': Buffer.from(page('Café', 9090, 'x'), 'latin1'),
	},
	'content/da/contact.yaml': {
		': found bytes that are not UTF-8': Buffer.from('title: Café', 'latin1'),
	},
	'content/docs/send-a-lead.mdx': {
		':2 title: found nothing': [/^title:.*\n/m, ''],
	},
	'content/en/not-found.mdx': {
		':2 title: found "{{name}}"': ['title: This page does not exist', 'title: "{{name}}"'],
		'content/ja/not-found.mdx:1: found no […](/privacy)': [/$/, '\n[Privacy](/privacy)\n'],
	},
	'content/docs/agents.mdx': {
		':5 draf: found a member that does not exist': ['order: 20', 'order: 20\ndraf: true'],
	},
	'content/docs/yes.mdx': {
		':4 draft: found "yes"': page('Yes', 9092, 'x').replace('order', 'draft: yes\norder'),
	},
	'content/sv/contact.yaml': {
		':3 is not valid YAML: All mapping items must start at the same column.': "fields:\n  name: '{a}'\n phone: '{b}'\n",
	},
	'content/docs/colon.mdx': {
		':2 is not valid YAML: put the value in quotes if it has a colon, or correct the indentation.': page(
			'First: steps',
			9091,
			'x',
		),
	},
	'content/en/contact.yaml': {
		':LINE too_long: found {label}': ['too_long: Use at most {max} characters for “{label}”.', 'too_long: {label}'],
		':LINE required: found {label}: this field is needed.': [
			'required: Fill in “{label}”.',
			'required: {label}: this field is needed.',
		],
		':LINE fields.emial: found a member that does not exist': ['email: { label', 'emial: { label'],
		' accessRequest.fields.consent: found a member that does not exist': [
			'    message:\n      label: What we need',
			'    consent:\n      label: What we need',
		],
		':LINE accessRequest.fields.clinik: found a member that does not exist': [
			'clinic: { label: Clinic or',
			'clinik: { label: Clinic or',
		],
		':LINE accessRequest.link: found the fact scope': ['link: Ask for API', 'link: Ask for {{scope}}'],
		':LINE errors.clinic_requierd: found a member that does not exist': ['clinic_required:', 'clinic_requierd:'],
		':LINE notices.unavailable.text: found {mail}': ['write to {email}', 'write to {mail}'],
		':8 introduction: found the fact price.plan': ['{{price.plans}}', '{{price.plan}}'],
	},
	'content/it/contact.yaml': {
		':2 is not valid YAML: put the words of introduction in quotes.': 'title: Scriveteci\nintroduction: {{name}} di {x}\n',
	},
	'content/en/privacy.mdx': {
		':4 is not valid YAML: Missing closing "quote.': [/^title: /m, 'title: "'],
	},
	'content/docs/twin.mdx': {
		':4: found order: 30, as in content/docs/api.mdx': page('Twin', 30, 'x'),
	},
	'content/docs/Opening hours.md': {
		': found a file that is no page': '# x',
	},
	'content/docs/more.mdx.txt': {
		': found a file that is no page': 'x',
	},
	'content/docs/plan.pdf': {
		': found a file that is no page': 'x',
	},
	'content/docs/My photo ü.png': {
		': found a name that addresses cannot hold as it is': 'x',
	},
	'public/Prices #1 (100%).pdf': {
		': found a name that addresses cannot hold as it is': 'x',
	},
	'public/404.html': { ': found the same address as a page, wanted another name.': 'x' },
	'public/contact.html': { ': found the same address as a page, wanted another name.': 'x' },
	'content/docs/test-guides/first.mdx': {
		'content/docs/test-guides: found no index.mdx': page('First', 1, 'x'),
	},
	'content/docs/api/index.mdx': {
		': found the same address as content/docs/api.mdx': page('API', 31, 'x'),
	},
	'content/docs/api/explorer.mdx': {
		': found the same address as src/pages/docs/api/explorer.astro': page('Explorer', 1, 'x'),
	},
	'content/en/about.mdx': {
		': found a file that nothing reads': page('About', 1, 'x'),
	},
	'content/en/home.mdx': {
		':10: found "" as a heading of level 2': [/h1>/g, 'h2>'],
	},
	'content/auth.md': {
		':LINE: found the fact link.apiReferenec': ['{{link.apiReference}}', '{{link.apiReferenec}}'],
		': found <!-- oauth: soon -->': [/$/, '\n<!-- oauth: soon -->\nx\n<!-- /oauth -->\n'],
	},
	'content/skills/send-a-lead/SKILL.md': {
		':LINE: found the fact list.filds': ['{{list.fields}}', '{{list.filds}}'],
		':LINE name: found "send-leads"': ['name: send-a-lead', 'name: send-leads'],
	},
	'content/docs.yaml': {
		':LINE previus: found a member that does not exist': ['previous:', 'previus:'],
		':LINE updated: found "Last updated recently"': ['on {date}', 'recently'],
		':LINE search.field: found please behind a comma, without a value': [
			/^search:\n(  .*\n)+/m,
			'search: { label: Search, field: Search, please, count: "{count}", nothing: "{words}", failed: x }\n',
		],
	},
	'content/docs/comma.mdx': {
		':4 order: found 10,5 with a comma': '---\ntitle: Comma\ndescription: x\norder: 10,5\n---\n\nx\n',
	},
	'content/en/site.yaml': {
		':LINE tagilne: found a member that does not exist': [/^tagline:/m, 'tagilne:\ntagline:'],
	},
	'content/german/site.yaml': {
		'content/german: found a name that is no language': 'x',
	},
	'content/pages/home.mdx': {
		'content/pages: found a name that is no language': 'x',
	},
	'content/de_AT/x': {
		'content/de_AT: found a tag that is usually written in another way': 'x',
	},
	'content/zh-hant/x': {
		'content/zh-hant: found a tag that is usually written in another way': 'x',
	},
	'content/pt-br/contact.yaml': {
		'content/pt-br: found the same language as content/pt-BR': 'x',
	},
	'public/fi/sign.txt': {
		'content/fi: found the same address as public/fi': 'x',
	},
	'content/cs.yaml': {
		': found a file that nothing reads': 'x',
	},
	'content/servce.yaml': {
		': found a file that nothing reads': 'x',
	},
	'content/uk/site.yml': {
		'content/uk/home.mdx: found nothing': 'x',
	},
	'content/uk/hom.mdx': {
		': found a file that nothing reads': 'x',
	},
	'content/nl/contact.yaml': {
		':1 submit: found nothing': [/^submit: .*/m, ''],
		':LINE optional: found nothing': [/(?<=^optional:).*/m, ''],
		':1 thanks.back: found nothing': [/^thanks:/m, 'thankss:'],
		'wanted what is in English “A person from our sales team reads what you wrote. The answer comes by email, from {email}.”.': [
			/^    - .*$/m,
			'',
		],
		' fields.clinic.label: found nothing': [/^  clinic:\n    label: .*/m, '\n'],
		':LINE errorTitle: found no {title}': [/(?<=^errorTitle: ).*/m, 'Fout'],
		':LINE errors.consent_required: found {label}': [/(?<=^  consent_required: ).*/m, '"Vink {label} aan."'],
		'confirmation.text: found no {{email.privacy}}': ['{{email.privacy}}', 'x'],
		':LINE caution: found the English words “Please do not write patients’ data here, such as names or diagnoses.”': [
			/(?<=^caution: ).*/m,
			'Please do not write patients’ data here, such as names or diagnoses.',
		],
	},
	'content/nl/site.yaml': {
		' fieldNames.country: found nothing': [/^  country: .*/m, ''],
		':LINE skipToContents: found a member that does not exist': ['skipToContent:', 'skipToContents:'],
		':LINE language: found “English”': [/^language: .*/m, 'language: English'],
		'description: found the fact nam': [/\{\{name\}\}/, '{{nam}}'],
	},
	'content/ar/contact.yaml': {
		'left.few: found nothing': [/(?<=^left:\n(  .*\n)*)  few: .*/m, ''],
		':LINE over.many: found no {count}': [/(?<=^over:\n(  .*\n)*)  many: .*/m, '  many: x'],
	},
	'content/ja/contact.yaml': {
		'over.few: found a member that does not exist': [/(?<=^over:\n)/m, '  few: "{count}"\n'],
	},
	'content/nl/privacy.mdx': {
		':LINE: found the English words “This website sets no cookies, and loads nothing from other companies.”': [
			/Thís wébsíté séts[^.]*\./,
			'This website sets no cookies, and loads nothing from other companies.',
		],
		'found no <Link to="email.privacy">': ['<Link to="email.privacy" />', 'x'],
	},
	'content/nl/not-found.mdx': {
		':1: found no <Fact name="name">': ['<Fact name="name" />', 'x'],
		'found <Action>': [/$/, '\n<Action />\n\n[Prívácy](/nl/privacy)\n'],
		':LINE: found the English words “There is no page at this address.”': [
			/(?<=^description: ).*/m,
			'There is no page at this address.',
		],
	},
	'content/ja/privacy.mdx': {
		':LINE: found “Cóókíés” as a heading of level 3': ['## Cóókíés', '### Cóókíés'],
	},
	'content/nl/home.mdx': {
		':LINE: found the English words “No real call.”': [/(?<=caption=")[^"]*/, 'Een voorbeeld. No real call.'],
		':LINE: found the link #prices': ['(#prícés)', '(#prices)'],
	},
	'content/palette.css': {
		':LINE --wram: found a name that does not exist': ['--warm:', '--wram:'],
		':1: found no --control for light': ['--control: ', '--contrl: '],
		[`:${firstDarkLine}: found no --paper for dark`]: [/(--paper: [^]*)--paper: .*/, '$1'],
		':LINE --muted: found it again for light': ['--on-accent:', '--muted: teal; --on-accent:'],
		':LINE --accent: found tael': ['--accent: #336699', '--accent: tael'],
		':LINE --accent-strong: found #33669': ['--accent-strong: #336699', '--accent-strong: #33669'],
		':LINE --shadow: found soft 1px': ['--shadow: 0 1px', '--shadow: soft 1px'],
		':LINE: found what cannot be read': ['\t--error: ', '\t-;error: '],
	},
	'content/logo.svg': {
		':1: found <svg> without viewBox': [' viewBox="0 0 32 32"', ''],
		':LINE: found var(--acent)': ['var(--accent)', 'var(--acent)'],
		':LINE: found <script>': ['</svg>', '<script>alert(1)</script>\n</svg>'],
		':5: found href="https://images.example/sign.png"': ['</svg>', '<image href="https://images.example/sign.png" />\n</svg>'],
		':LINE: found url(https://images.example/warm.svg)': ['fill="var(--warm)"', 'fill="url(https://images.example/warm.svg)"'],
		':7: found what cannot be read': ['</svg>', '<g>\n</svg>'],
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
		await copy.write('content/docs/marked.mdx', `\uFEFF${page('Marked', 9098, 'x')}`);
		await copy.write('content/docs/plain.mdx', page('Plain', 9097, '## What to send'));
		await copy.write('content/docs/draft.mdx', page('Draft', 9099, 'x').replace('order', 'draft: true\norder'));
		for (const [index, prose] of Object.values(pages).entries())
			await copy.write(`content/docs/${placeOf(index)}.mdx`, page(`Page ${index}`, 9100 + index, prose));
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

	test('in the words of mistakes.txt, which leaves out lines, our own texts, and the names of files and fields', async () => {
		const told = output.split('\n').filter((line) => /: found |is not valid YAML/.test(line));
		const words = told.map((line) =>
			line
				.replaceAll(/(?<=\.\w+):\d+/g, ':LINE')
				.replaceAll(/“[^”]*”/g, '“…”')
				.replace(/(?<=wanted .*one of ).*/, '…'),
		);
		await expect(`${words.toSorted().join('\n')}\n`).toMatchFileSnapshot('mistakes.txt');
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
