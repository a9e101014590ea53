import * as z from 'zod';
import { errorCodes, leadFields } from '../lead/lead.ts';
import { copySchema } from '../service/copy.ts';
import { countedSchema } from '../service/counted.ts';
import { siteWordsSchema } from '../service/site-words.ts';
import { inEnglish } from './english.ts';
import { countedIn } from './plural-forms.ts';

const { fields, errors, submit: text, accessRequest } = copySchema.shape;
const optional = <Value extends z.ZodType>(names: string[], value: Value) =>
	z.strictObject(Object.fromEntries(names.map((name) => [name, value.optional()])));
const fieldNames = leadFields.map(({ name }) => name);
/** The same without consent: what a visitor has agreed to is one text in each language. */
const ownFieldNames = leadFields.filter(({ kind }) => kind !== 'consent').map(({ name }) => name);

/** What the files of words may hold, with the fields of the lead and the codes of its errors by name. */
export const wordsSchemas = {
	contact: copySchema.extend({
		fields: z.strictObject(
			Object.fromEntries(
				leadFields.map(({ name, options = {} }) => [
					name,
					fields.valueType.extend({ options: optional(Object.keys(options), text).optional() }).optional(),
				]),
			),
		),
		accessRequest: accessRequest.extend({ fields: optional(ownFieldNames, accessRequest.shape.fields.valueType) }),
		errors: z.strictObject({ ...optional(errorCodes, text).shape, ...errors.shape }),
	}),
	site: siteWordsSchema.extend({ fieldNames: optional(fieldNames, text) }),
};

export type WordsName = keyof typeof wordsSchemas;

/** The words of the lead itself, which serve in English where its files have none. */
const leadWords: Record<WordsName, object> = {
	contact: {
		fields: Object.fromEntries(
			leadFields.filter(({ kind }) => kind !== 'hidden').map(({ name, label, options = {} }) => [name, { label, options }]),
		),
	},
	site: { fieldNames: Object.fromEntries(leadFields.map(({ name, label }) => [name, label])) },
};

/** All that a language has to say. */
export const withLeadWords = (name: WordsName, english: unknown): unknown => laidOver(leadWords[name], english);

/** What a file of words must hold in a language: all that is there in English, told in the words that it has there. */
export function schemaIn(language: string, schema: z.ZodType, english: unknown): z.ZodType {
	if (english === undefined) return schema;
	if (schema instanceof z.ZodOptional) return schemaIn(language, schema.unwrap() as z.ZodType, english);
	if (schema === countedSchema) return countedIn(language, membersOf(english));
	if (schema instanceof z.ZodObject) {
		const words = membersOf(english);
		const members = Object.entries(schema.shape as Record<string, z.ZodType>).map(
			([name, member]) => [name, schemaIn(language, member, words[name])] as const,
		);
		// Where nothing is there, it is each word that is missing.
		return z.strictObject(Object.fromEntries(members)).prefault({});
	}
	const wanted = `what is ${inEnglish([english].flat().join(' '))}`;
	return Array.isArray(english) ? z.array(text, wanted).length(english.length, wanted) : z.string(wanted).trim().min(1, wanted);
}

/** Of what an editor wrote, which may be anything. */
const membersOf = (value: unknown): Record<string, unknown> => (typeof value === 'object' ? { ...value } : {});

/** The members of both, at any depth: where both have one, the upper. */
function laidOver(lower: unknown, upper: unknown): unknown {
	if (typeof lower !== 'object' || typeof upper !== 'object') return upper ?? lower;
	const members = Object.entries(upper ?? {}).map(([name, member]) => [name, laidOver(membersOf(lower)[name], member)]);
	return { ...lower, ...Object.fromEntries(members) };
}
