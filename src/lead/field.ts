import * as z from 'zod';

/** How people meet a field. Whoever shows fields has a row for each: `satisfies Record<FieldKind, …>`. */
export type FieldKind =
	'text' | 'email' | 'tel' | 'textarea' | 'number' | 'select' | 'radios' | 'checkbox' | 'consent' | 'hidden' | 'honeypot';

/** What can be wrong with a value. It ends the error code, and names the text in `contact.yaml` that serves every field. */
export type Fault = 'required' | 'too_long' | 'invalid' | 'unknown' | 'out_of_range' | 'not_on';

/** What is said of a field, whatever its kind. */
export interface Entry {
	/** In English. The contact page may have words of its own for each language. */
	label: string;
	/** For programs, in Markdown. */
	description: string;
	required?: true;
}

/** A member of a lead. */
export interface Field<Schema extends z.ZodType = z.ZodType> extends Omit<Entry, 'required'> {
	kind: FieldKind;
	required: boolean;
	/** Checks a value; the message of an issue is the {@link Fault}, and a value has one at most. */
	schema: Schema;
	/** All that can be wrong with a value, but for its absence. */
	faults: Fault[];
	example: string | number;
	/** WHATWG HTML, section 4.10.18.7 (autofill). */
	autocomplete?: string | undefined;
	/** Of text, in code points. */
	maxLength?: number;
	/** Of text, where one expression says what it must be. For the form as well, so it must mean the same by the flag `v`. */
	pattern?: string;
	/** Of text: as it is kept. */
	clean?: (value: string) => string;
	/** Of a number. */
	min?: number;
	max?: number;
	/** Of a choice: English labels by value. */
	options?: Record<string, string>;
}

/** A form sends `''` for what was left empty, and typed clients send `null`. */
const absent = (value: unknown) => (value === null || value === '' ? undefined : value);
const optional = <Schema extends z.ZodType>(schema: Schema) => z.preprocess(absent, schema.optional());

type Needed<E extends Entry, Schema extends z.ZodType> = E extends { required: true }
	? Schema
	: ReturnType<typeof optional<Schema>>;

/** A field that has `null` and `''` for absence, unless it is required. */
export function fieldOf<E extends Entry, Schema extends z.ZodType>(
	{ label, description, required = false as never }: E,
	own: Omit<Field<Schema>, keyof Entry>,
): Field<Needed<E, Schema>> {
	const schema = (required ? own.schema : optional(own.schema)) as Needed<E, Schema>;
	return { ...own, label, description, required, schema };
}

/** What OpenAPI says of a field beside its rules. */
export const described = ({ label, description }: Entry, example: unknown) => ({
	title: label,
	description,
	examples: [example],
});

/** For a check of zod: nothing is looked at any closer after it. */
export const fault = (name: Fault) => ({ error: name, abort: true });

/** For a type of zod: what is not there at all has that fault, and what has another type this one. */
export const missingOr = (name: Fault) => ({
	error: ({ input }: { input?: unknown }): Fault => (absent(input) === undefined ? 'required' : name),
});
