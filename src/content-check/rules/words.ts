import { slug } from 'github-slugger';
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { errorCodes, leadFields } from '../../lead/lead.ts';
import { jsonSchemaOf, parseContentFile } from '../../facts/content-file.ts';
import { copySchema, countedSchema, siteWordsSchema, text } from '../../facts/words.ts';
import { defaultLanguage, pathIn } from '../../facts/language.ts';
import { paths } from '../../facts/links.ts';
import { collectMistakes, type Mistake, mistakeText } from '../../facts/mistake.ts';
import { factMistakes } from './facts.ts';
import { languagesOf, languageWords, textIn } from '../read/files.ts';
import { counterpartMistakes, counterpartOf, placeholderMistakes } from './placeholders.ts';
import { pluralSchema } from './plurals.ts';
import type { Site } from '../read/read-site.ts';
import { dataIn, quotedEnglish, type Text, textsIn } from '../read/word-texts.ts';

const { fields, errors, invalidLead, accessRequest } = copySchema.shape;
const optional = <Value extends z.ZodType>(names: string[], value: Value) =>
	z.strictObject(Object.fromEntries(names.map((name) => [name, value.optional()])));
/** Keeps what editors read about a schema that another one replaces. */
const like = <Schema extends z.ZodType>({ description = '' }: z.ZodType, schema: Schema) => schema.describe(description);
/** Returns the schema of error texts, which allows our error codes only. */
const closed = (schema: z.ZodObject) => like(schema, z.strictObject({ ...optional(errorCodes, text).shape, ...schema.shape }));
const fieldNames = leadFields.map(({ name }) => name);
/** The fields without consent, which has the same text on every page of a language. */
const ownFieldNames = leadFields.filter(({ kind }) => kind !== 'consent').map(({ name }) => name);

/** The schemas of the files of words, with the lead's fields and error codes by name. */
const wordsSchemas = {
	contact: copySchema.extend({
		fields: like(
			fields,
			z.strictObject(
				Object.fromEntries(
					leadFields.map(({ name, options = {} }) => [
						name,
						fields.valueType.extend({ options: optional(Object.keys(options), text).optional() }).optional(),
					]),
				),
			),
		),
		accessRequest: like(
			accessRequest,
			accessRequest.extend({ fields: optional(ownFieldNames, accessRequest.shape.fields.valueType) }),
		),
		errors: closed(errors),
		invalidLead: like(invalidLead, invalidLead.extend({ errors: closed(invalidLead.shape.errors) })),
	}),
	site: siteWordsSchema.extend({ fieldNames: like(siteWordsSchema.shape.fieldNames, optional(fieldNames, text)) }),
};

/** Returns the JSON Schema of a file of words for editors' programs: it requires everything that English has, and quotes it. */
export function wordsJsonSchema(root: string, name: WordsName) {
	const file = `content/${defaultLanguage}/${name}.yaml`;
	const english = existsSync(path.join(root, file)) ? dataIn(textIn(root, file, [])) : undefined;
	return withEnglish(jsonSchemaOf(wordsSchemas[name]), english);
}

function withEnglish(schema: z.core.JSONSchema.BaseSchema, english: unknown) {
	const { properties, description } = schema;
	if (typeof english === 'string') schema.description = `${description ?? ''} (in ${quotedEnglish(english)})`.trim();
	// Each language has plural forms of its own.
	if (!properties || 'few' in properties) return schema;
	const members = Object.entries(membersOf(english)).filter(([name]) => name in properties);
	schema.required = members.map(([name]) => name);
	for (const [name, words] of members) withEnglish(properties[name] as z.core.JSONSchema.BaseSchema, words);
	return schema;
}

export type WordsName = keyof typeof wordsSchemas;

/** The words of the lead itself: English uses them where its files have none. */
const leadWords: Record<WordsName, object> = {
	contact: {
		fields: Object.fromEntries(
			leadFields.filter(({ kind }) => kind !== 'hidden').map(({ name, label, options }) => [name, { label, options }]),
		),
	},
	site: { fieldNames: Object.fromEntries(leadFields.map(({ name, label }) => [name, label])) },
};

/** Returns all words that a language must have. */
export const withLeadWords = (name: WordsName, english: unknown): unknown => mergeOver(leadWords[name], english);

/** Returns the schema of a file of words: it requires everything that English has, and its messages quote the English. */
function schemaIn(language: string, schema: z.ZodType, english: unknown): z.ZodType {
	if (english === undefined) return schema;
	if (schema instanceof z.ZodOptional) return schemaIn(language, schema.unwrap() as z.ZodType, english);
	if (schema instanceof z.ZodObject && schema.shape === countedSchema.shape) return pluralSchema(language, membersOf(english));
	if (schema instanceof z.ZodObject) {
		const words = membersOf(english);
		const members = Object.entries(schema.shape as Record<string, z.ZodType>).map(
			([name, member]) => [name, schemaIn(language, member, words[name])] as const,
		);
		// If a whole member is missing, the messages name each of its words.
		return z.strictObject(Object.fromEntries(members)).prefault({});
	}
	const wanted = `the translation of the ${quotedEnglish([english].flat().join(' '))}`;
	return Array.isArray(english) ? z.array(text, wanted).length(english.length, wanted) : z.string(wanted).trim().min(1, wanted);
}

/** Returns the members of a value that an editor wrote, which may have any type. */
const membersOf = (value: unknown): Record<string, unknown> => (typeof value === 'object' ? { ...value } : {});

/** Merges two values at any depth. The upper one wins. */
function mergeOver(lower: unknown, upper: unknown): unknown {
	if (typeof lower !== 'object' || typeof upper !== 'object') return upper ?? lower;
	const members = Object.entries(upper ?? {}).map(([name, member]) => [name, mergeOver(membersOf(lower)[name], member)]);
	return { ...lower, ...Object.fromEntries(members) };
}

/** Finds the mistakes in the words of each language. */
export const wordMistakes = (site: Site): string[] =>
	languageWords.flatMap((name) => {
		const files = languagesOf(site.root)
			.map((language) => ({ language, name, file: `content/${language}/${name}.yaml` }))
			.filter(({ file }) => existsSync(path.join(site.root, file)));
		const own = files.find(({ language }) => language === defaultLanguage);
		// Reads the English unchecked: its own check reports its mistakes once.
		const english = withLeadWords(name, own && dataIn(textIn(site.root, own.file, [])));
		return files.flatMap((file) => wordFileMistakes(file, file === own ? undefined : english, site));
	});

interface WordFile {
	language: string;
	name: WordsName;
	file: string;
}

function wordFileMistakes({ language, name, file }: WordFile, english: unknown, site: Site): string[] {
	const messages: string[] = [];
	const source = textIn(site.root, file, messages);
	// A text in another encoding would be a guess.
	if (messages.length > 0) return messages;
	collectMistakes(messages, () => parseContentFile(file, source, schemaIn(language, wordsSchemas[name], english)));
	for (const text of textsIn(source))
		for (const mistake of wordTextMistakes(file, text, language, english, site))
			messages.push(mistakeText(file, { ...mistake, line: text.line, field: text.place.join('.') }));
	return messages;
}

function* wordTextMistakes(
	file: string,
	{ place, line, text }: Text,
	language: string,
	english: unknown,
	site: Site,
): Generator<Mistake> {
	const field = place.join('.');
	const ownMistakes = (text: string) => [...factMistakes(text, site), ...placeholderMistakes(field, text)];
	const counterpart = counterpartOf(place, english, language);
	const own = ownMistakes(text);
	yield* own;
	// Headings of the start page, to which the header of each page links.
	if (field === 'prices' || field === 'questions')
		site.anchors.push({ file, line, found: `${field}: ${text}`, path: pathIn(language, paths.home), id: slug(text) });
	if (counterpart && own.length === 0 && ownMistakes(counterpart.text).length === 0)
		yield* counterpartMistakes(text, counterpart);
}
