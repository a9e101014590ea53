import type * as z from 'zod';
import { fillParts, localeOf } from '../facts/language.ts';
import { copyIn } from '../facts/load.ts';
import type { ProblemError } from './answer.ts';
import type { Fault } from '../lead/field.ts';
import { type ErrorCode, type LeadField, leadFields } from '../lead/lead.ts';
import { wordsOf } from '../lead/words.ts';

/** One fault of a lead: an item of `errors` in the answer. The pointer `#` is the lead as a whole. */
export interface FieldError extends ProblemError {
	/** Stable: the field's name, then what is wrong, e.g. `email_invalid`, `name_required`, `message_too_long`. */
	code: ErrorCode | typeof NOT_OBJECT;
}

/** The code of a body that is JSON, but not an object. */
export const NOT_OBJECT = 'body_not_object';

/** Who reads the errors: a visitor sees fields and boxes, a program sees members and values. */
export type Reader = 'visitor' | 'program';

/** Returns the faults that `leadSchema` found, in the order of the fields, at most one for each field. */
export function fieldErrors({ issues }: z.ZodError, reader: Reader, language: string): FieldError[] {
	return issues.map((issue) => {
		const field = leadFields.find(({ name }) => name === issue.path[0])!;
		const fault = issue.message as Fault;
		const { character } = ('params' in issue && (issue.params as Pick<Context, 'character'>)) || {};
		const detail = detailOf(field, fault, { reader, language, character });
		return { pointer: `#/${field.name}`, code: `${field.name}_${fault}`, detail };
	});
}

export const notObjectError = (language: string): FieldError => ({
	pointer: '#',
	code: NOT_OBJECT,
	detail: copyIn(language).invalidLead.errors[NOT_OBJECT],
});

interface Context {
	reader: Reader;
	language: string;
	/** The character that makes the value invalid, if one alone does. */
	character?: string | undefined;
}

function detailOf(field: LeadField, fault: Fault, { reader, language, character }: Context): string {
	const { errors, invalidLead } = copyIn(language);
	const texts = reader === 'visitor' ? errors : invalidLead.errors;
	// As functions: most errors need one of them or none.
	const words: Record<string, () => string> = {
		member: () => field.name,
		character: () => character ?? '',
		label: () => wordsOf(field, language).label,
		max: () => String(field.maxLength?.toLocaleString(localeOf(language))),
	};
	const text = character ? texts.character : (texts[`${field.name}_${fault}`] ?? texts[fault]);
	return fillParts(text, (name) => words[name]?.()).join('');
}
