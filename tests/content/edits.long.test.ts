import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { languages } from '../../src/facts/load.ts';
import { TestProcess } from '../support/process.ts';
import { copyOfProject } from '../support/project-copy.ts';
import { shared } from '../support/shared.ts';

type Copy = Awaited<ReturnType<typeof copyOfProject>>;

const tags = [...new Set([...languages, 'nl'])];

/** What others change, each right by itself. No test is about the words, the prices or the number of anything that we have today. */
const edits: Record<string, (copy: Copy) => Promise<void>> = {
	'another language': async (copy) => {
		await copy.addLanguage('nl');
		await copy.edit('content/nl/site.yaml', /^language: .*/m, 'language: Nederlands');
	},
	'a page of documentation': async (copy) => {
		const prose = '## Weekdays\n\nFrom nine to five, to the [limits](/docs/send-a-lead).\n';
		await copy.write('content/docs/hours.mdx', `---\ntitle: Hours\ndescription: When we answer.\norder: 2.5\n---\n\n${prose}`);
	},
	'a question on the start page': async (copy) => {
		for (const language of tags) {
			const question = `<Question title="${language}-tea?">\n\n${language}-tea.\n\n</Question>\n\n`;
			await copy.edit(`content/${language}/home.mdx`, '<Question', `${question}$&`);
		}
	},
	'a long step after a message was sent': async (copy) => {
		for (const language of tags) {
			const step = `${language}-step `.repeat(20).trim();
			await copy.edit(`content/${language}/contact.yaml`, /^( {4}- .*\n)+/m, `$&    - ${step}\n`);
		}
	},
	'a document': (copy) =>
		copy.edit('src/discovery/documents.ts', /^\tplain\('\/robots/m, "\tplain('/humans.txt', 'Who we are.', () => 'We.\\n'),\n$&"),
	'a file that is published as it is': (copy) => copy.write('public/google123.html', 'google-site-verification: google123.html'),
	'another price': (copy) => copy.setFacts({ prices: { currency: 'EUR', payAsYouGo: { from: 0.61 }, plans: { from: 145 } } }),
	'another company': (copy) =>
		copy.setFacts({
			name: 'Nachtglocke',
			company: 'Glockenwerk GmbH',
			identifier: 'nachtglocke-web',
			emails: { sales: 'hallo@glocken.example', privacy: 'daten@glocken.example', security: 'luecken@glocken.example' },
		}),
	/** The list of the recipe in `src/lead/README.md`, with other words in other languages. */
	'a list to choose from': async (copy) => {
		const entry = /^   role: [^]*?^   }\),$/m.exec(await readFile('src/lead/README.md', 'utf8'))![0];
		const [, choices = ''] = /(choices: .*),/.exec(entry) ?? [];
		await copy.edit('src/lead/lead.ts', /^\tmessage: /m, `${entry}\n$&`);
		for (const language of tags.slice(1)) {
			const own = choices.replaceAll(/(?<=: ')/g, `${language}-`);
			await copy.edit(`content/${language}/site.yaml`, /^fieldNames:\n/m, `$&  role: ${language}-role\n`);
			await copy.edit(`content/${language}/contact.yaml`, /^fields:\n/m, `$&  role: { label: ${language}-role, ${own} }\n`);
		}
	},
};

/** The project with its tests, without what is installed, built or private, after all edits. */
const copy = shared(async () => {
	const copy = await copyOfProject(languages);
	const parts = (await readdir('.')).filter((part) => !existsSync(copy.at(part)));
	for (const part of parts.filter((part) => !/^(node_modules|dist|var|\.git|\.astro|\.env|secrets)$/.test(part)))
		await cp(part, copy.at(part), { recursive: true });
	await symlink(path.resolve('node_modules'), copy.at('node_modules'));
	// Tests of READMEs ask git for the files.
	execFileSync('git', ['init', '--quiet'], { cwd: copy.at('') });
	for (const edit of Object.values(edits)) await edit(copy);
	return copy;
});

const translated = tags.slice(1).map((language) => ['translated', '--', language]);
const shards = [1, 2, 3].map((shard) => ['test:short', '--', `--shard=${shard}/3`]);
// The copy has no interactive reference.
const browser = ['test:browser', '--', '--grep-invert', 'explorer'];

test.each([...translated, ['check:content'], ['test:build'], ...shards, browser])(
	'after every edit in one copy, npm run finds nothing: %s',
	async (...script) => {
		await using running = new TestProcess(['run', '--silent', ...script], { cwd: copy().at(''), program: 'npm' });
		expect(await running.exit(), running.output.slice(-20_000)).toBe(0);
	},
);
