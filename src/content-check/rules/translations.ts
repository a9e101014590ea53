import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { parseContentFile } from '../../facts/content-file.ts';
import { languagesOf, textIn } from '../../facts/files.ts';
import { defaultLanguage } from '../../facts/language.ts';
import { attempt, ContentError, lineAt, type Mistake, mistakeText, suggestionFor } from '../../facts/mistake.ts';
import { bracesIn, type Counted, countedSchema } from '../../facts/words.ts';
import { membersOf, plain, quotedEnglish, readWords } from '../read/words.ts';
import { neededFiles } from './files.ts';
import { withLeadWords, type WordsName } from './words.ts';

/** Remembers the English that each translation was made from, by a hash. `npm run translated` writes it. */
export const RECORD = 'content/translated.yaml';

const readRecord = (root: string): Record<string, string> =>
	parseContentFile(RECORD, attempt(() => textIn(root, RECORD)).result ?? '', z.record(z.string(), z.string()));

/** The sentences for the editor. A page shows English words in place of what is `untranslated`; what is `outdated` says what English said before. */
export type Findings = Record<'mistakes' | 'untranslated' | 'outdated', string[]>;

/** Finds what is not translated, and translations of an older English, in the order in which to work. @param mistakes those in the content */
export function translationFindings(root: string, mistakes: string[]): Findings {
	const { result: record, mistakes: unread } = attempt(() => readRecord(root));
	/** Each language would repeat a mistake in the English words, but for a file that is missing. */
	const isSure = ({ own, field, englishFile }: Wanted) =>
		(own ?? field) === undefined || !mistakes.some((one) => one.startsWith(englishFile));
	const texts = [...wantedIn(root)]
		.filter(isSure)
		.map((text) => Object.assign(text, { lacking: [...lackingIn(text, record?.[text.key])] }));
	const unfinished = new Set(texts.filter((text) => text.lacking.length > 0 && !isShort(text)).map(({ language }) => language));
	const lackingOf = (isOf: (language: string) => boolean) =>
		texts.flatMap(({ file, language, lacking }) => (isOf(language) ? lacking.map((one) => mistakeText(file, one)) : []));
	const old = texts.filter(
		({ key, english, lacking }) => lacking.length === 0 && record?.[key] && record[key] !== hashOf(english),
	);
	const fresh = texts.filter((text) => record && !record[text.key] && (text.lacking.length === 0 || isShort(text)));
	// A text with a mistake is not untranslated as well.
	const isNew = (one: string) => !mistakes.some((other) => one.startsWith(other.split(' found ', 1)[0]!));
	// Until a language is translated, its links and its headings may differ.
	const isLater = (one: string) => unfinished.has(/ a heading of content\/([^/]+)\//.exec(one)?.[1] ?? '');
	return {
		mistakes: [...unread, ...mistakes.filter((one) => !isLater(one))],
		untranslated: lackingOf((language) => unfinished.has(language)).filter(isNew),
		outdated: [
			...old.map((text) => {
				const wanted = `${text.wanted}, then ${commandFor(nameOf(text.file))}`;
				return mistakeText(text.file, { ...text, found: 'the translation of an older text', wanted });
			}),
			...lackingOf((language) => !unfinished.has(language)),
			...[...Map.groupBy(fresh, ({ language }) => language)].map(([language, { length }]) => {
				const wanted = `${commandFor(language)}, once they say what English says`;
				return mistakeText(RECORD, { found: `nothing on new texts of ${language} (${length})`, wanted });
			}),
		],
	};
}

const commandFor = (name: string) => `npm run --silent translated -- ${name}`;

/** Returns the name of a file of a language for the command, and in {@link RECORD}. */
const nameOf = (file: string) => file.replace(/^content\//, '');

/**
 * Records that translations say what English says now. @returns the texts whose record changed
 * @param names languages, and files of one, such as `de/home.mdx` @throws {ContentError} a name is neither
 */
export function recordTranslations(root: string, names: string[]): string[] {
	const before = readRecord(root);
	const texts = [...wantedIn(root)];
	const known = texts.flatMap(({ language, file }) => [language, nameOf(file)]);
	const chosen = names.map((name) => nameOf(name.replaceAll('\\', '/').replace(/\/$/, '')));
	const wanted = `a language or a file of one, such as ${known.slice(0, 2).join(' or ')}`;
	for (const name of chosen)
		if (!known.includes(name)) throw new ContentError([`found ${name}, wanted ${suggestionFor(name, known, wanted)}`]);
	const lines = texts.flatMap(({ key, english, own, language, file }) => {
		const hash = chosen.includes(language) || chosen.includes(nameOf(file)) ? hashOf(english) : before[key];
		return own !== undefined && hash ? [{ key, hash }] : [];
	});
	const heading = '# The English that each translation was made from, by a hash. `npm run translated` writes this file.';
	writeFileSync(path.join(root, RECORD), [heading, ...lines.map(({ key, hash }) => `${key}: '${hash}'`), ''].join('\n'));
	return lines.filter(({ key, hash }) => before[key] !== hash).map(({ key }) => key);
}

/** Line ends, and white space that no page shows, change nothing. */
const hashOf = (text: string) => createHash('sha256').update(plain(text)).digest('hex').slice(0, 8);

/** A text that a translation must have: a text of a file of words, or a page. */
interface Wanted {
	language: string;
	file: string;
	englishFile: string;
	/** Names it in {@link RECORD}. */
	key: string;
	field?: string;
	line?: number;
	english: string;
	/** The translation, if there is one; `found` is in its place, if not. */
	own: string | undefined;
	found: string;
	wanted: string;
	/** The facts and placeholders that it must have. */
	names: string[];
}

/** Yields what each language must have, in the order in which to translate it. A file that is missing, or still English, is one text. */
function* wantedIn(root: string): Generator<Wanted> {
	for (const language of languagesOf(root).slice(1)) {
		const folder = `content/${language}/`;
		for (const file of neededFiles(root).filter((file) => file.startsWith(folder))) {
			const englishFile = file.replace(folder, `content/${defaultLanguage}/`);
			const [own, english = ''] = [file, englishFile].map((one) => attempt(() => textIn(root, one)).result);
			const wanted = `the translation of ${englishFile}`;
			const whole = { language, file, englishFile, key: nameOf(file), english, own, found: 'nothing', wanted, names: [] };
			const isCopy = own !== undefined && isForeign(language) && plain(own) === plain(english);
			if (isCopy) yield { ...whole, own: undefined, found: 'the English text' };
			else if (own !== undefined && file.endsWith('.yaml')) yield* wantedWords(whole, own);
			else yield whole;
		}
	}
}

function* wantedWords(file: Wanted, source: string): Generator<Wanted> {
	const { data, texts, lineOf } = readWords(source);
	// Its syntax is a mistake.
	if (data === undefined) return;
	const own = new Map(texts.map(({ place, text }) => [place.join('.'), text]));
	const words = withLeadWords(path.basename(file.file, '.yaml') as WordsName, readWords(file.english).data);
	const textOf = (field: string) => {
		return { ...file, key: `${file.key} ${field}`, field, line: lineOf(field.split('.')), own: own.get(field) };
	};
	const all = [...wantedTexts(file.language, words)];
	for (const text of all) yield { ...textOf(text.field), ...text };
	const fields = new Set(all.map(({ field }) => field));
	for (const field of own.keys())
		if (!fields.has(field) && fields.has(field.replace(/\.\d+$/, '.0')))
			yield { ...textOf(field), own: undefined, found: 'one more than in English', wanted: 'as many' };
}

/** Finds what a translation lacks: itself, facts and placeholders, and words in the language. @param hash in the record */
function* lackingIn(text: Wanted, hash: string | undefined): Generator<Mistake> {
	const { own, english, field, line, names, found, wanted } = text;
	if (own === undefined) return yield { line, field, found, wanted };
	for (const name of names.filter((braces) => !bracesIn(own).includes(braces)))
		yield { line, field, found: `no ${name}`, wanted: `it, as in ${quotedEnglish(english)}` };
	if (!isForeign(text.language)) return;
	const known = new Set(Array.from(sentencesIn(english), ({ sentence }) => sentence));
	const left = [...sentencesIn(own)].filter(({ sentence }) => known.has(sentence));
	for (const { sentence, index } of field === undefined ? left : left.slice(0, 1))
		yield { line: line ?? lineAt(own, index), field, found: quotedEnglish(sentence), wanted: 'its translation' };
	const isSame = own === english && wordCount(english) > 0 && !(hash && isShort(text));
	const whole = `its translation${isShort(text) ? ', unless it is the same' : ''}`;
	if (left.length === 0 && isSame) yield { line, field, found: quotedEnglish(own), wanted: whole };
}

/** Short words may be the same in two languages, but not beside a price. The command says that they are. */
const isShort = ({ own, english, field = '' }: Wanted) =>
	own === english && wordCount(english) < 3 && !/^per(Minute|Month)$/.test(field);

const isForeign = (language: string) => language.split('-', 1)[0] !== defaultLanguage;

const wordCount = (text: string) => text.replaceAll(/\{[^{}]*\}/g, '').match(/\S*\p{L}\S*/gu)?.length ?? 0;

/** Yields the sentences in YAML or MDX that have three words or more, without tags, marks and comments. */
function* sentencesIn(text: string) {
	const source = text.replaceAll(/\{\/\*[^]*?\*\/\}/g, (comment) => comment.replaceAll(/\S/g, '|'));
	const parts = /(?:(?![<>"*_`#[\](){}|]|\n\s*(?:\n|[-+] |\d+\. |\w+: )|(?<=[.!?:])\s)[^])+/g;
	for (const { 0: part, index } of source.matchAll(parts)) {
		const [before] = /^[-+\d.,;:\s]*/.exec(part)!;
		const sentence = plain(part.slice(before.length));
		if (wordCount(sentence) > 2) yield { sentence, index: index + before.length };
	}
}

type Text = Pick<Wanted, 'english' | 'wanted' | 'names'> & { field: string };

function* wantedTexts(language: string, english: unknown, field = ''): Generator<Text> {
	if (typeof english === 'string')
		yield { field, english, wanted: `the translation of the ${quotedEnglish(english)}`, names: bracesIn(english) };
	else if (isCounted(english) && !field.endsWith('.choices')) yield* wantedForms(language, english, field);
	else
		for (const [name, member] of Object.entries(membersOf(english)))
			yield* wantedTexts(language, member, field ? `${field}.${name}` : name);
}

const isCounted = (words: unknown): words is Counted => countedSchema.safeParse(words).success;

/** Yields the plural forms of the language, with the English words for the numbers of each. */
function* wantedForms(language: string, english: Counted, field: string): Generator<Text> {
	const rules = new Intl.PluralRules(language);
	// The whole numbers that a page may count, by plural category (CLDR).
	for (const [form, numbers] of Map.groupBy(Array(1001).keys(), (number) => rules.select(number))) {
		const text = english[form] ?? english.other;
		const wanted = `the words for ${examples(numbers)}: in ${quotedEnglish(text)}`;
		// A form for one number only need not name it.
		yield { field: `${field}.${form}`, english: text, wanted, names: numbers.length === 1 ? [] : bracesIn(text) };
	}
}

const examples = (numbers: number[]) =>
	(numbers.length > 3 ? 'numbers such as ' : '') + new Intl.ListFormat('en').format(numbers.slice(0, 3).map(String));
