import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { withLeadWords, wordsNames } from '../../src/content-check/rules/words.ts';
import { bracesIn, countedSchema } from '../../src/facts/words.ts';
import { pages } from '../fixtures/site/pages.ts';

/** Where `npm run test:build` puts the small site. */
export const SMALL_SITE = 'var/test/site';
/** The files of its build that browsers may load. */
export const smallClient = `${SMALL_SITE}/dist/client`;

/**
 * Writes the project with the content of `tests/fixtures/site` in place of ours: another company, in English and Arabic. Its words are
 * their own names, so that no test of code hangs on a sentence. It has no interactive reference, which takes most of the time of a build.
 */
export function writeSmallSite(): void {
	for (const part of ['content', 'public', 'src']) rmSync(`${SMALL_SITE}/${part}`, { recursive: true, force: true });
	const write = (file: string, text: string | Uint8Array) => {
		mkdirSync(path.dirname(`${SMALL_SITE}/${file}`), { recursive: true });
		writeFileSync(`${SMALL_SITE}/${file}`, text);
	};
	for (const part of ['src', 'astro.config.mjs', 'package.json', 'tsconfig.json', 'content/palette.yaml'])
		cpSync(part, `${SMALL_SITE}/${part}`, { recursive: true });
	cpSync('tests/fixtures/site/service.yaml', `${SMALL_SITE}/content/service.yaml`);
	write('src/site/reference/explorer-view.ts', '');
	write('public/sounds/call.mp3', 'No sound.');
	write('public/old.txt', 'Once at https://www.website.test/nowhere');
	write('public/line.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="9" />');
	for (const folder of ['docs', 'docs/guides']) write(`content/${folder}/slip.png`, dot);
	for (const [file, text] of Object.entries(pages)) {
		write(`content/${file}`, text);
		if (file.startsWith('en/')) write(`content/ar${file.slice(2)}`, text.replaceAll(/\ben /g, 'ar '));
	}
	for (const name of wordsNames) {
		const words = withLeadWords(name, parse(readFileSync(`content/en/${name}.yaml`, 'utf8')));
		for (const language of ['en', 'ar']) write(`content/${language}/${name}.yaml`, stringify(namesIn(words, [language])));
	}
	rmSync(`${SMALL_SITE}/node_modules`, { force: true });
	symlinkSync(path.resolve('node_modules'), `${SMALL_SITE}/node_modules`, 'junction');
}

/** An image of one pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const dot = Buffer.from(png, 'base64');

/** Replaces each text by its place, which begins with the language, and by the facts and placeholders that it has. */
function namesIn(words: unknown, place: string[]): unknown {
	if (typeof words === 'string') return [...place, ...bracesIn(words)].join(' ');
	if (Array.isArray(words)) return words.map((entry, index) => namesIn(entry, [...place, String(index)]));
	const members = Object.entries(Object(formsOf(place[0]!, place.at(-1), words)) as object);
	return Object.fromEntries(members.map(([name, member]) => [name, namesIn(member, [...place, name])]));
}

/** Returns counted words with the plural forms of a language, and other words as they are. @param name of the words */
export function formsOf(language: string, name: unknown, words: unknown): unknown {
	const { success, data } = countedSchema.safeParse(name === 'choices' || words);
	if (!success) return words;
	const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
	return Object.fromEntries(pluralCategories.map((form) => [form, data[form] ?? data.other]));
}
