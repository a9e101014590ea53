import { existsSync } from 'node:fs';
import path from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { parseContentFile } from '../service/content-file.ts';
import { defaultLanguage } from '../service/language.ts';
import { complaining, type Mistake, told } from '../service/mistake.ts';
import { factMistakes } from './facts.ts';
import { textIn } from './files.ts';
import { languagesOf, languageWords } from './language-folders.ts';
import { braceMistakes, counterpartOf, placeholderMistakes } from './placeholders.ts';
import type { Site } from './site.ts';
import { untranslatedMistakes } from './untranslated.ts';
import { schemaIn, withLeadWords, type WordsName, wordsSchemas } from './words-schema.ts';

/** A text of a file of words. */
interface Text {
	place: string[];
	line: number;
	text: string;
}

/** What is wrong with the words of each language. */
export function wordMistakes(site: Site): string[] {
	const messages: string[] = [];
	for (const name of languageWords) {
		const file = fileOf(name, defaultLanguage);
		// What is wrong with it is told below, and no other language is compared with it then.
		const english = complaining([], () => parseContentFile(file, sourceOf(site.root, file, []) ?? '', wordsSchemas[name]));
		for (const language of languagesOf(site.root)) {
			const isDefault = language === defaultLanguage;
			const wanted = english && (isDefault ? english : withLeadWords(name, english));
			messages.push(...fileMistakes(site, name, language, wanted));
		}
	}
	return messages;
}

const fileOf = (name: WordsName, language: string) => `content/${language}/${name}.yaml`;

const sourceOf = (root: string, file: string, messages: string[]) =>
	existsSync(path.join(root, file)) ? textIn(root, file, messages) : undefined;

function fileMistakes(site: Site, name: WordsName, language: string, english: object | undefined): string[] {
	const messages: string[] = [];
	const file = fileOf(name, language);
	const source = sourceOf(site.root, file, messages);
	if (source === undefined) return messages;
	complaining(messages, () => parseContentFile(file, source, schemaIn(language, wordsSchemas[name], english)));
	for (const text of textsIn(source))
		for (const mistake of textMistakes(text, language, english, site))
			messages.push(told(file, { ...mistake, line: text.line, field: text.place.join('.') }));
	return messages;
}

/** Where it is not valid, what stands where is a guess. */
function textsIn(source: string): Text[] {
	const lines = new LineCounter();
	const document = parseDocument(source, { lineCounter: lines });
	if (document.errors.length > 0) return [];
	return [...textsOf(document.toJS())].map(([place, text]) => {
		const node = document.getIn(place, true) as { range?: [number, number, number] } | undefined;
		return { place, text, line: lines.linePos(node?.range?.[0] ?? 0).line };
	});
}

function* textsOf(value: unknown, place: string[] = []): Generator<[place: string[], text: string]> {
	if (typeof value === 'string') yield [place, value];
	else if (typeof value === 'object' && value !== null)
		for (const [name, member] of Object.entries(value)) yield* textsOf(member, [...place, name]);
}

function* textMistakes({ place, line, text }: Text, language: string, english: unknown, site: Site): Generator<Mistake> {
	yield* factMistakes(text, site);
	const counterpart = language === defaultLanguage ? undefined : counterpartOf(place, english, language);
	if (counterpart === undefined) return yield* placeholderMistakes(place.join('.'), text);
	yield* braceMistakes(text, counterpart);
	yield* untranslatedMistakes([{ text, line }], [counterpart.text], language);
}
