import type * as z from 'zod';
import { localeOf } from '../../service/language.ts';
import { copyIn } from '../../service/load.ts';
import type { Fault } from '../field.ts';
import { type ErrorCode, type FieldName, type LeadField, leadFields } from '../lead.ts';
import { wordsOf } from '../words.ts';

/** What is wrong with one field, in the visitor's language. */
export interface FieldError {
	field: FieldName;
	/** Stable: the field's name, then what is wrong, e.g. `email_invalid`, `name_required`, `message_too_long`. */
	code: ErrorCode;
	detail: string;
}

/** What `leadSchema` found, in the order of the fields: at most one error each. */
export function fieldErrors({ issues }: z.ZodError, language: string): FieldError[] {
	return issues.map(({ path, message }) => {
		const field = leadFields.find(({ name }) => name === path[0])!;
		const fault = message as Fault;
		return { field: field.name, code: `${field.name}_${fault}`, detail: detailOf(field, fault, language) };
	});
}

function detailOf(field: LeadField, fault: Fault, language: string): string {
	const { errors } = copyIn(language);
	const numeral = (number: number | undefined) => String(number?.toLocaleString(localeOf(language)));
	// Most errors need one of them or none.
	const words: Record<string, () => string> = {
		label: () => wordsOf(field, language).label,
		min: () => numeral(field.min),
		max: () => numeral(field.maxLength ?? field.max),
		options: () =>
			wordsOf(field, language)
				.options.map(({ value, label }) => `${value} (${label})`)
				.join(', '),
	};
	return (errors[`${field.name}_${fault}`] ?? errors[fault]).replace(/\{(\w+)\}/g, (_, name: string) => words[name]!());
}
