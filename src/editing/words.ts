import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseContentFile } from '../service/content-file.ts';
import { defaultLanguage } from '../service/language.ts';
import { complaining, type Mistake, told } from '../service/mistake.ts';
import { factMistakes } from './facts.ts';
import { textIn } from './files.ts';
import { languageWords } from './language-files.ts';
import { languagesOf } from './language-folders.ts';
import { ownName } from './language-tag.ts';
import { braceMistakes, counterpartOf, placeholderMistakes } from './placeholders.ts';
import type { Site } from './site.ts';
import { untranslatedMistakes } from './untranslated.ts';
import { dataIn, type Text, textsIn } from './word-texts.ts';
import { schemaIn, withLeadWords, wordsSchemas } from './words-schema.ts';

/** What is wrong with the words of each language. */
export const wordMistakes = (site: Site): string[] =>
	languageWords.flatMap((name) => {
		const files = languagesOf(site.root)
			.map((language) => ({ language, name, file: `content/${language}/${name}.yaml` }))
			.filter(({ file }) => existsSync(path.join(site.root, file)));
		const own = files.find(({ language }) => language === defaultLanguage);
		// As it stands: what is wrong with it is told once.
		const english = withLeadWords(name, own && dataIn(textIn(site.root, own.file, [])));
		return files.flatMap((file) => fileMistakes(file, file === own ? undefined : english, site));
	});

interface WordFile {
	language: string;
	name: (typeof languageWords)[number];
	file: string;
}

function fileMistakes({ language, name, file }: WordFile, english: unknown, site: Site): string[] {
	const messages: string[] = [];
	const source = textIn(site.root, file, messages);
	// What stands in other bytes is a guess.
	if (messages.length > 0) return messages;
	complaining(messages, () => parseContentFile(file, source, schemaIn(language, wordsSchemas[name], english)));
	for (const text of textsIn(source))
		for (const mistake of textMistakes(text, language, english, site))
			messages.push(told(file, { ...mistake, line: text.line, field: text.place.join('.') }));
	return messages;
}

function* textMistakes({ place, line, text }: Text, language: string, english: unknown, site: Site): Generator<Mistake> {
	const field = place.join('.');
	const ownMistakes = (text: string) => [...factMistakes(text, site), ...placeholderMistakes(field, text)];
	const counterpart = counterpartOf(place, english, language);
	const own = ownMistakes(text);
	yield* own;
	if (counterpart === undefined) return;
	if (own.length === 0 && ownMistakes(counterpart.text).length === 0) yield* braceMistakes(text, counterpart);
	if (field === 'language' && text === counterpart.text)
		yield { found: `“${text}”`, wanted: `what the language calls itself, such as “${ownName(language)}”` };
	else yield* untranslatedMistakes([{ text, line }], [counterpart.text], language);
}
