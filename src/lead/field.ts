import * as z from 'zod';

/** How people meet a field. Code that shows fields has a row for each: `satisfies Record<FieldKind, …>`. */
export type FieldKind =
	'text' | 'email' | 'tel' | 'textarea' | 'number' | 'select' | 'radios' | 'checkbox' | 'consent' | 'hidden' | 'honeypot';

/** A fault of a value. It ends the error code, and names the text in `contact.yaml` that serves every field. */
export type Fault = 'required' | 'too_long' | 'invalid' | 'unknown' | 'out_of_range' | 'not_on';

/** The part of a field that every kind has. */
export interface Entry {
	/** In English. The contact page may have its own words in each language. */
	label: string;
	/** For programs, in Markdown. */
	description: string;
	required?: true;
}

/** A member of a lead. */
export interface Field<Schema extends z.ZodType = z.ZodType> extends Omit<Entry, 'required'> {
	kind: FieldKind;
	required: boolean;
	/** Checks a value. The message of an issue is the {@link Fault}, and a value has at most one. */
	schema: Schema;
	/** All faults that a value can have, except that it is missing. */
	faults: Fault[];
	example: string | number;
	/** WHATWG HTML, section 4.10.18.7 (autofill). */
	autocomplete?: string | undefined;
	/** For text, in code points. */
	maxLength?: number;
	/** For text that one expression describes. The form uses it too, so it must mean the same with the flag `v`. */
	pattern?: string;
	/** For text: cleans it before it is kept. */
	clean?: (value: string) => string;
	/** For a number. */
	min?: number;
	max?: number;
	/** For a choice: English labels by value. */
	options?: Record<string, string>;
}

/** A form sends `''` for an empty field, and typed clients send `null`. */
const absent = (value: unknown) => (value === null || value === '' ? undefined : value);
const optional = <Schema extends z.ZodType>(schema: Schema) => z.preprocess(absent, schema.optional());

type Needed<E extends Entry, Schema extends z.ZodType> = E extends { required: true }
	? Schema
	: ReturnType<typeof optional<Schema>>;

/** Returns a field for which `null` and `''` mean absence, unless it is required. */
export function fieldOf<E extends Entry, Schema extends z.ZodType>(
	{ label, description, required = false as never }: E,
	own: Omit<Field<Schema>, keyof Entry>,
): Field<Needed<E, Schema>> {
	const schema = (required ? own.schema : optional(own.schema)) as Needed<E, Schema>;
	return { ...own, label, description, required, schema };
}

/** Returns the OpenAPI annotations of a field. */
export const annotationsOf = ({ label, description }: Entry, example: unknown) => ({
	title: label,
	description,
	examples: [example],
});

/** The error of a zod check. No later check runs after it. */
export const fault = (name: Fault) => ({ error: name, abort: true });

/** The error of a zod type: `required` for a missing value, this fault for a value of another type. */
export const requiredOr = (name: Fault) => ({
	error: ({ input }: { input?: unknown }): Fault => (absent(input) === undefined ? 'required' : name),
});
