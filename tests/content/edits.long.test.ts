import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { languages } from '../../src/facts/load.ts';
import { TestProcess } from '../support/process.ts';
import { copyOfProject } from '../support/project-copy.ts';
import { shared } from '../support/shared.ts';

/** The project with its tests, without what is installed, built or private. */
const copy = shared(async () => {
	const copy = await copyOfProject(languages);
	const parts = (await readdir('.')).filter((part) => !existsSync(copy.at(part)));
	for (const part of parts.filter((part) => !/^(node_modules|dist|var|\.git|\.astro|\.env|secrets)$/.test(part)))
		await cp(part, copy.at(part), { recursive: true });
	await symlink(path.resolve('node_modules'), copy.at('node_modules'));
	// Tests of READMEs ask git for the files.
	execFileSync('git', ['init', '--quiet'], { cwd: copy.at('') });
	return copy;
});

const tags = [...languages, 'nl'];

/** Adds a field of the recipe in `src/lead/README.md`, with other words in other languages. */
async function addField(name: string): Promise<void> {
	const [entry, label] = new RegExp(`^   ${name}: [^]*?label: '(.*)'[^]*?^   }\\),$`, 'm').exec(
		await readFile('src/lead/README.md', 'utf8'),
	)!;
	const [, choices = ''] = /(choices: .*),/.exec(entry) ?? [];
	await copy().edit('src/lead/lead.ts', /^\tmessage: /m, `${entry}\n$&`);
	for (const language of tags.slice(1)) {
		const inLanguage = (words: string) => words.replaceAll(/(?<=: )'?(?=[A-Z])/g, `$&${language}-`);
		await copy().edit(`content/${language}/site.yaml`, /^fieldNames:\n/m, inLanguage(`$&  ${name}: ${label}\n`));
		await copy().edit(
			`content/${language}/contact.yaml`,
			/^fields:\n/m,
			inLanguage(`$&  ${name}: { label: ${label}, ${choices} }\n`),
		);
	}
}

/** What others change, each right by itself. No test is about the words, the prices or the number of anything that we have today. */
const edits: Record<string, () => Promise<void>> = {
	'another language': async () => {
		await cp(copy().at('content/de'), copy().at('content/nl'), { recursive: true });
		await copy().edit('content/nl/site.yaml', 'language: Deutsch', 'language: Nederlands');
	},
	'a page of documentation': () =>
		copy().write(
			'content/docs/opening-hours.mdx',
			'---\ntitle: Opening hours\ndescription: When people answer.\norder: 2.5\n---\n\n## Weekdays\n\nFrom nine to five, to the [limits](/docs/send-a-lead).\n',
		),
	'a question on the start page': async () => {
		for (const language of tags)
			await copy().edit(
				`content/${language}/home.mdx`,
				'<Question',
				`<Question title="${language}-tea?">\n\n${language}-tea.\n\n</Question>\n\n$&`,
			);
	},
	'a document': () =>
		copy().edit(
			'src/discovery/documents.ts',
			/^\tplain\('\/robots/m,
			"\tplain('/humans.txt', 'Who we are.', () => 'We.\\n'),\n$&",
		),
	'another price': () => copy().setFacts({ prices: { currency: 'EUR', payAsYouGo: { from: 0.61 }, plans: { from: 145 } } }),
	'another company': () =>
		copy().setFacts({
			name: 'Nachtglocke',
			company: 'Glockenwerk GmbH',
			identifier: 'nachtglocke-web',
			emails: { sales: 'hallo@glocken.example', privacy: 'daten@glocken.example', security: 'luecken@glocken.example' },
		}),
	'a text field': () => addField('employees'),
	'a list to choose from': () => addField('role'),
};

test('every edit together, and no test that is about code turns red', async () => {
	for (const edit of Object.values(edits)) await edit();
	// The copy has no interactive reference.
	const browser = ['test:browser', '--', '--grep-invert', 'explorer'];
	const translated = tags.slice(1).map((language) => ['translated', '--', language]);
	for (const script of [...translated, ['check:content'], ['test:build'], ['test:short'], browser]) {
		await using running = new TestProcess(['run', '--silent', ...script], { cwd: copy().at(''), program: 'npm' });
		expect([script, await running.exit()], running.output.slice(-20_000)).toEqual([script, 0]);
	}
});
