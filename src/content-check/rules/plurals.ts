import * as z from 'zod';
import { countedSchema } from '../../facts/words.ts';
import { quotedEnglish } from '../read/word-texts.ts';

/** Returns a language's plural categories (CLDR) with their numbers. Some have none of the numbers that we count. */
function formsOf(language: string): Map<string, number[]> {
	const rules = new Intl.PluralRules(language);
	// The whole numbers that a page may count.
	const byForm = Map.groupBy(Array(1001).keys(), (number) => rules.select(number));
	return new Map(rules.resolvedOptions().pluralCategories.map((form) => [form, byForm.get(form) ?? []]));
}

/** Returns the schema of words about a number: every form that the language needs, and no other. */
export function pluralSchema(language: string, english: Record<string, unknown>): z.ZodType {
	const members = [...formsOf(language)].map(([form, numbers]) => {
		const text = english[form] ?? english['other'] ?? '';
		const wanted = `the words for ${examples(numbers)}: in ${quotedEnglish(String(text))}`;
		const words = z.string(wanted).trim().min(1, wanted);
		return [form, numbers.length > 0 ? words : words.optional()] as const;
	});
	return z.strictObject({ other: countedSchema.shape.other, ...Object.fromEntries(members) }).prefault({} as never);
}

/** Returns whether a form is for one number only, which the text need not name then. */
export const isOneNumber = (language: string, form: string): boolean => formsOf(language).get(form)?.length === 1;

const examples = (numbers: number[]) => {
	const listed = new Intl.ListFormat('en').format(numbers.slice(0, 3).map(String));
	return numbers.length > 3 ? `numbers such as ${listed}` : listed;
};
