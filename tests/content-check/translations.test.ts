import { readFile, rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { checkContent } from '../../src/content-check/check.ts';
import { RECORD, recordTranslations } from '../../src/content-check/rules/translations.ts';
import { copyIn, origin } from '../../src/facts/load.ts';
import { copyOfProject } from '../support/project-copy.ts';

/** A copy with English and one language, whose words are those of another, so that none is English. */
async function translatedCopy(language = 'nl') {
	const copy = await copyOfProject();
	await copy.addLanguage(language);
	recordTranslations(copy.at(''), [language]);
	return Object.assign(copy, {
		check: () => checkContent(copy.at(''), origin),
		/** Returns the places of what is found, without lines: file and field. */
		found: () => {
			const { mistakes, untranslated, outdated } = checkContent(copy.at(''), origin);
			expect(mistakes).toEqual([]);
			const placesOf = (findings: string[]) => findings.map((one) => one.replace(/(:\d+)?( [\w.-]+)?: found .*/, '$2'));
			return { untranslated: placesOf(untranslated), outdated: placesOf(outdated) };
		},
		record: (names = [language]) => recordTranslations(copy.at(''), names),
	});
}

const nothing = { untranslated: [], outdated: [] };

test('a text whose English changed is found in each language until the command records it, which says what it recorded', async () => {
	await using copy = await translatedCopy();
	expect(copy.found()).toEqual(nothing);
	await copy.edit('content/en/contact.yaml', /^title: .*/m, 'title: Ask for anything');
	await copy.edit('content/en/home.mdx', /$/, '\nWe answer on Sundays.\n');
	expect(copy.found()).toEqual({ ...nothing, outdated: ['content/nl/contact.yaml title', 'content/nl/home.mdx'] });
	expect(copy.check().outdated[0]).toMatch(/“Ask for anything”, then npm run --silent translated -- nl\/contact\.yaml\.$/);
	await copy.edit('content/nl/contact.yaml', /^title: .*/m, 'title: Vraag wat u wilt');
	expect(copy.found().outdated).toHaveLength(2);
	for (const names of [['--help'], ['nl', 'nl/hime.mdx'], ['en']])
		expect(() => copy.record(names)).toThrow(new RegExp(`^found ${names.at(-1)}, wanted `));
	expect(copy.record([])).toEqual([]);
	expect(copy.record(['content/nl/home.mdx'])).toEqual(['nl/home.mdx']);
	expect(copy.found().outdated).toEqual(['content/nl/contact.yaml title']);
	expect(copy.record()).toEqual(['nl/contact.yaml title']);
	expect(copy.found()).toEqual(nothing);
});

test('a text is the same with other line ends, and other breaks between its lines', async () => {
	await using copy = await translatedCopy();
	for (const file of ['content/en/contact.yaml', 'content/en/home.mdx', RECORD]) {
		await copy.write(file, (await readFile(copy.at(file), 'utf8')).replaceAll('\n', '\r\n'));
	}
	await copy.edit('content/en/privacy.mdx', /(?<=^\w[^:\n]*) (?=\w)/m, '\n');
	expect(copy.found()).toEqual(nothing);
	expect(copy.record()).toEqual([]);
});

test('a new text is missing first, then has no record; one that is gone leaves none', async () => {
	await using copy = await translatedCopy();
	const { length } = copyIn('en').next.steps;
	const lastStep = /^ {4}- .*\n(?! {4}- )/m;
	await copy.edit('content/en/contact.yaml', lastStep, '    - One more step of ours.\n$&');
	expect(copy.found().untranslated).toEqual([`content/nl/contact.yaml next.steps.${length}`]);
	await copy.edit('content/nl/contact.yaml', lastStep, '    - Een stap.\n$&');
	expect(copy.found()).toEqual({ untranslated: [], outdated: [`content/nl/contact.yaml next.steps.${length - 1}`, RECORD] });
	copy.record();
	for (const file of ['content/en/contact.yaml', 'content/nl/contact.yaml'])
		await copy.edit(file, /^ {4}- .*\n(?= {4}- .*\n {4}- )/m, '');
	copy.record();
	expect(copy.found()).toEqual(nothing);
	expect(await readFile(copy.at(RECORD), 'utf8')).not.toContain(`steps.${length}`);
	await rm(copy.at('content/nl'), { recursive: true });
	expect(copy.found()).toEqual(nothing);
	expect(copy.record([])).toEqual([]);
	expect(await readFile(copy.at(RECORD), 'utf8')).not.toContain('nl/');
});

test('a language in work may have links and headings that differ, and has one list: its files in the order in which to translate them, and their texts, and the command at the end', async () => {
	await using copy = await translatedCopy();
	await copy.edit('content/nl/site.yaml', /^prices: .*/m, 'prices: Wat het kost');
	expect(copy.check().mistakes).toHaveLength(1);
	await rm(copy.at('content/nl/privacy.mdx'));
	expect(copy.found().untranslated).toEqual(['content/nl/privacy.mdx']);
	await copy.write(RECORD, '');
	await copy.edit('content/nl/contact.yaml', /^title: .*\n/m, '');
	await rm(copy.at('content/nl/site.yaml'));
	await copy.write('content/nl/home.mdx', await readFile(copy.at('content/en/home.mdx')));
	const untranslated = ['site.yaml', 'contact.yaml title', 'home.mdx', 'privacy.mdx'].map((place) => `content/nl/${place}`);
	expect(copy.found()).toEqual({ untranslated, outdated: [RECORD] });
});

test('English is found in a language: sentences in words and pages, and words beside a price, however short', async () => {
	await using copy = await translatedCopy();
	const write = async (language: string) => {
		for (const [name, text] of Object.entries({ perMinute: 'a minute', tagline: 'Good. This is the tagline' }))
			await copy.edit(`content/${language}/site.yaml`, new RegExp(`^${name}: .*`, 'm'), `${name}: ${text}`);
		await copy.edit(`content/${language}/home.mdx`, /$/, '\n{/* A comment of ours */}\n\nX. **We *answer* you\nevery day.**\n');
	};
	await write('en');
	copy.record();
	await write('nl');
	const untranslated = ['tagline', 'perMinute'].map((name) => `content/nl/site.yaml ${name}`);
	expect(copy.found()).toEqual({ untranslated: [...untranslated, 'content/nl/home.mdx'], outdated: [] });
});

test('English may have the same short words, once the command has recorded them: until then a build passes', async () => {
	await using copy = await translatedCopy();
	for (const language of ['en', 'nl']) await copy.edit(`content/${language}/site.yaml`, /^privacy: .*/m, 'privacy: Private');
	copy.record();
	expect(copy.found()).toEqual(nothing);
	await copy.edit(RECORD, /^nl\/site.yaml privacy: .*\n/m, '');
	const [same, other] = ['content/nl/site.yaml privacy', 'content/nl/privacy.mdx'];
	expect(copy.found()).toEqual({ untranslated: [], outdated: [same, RECORD] });
	await rm(copy.at(other));
	expect(copy.found()).toEqual({ untranslated: [same, other], outdated: [RECORD] });
});

test('English is no mistake in English of another country', async () => {
	await using copy = await translatedCopy('en-GB');
	for (const file of ['privacy.mdx', 'contact.yaml'])
		await copy.write(`content/en-GB/${file}`, await readFile(copy.at(`content/en/${file}`)));
	// English has the words of fields in code, too.
	expect(copy.found().untranslated.filter((place) => !place.includes(' fields.'))).toEqual([]);
});

test('a list to choose from has the choices of its field in each language: the check names one that is invented, and one that lacks, and a link with another', async () => {
	await using copy = await translatedCopy();
	const field = "desk: field.select({ label: 'Desk', description: 'x', choices: { few: 'A few', other: 'Other' } }),";
	await copy.edit('src/lead/lead.ts', /^(?=\tconsent: field)/m, `\t${field}\n`);
	await copy.edit('content/nl/site.yaml', /^fieldNames:\n/m, '$&  desk: Platz\n');
	const translated = '  desk: { label: Platz, choices: { few: Einige, boss: Chefin } }\n';
	await copy.edit('content/nl/contact.yaml', /^fields:\n/m, `$&${translated}`);
	await copy.edit('content/docs/index.mdx', /$/, '\n[More](/contact#desk=othr)\n');
	const { code, output } = await copy.build();
	expect(code).toBe(1);
	expect(output.match(/(?<=fields\.desk\.)\S+: found .*(?=\.$)/gm)).toEqual([
		'choices.boss: found a member that does not exist, wanted one of few, other',
		'choices.other: found nothing, wanted the translation of the English “Other”',
	]);
	expect(output).toMatch(/index\.mdx:\d+: found the link \/contact#desk=othr, wanted a choice of desk, .* did you mean other\?/);
});
