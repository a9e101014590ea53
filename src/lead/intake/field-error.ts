import type * as z from 'zod';
import type { Copy } from '../../service/copy.ts';
import { type FieldName, type LeadField, leadFields } from '../lead.ts';
import { visible } from '../text.ts';

type Fault = 'required' | 'too_long' | 'invalid';

/** What is wrong with one field, in the visitor's language. */
export interface FieldError {
	field: FieldName;
	/** Stable: the field's name, then what is wrong, e.g. `email_invalid`, `name_required`, `message_too_long`. */
	code: `${FieldName}_${Fault}`;
	detail: string;
}

/** At most one error a field, in the order of the fields. */
export function fieldErrors(error: z.ZodError, input: Record<string, unknown>, copy: Copy): FieldError[] {
	const faulty = new Set(error.issues.map(({ path }) => path[0]));
	return leadFields
		.filter(({ name }) => faulty.has(name))
		.map((field) => {
			const issues = error.issues.filter(({ path }) => path[0] === field.name);
			const fault = faultOf(field, input[field.name], issues);
			const code = `${field.name}_${fault}` as const;
			return { field: field.name, code, detail: detailOf(code, fault, field, copy) };
		});
}

function faultOf(field: LeadField, value: unknown, issues: z.core.$ZodIssue[]): Fault {
	const empty = value === undefined || value === null || (typeof value === 'string' && !visible.test(value));
	if (field.required && (empty || field.control.kind === 'consent')) return 'required';
	return issues.some((issue) => issue.code === 'custom' && issue.params?.['tooLong']) ? 'too_long' : 'invalid';
}

function detailOf(code: string, fault: Fault, field: LeadField, copy: Copy): string {
	return (copy.errors[code] ?? copy.errors[fault])
		.replace('{label}', copy.fields[field.name]?.label ?? field.title)
		.replace('{max}', String(field.maxLength));
}
