import { localeOf } from '../facts/language.ts';
import type { Fault } from '../lead/field.ts';
import { type ErrorCode, leadFields } from '../lead/lead.ts';
import type { Copy } from '../facts/words.ts';
import { contactCopy, wordsOf } from '../lead/words.ts';

/** One fault of a lead: an item of `errors` in the answer (RFC 9457 section 3). */
export interface FieldError {
	/** The member: a JSON Pointer as a URI fragment (RFC 6901 section 6), e.g. `#/email`. `#` is the lead as a whole. */
	pointer: string;
	/** Stable: the field's name, then what is wrong, e.g. `email_invalid`, `name_required`, `message_too_long`. */
	code: ErrorCode | typeof NOT_OBJECT;
	/** The fault for people, and the remedy. */
	detail: string;
}

/** The result of a check, as far as it matters here. */
type Failure = { issues: readonly { message: string; path?: readonly unknown[] }[] };

/** The code of a body that is JSON, but not an object. */
export const NOT_OBJECT = 'body_not_object';

/** Returns the faults that `leadSchema` found, at most one for each field. @param reader a visitor sees fields and boxes, a requester of API access those of that page, a program members */
export function fieldErrors({ issues }: Failure, reader: 'visitor' | 'requester' | 'program', language: string): FieldError[] {
	const { accessRequest, ...copy } = contactCopy(language, reader === 'requester');
	const { errors, invalidLead } = copy;
	const texts: Copy['errors'] = reader === 'program' ? invalidLead.errors : errors;
	return issues.map((issue) => {
		const field = leadFields.find(({ name }) => name === issue.path?.[0]);
		if (!field) return { pointer: '#', code: NOT_OBJECT, detail: invalidLead.errors[NOT_OBJECT] };
		const fault = issue.message as Fault;
		const code = `${field.name}_${fault}` as const;
		// If one character alone makes the value invalid.
		const { character } = ('params' in issue && (issue.params as { character?: string })) || {};
		// As functions: most errors need one of them or none.
		const values: Record<string, () => string | undefined> = {
			member: () => field.name,
			character: () => character,
			label: () => wordsOf(field, language, copy).label,
			max: () => field.maxLength?.toLocaleString(localeOf(language)),
		};
		// Words for one field are about its label on the contact page.
		const isRenamed = reader === 'requester' && accessRequest.fields[field.name];
		const text = character ? texts.character : (!isRenamed && texts[code]) || texts[fault];
		const detail = text.replace(/\{(\w+)\}/g, (part, name: string) => values[name]?.() ?? part);
		return { pointer: `#/${field.name}`, code, detail };
	});
}
