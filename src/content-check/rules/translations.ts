import { readYaml } from '../../facts/content-file.ts';
import type { Mistake } from '../../facts/mistake.ts';
import { bracesIn, type Counted, countedSchema } from '../../facts/words.ts';
import { truncate } from '../../lead/text.ts';

/** Finds what a translation lacks of the English words: texts, and facts and placeholders in them. */
export function* translationMistakes(language: string, source: string, english: unknown): Generator<Mistake & { field: string }> {
	const { data, texts, lineOf } = readWords(source);
	if (data === undefined) return;
	const own = new Map(texts.map(({ place, text }) => [place.join('.'), text]));
	const all = [...wantedTexts(language, english)];
	for (const { place, text, wanted, names } of all) {
		const field = place.join('.');
		const line = lineOf(place);
		const translation = own.get(field);
		if (translation === undefined) yield { line, field, found: 'nothing', wanted };
		else
			for (const name of names.filter((braces) => !bracesIn(translation).includes(braces)))
				yield { line, field, found: `no ${name}`, wanted: `it, as in ${quotedEnglish(text)}` };
	}
	const fields = new Set(all.map(({ place }) => place.join('.')));
	for (const field of own.keys())
		if (!fields.has(field) && fields.has(field.replace(/\.\d+$/, '.0')))
			yield { line: lineOf(field.split('.')), field, found: 'one more than in English', wanted: 'as many' };
}

/** A text that a translation must have. */
interface Wanted {
	place: string[];
	/** In English. */
	text: string;
	/** Tells the editor what to write, if it is missing. */
	wanted: string;
	/** The facts and placeholders that it must have. */
	names: string[];
}

/** Yields what a translation must have of English words. */
function* wantedTexts(language: string, english: unknown, place: string[] = []): Generator<Wanted> {
	if (typeof english === 'string')
		yield { place, text: english, wanted: `the translation of the ${quotedEnglish(english)}`, names: bracesIn(english) };
	else if (isCounted(english)) yield* wantedForms(language, english, place);
	else for (const [name, member] of Object.entries(membersOf(english))) yield* wantedTexts(language, member, [...place, name]);
}

const isCounted = (words: unknown): words is Counted => countedSchema.safeParse(words).success;

/** Yields the plural forms of the language, with the English words for the numbers of each. */
function* wantedForms(language: string, english: Counted, place: string[]): Generator<Wanted> {
	const rules = new Intl.PluralRules(language);
	// The whole numbers that a page may count, by plural category (CLDR).
	for (const [form, numbers] of Map.groupBy(Array(1001).keys(), (number) => rules.select(number))) {
		const text = english[form] ?? english.other;
		const wanted = `the words for ${examples(numbers)}: in ${quotedEnglish(text)}`;
		// A form for one number only need not name it.
		yield { place: [...place, form], text, wanted, names: numbers.length === 1 ? [] : bracesIn(text) };
	}
}

const examples = (numbers: number[]) => {
	const listed = new Intl.ListFormat('en').format(numbers.slice(0, 3).map(String));
	return numbers.length > 3 ? `numbers such as ${listed}` : listed;
};

/** Reads a file of words. If it is not valid YAML, `data` is undefined, and there are no texts: the parser would only guess. */
export function readWords(source: string) {
	const { document, fault, lineOf } = readYaml(source);
	const data: unknown = fault ? undefined : document.toJS();
	return { data, texts: [...textsOf(data)], lineOf };
}

/** Returns the members of a value that an editor wrote, which may have any type. */
export const membersOf = (value: unknown): Record<string, unknown> => (typeof value === 'object' ? { ...value } : {});

/** Yields every text in data, with its place: the names of members, and indexes in lists, that lead to it. */
function* textsOf(value: unknown, place: string[] = []): Generator<{ place: string[]; text: string }> {
	if (typeof value === 'string') yield { place, text: value };
	else for (const [name, member] of Object.entries(membersOf(value))) yield* textsOf(member, [...place, name]);
}

/** Quotes an English text on one line, short enough for a message, and long enough to find the text. */
export const quotedEnglish = (text: string): string => `English “${truncate(text.replaceAll(/\s+/g, ' ').trim(), 120)}”`;
