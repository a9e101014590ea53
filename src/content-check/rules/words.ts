import { slug } from 'github-slugger';
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { errorCodes, type LeadField, leadFields } from '../../lead/lead.ts';
import { jsonSchemaOf, mergeOver, parseContentFile } from '../../facts/content-file.ts';
import { languagesOf, textIn } from '../../facts/files.ts';
import { copySchema, siteWordsSchema, text } from '../../facts/words.ts';
import { defaultLanguage, pathIn } from '../../facts/language.ts';
import { paths } from '../../facts/links.ts';
import { attempt, mistakeText } from '../../facts/mistake.ts';
import { factMistakes } from './facts.ts';
import { targetMistakes } from './links.ts';
import type { Content } from '../read/content.ts';
import { membersOf, quotedEnglish, readWords } from '../read/words.ts';

const { fields, errors, invalidLead, accessRequest } = copySchema.shape;
const optional = <Value extends z.ZodType>(names: string[], value: Value) =>
	z.strictObject(Object.fromEntries(names.map((name) => [name, value.optional()])));
/** Gives a schema the description of another, which it replaces. */
const like = <Schema extends z.ZodType>({ description = '' }: z.ZodType, schema: Schema) => schema.describe(description);
/** Returns the schema of error texts, which allows our error codes only. */
const closed = (schema: z.ZodObject & { shape: { invalid: z.ZodType } }) =>
	like(schema, z.strictObject({ ...optional(errorCodes, schema.shape.invalid).shape, ...schema.shape }));
const fieldNames = leadFields.map(({ name }) => name);
const wordsFor = (some: LeadField[]) => z.strictObject(Object.fromEntries(some.map((field) => [field.name, wordsOf(field)])));
const wordsOf = ({ choices = {} }: LeadField) =>
	fields.valueType.extend({ choices: optional(Object.keys(choices), text).optional() }).optional();

/** Consent has the same text on every page of a language. */
const ownOfRequest = leadFields.filter(({ kind }) => kind !== 'consent');

/** The schemas of the files of words, with the lead's fields and error codes by name, in the order in which to translate them. */
const wordsSchemas = {
	site: siteWordsSchema.extend({ fieldNames: like(siteWordsSchema.shape.fieldNames, optional(fieldNames, text)) }),
	contact: copySchema.extend({
		fields: like(fields, wordsFor(leadFields)),
		accessRequest: like(accessRequest, accessRequest.extend({ fields: wordsFor(ownOfRequest) })),
		errors: closed(errors),
		invalidLead: like(invalidLead, invalidLead.extend({ errors: closed(invalidLead.shape.errors) })),
	}),
};

/** Returns the JSON Schema of a file of words for editors' programs: it requires everything that English has, and quotes it. */
export function wordsJsonSchema(root: string, name: WordsName) {
	const file = wordsFile(defaultLanguage, name);
	const english = existsSync(path.join(root, file)) ? readWords(textIn(root, file)).data : undefined;
	return withEnglish(jsonSchemaOf(wordsSchemas[name]), english);
}

function withEnglish(schema: z.core.JSONSchema.BaseSchema, english: unknown) {
	const { properties, description } = schema;
	if (typeof english === 'string') schema.description = `${description ?? ''} (in ${quotedEnglish(english)})`.trim();
	// Each language has plural forms of its own.
	if (!properties || 'few' in properties) return schema;
	const members = Object.entries(membersOf(english)).filter(([name]) => name in properties);
	schema.required = members.map(([name]) => name);
	for (const [name, member] of members) withEnglish(properties[name] as z.core.JSONSchema.BaseSchema, member);
	return schema;
}

export type WordsName = keyof typeof wordsSchemas;
export const wordsNames = Object.keys(wordsSchemas) as WordsName[];

const shownFields = leadFields.filter(({ kind }) => kind !== 'hidden');
/** The words of the lead itself: English uses them where its files have none. */
const leadWords: Record<WordsName, object> = {
	contact: { fields: Object.fromEntries(shownFields.map(({ name, label, choices }) => [name, { label, choices }])) },
	site: { fieldNames: Object.fromEntries(leadFields.map(({ name, label }) => [name, label])) },
};

/** Returns all words that a language must have, in the order of the English file. */
export const withLeadWords = (name: WordsName, english: unknown) =>
	Object.assign(membersOf(english), mergeOver(leadWords[name], english));

/** Finds the mistakes in the words of each language. */
export const wordMistakes = (content: Content): string[] =>
	wordsNames.flatMap((name) => {
		const exists = (language: string) => existsSync(path.join(content.root, wordsFile(language, name)));
		const [english, ...translations] = languagesOf(content.root).filter(exists);
		if (english !== defaultLanguage) return [];
		const own = fileMistakes(content, name, english);
		const words = own.length > 0 ? null : withLeadWords(name, readWords(textIn(content.root, wordsFile(english, name))).data);
		return own.concat(translations.flatMap((language) => fileMistakes(content, name, language, words)));
	});

/** Returns the path of a file of words from the project's root. */
export const wordsFile = (language: string, name: WordsName) => `content/${language}/${name}.yaml`;

/** @param english the words to translate; null if they have mistakes, which each language would repeat */
function fileMistakes(content: Content, name: WordsName, language: string, english?: unknown): string[] {
	const file = wordsFile(language, name);
	const source = textIn(content.root, file);
	const schema = english === null ? z.unknown() : wordsSchemas[name];
	const unread = attempt(() => parseContentFile(file, source, schema, english));
	const { texts, lineOf } = readWords(source);
	const ofTexts = texts.flatMap(({ place, text }) => {
		const line = lineOf(place);
		const field = place.join('.');
		// The header of each page links to these headings of the start page.
		const heading = { line, found: `${field}: ${text}`, path: pathIn(language, paths.home), id: slug(text) };
		const isHeading = /^(prices|questions)$/.test(field) && content.paths.includes(heading.path);
		const links = isHeading ? [...targetMistakes(heading, content)] : [];
		return links.concat([...factMistakes(text, content)].map((mistake) => Object.assign(mistake, { line, field })));
	});
	return [...unread.mistakes, ...ofTexts.map((mistake) => mistakeText(file, mistake))];
}
