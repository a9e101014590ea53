import * as z from 'zod';
import { addressPattern, cleanAddress, strayCharacterIn } from './email-address.ts';
import { cleanLine, cleanText, fits, isFarOver, visible } from './text.ts';

/** How people meet a field. */
export type FieldKind = 'text' | 'email' | 'tel' | 'textarea' | 'consent' | 'hidden' | 'honeypot';

/** A fault of a value. It ends the error code, and names the text in `contact.yaml` that serves every field. */
export type Fault = 'required' | 'too_long' | 'invalid';

/** The part of a field that every kind has. */
interface Entry {
	/** In English. The contact page may have its own words in each language. */
	label: string;
	/** For programs, in Markdown. */
	description: string;
	required?: true;
}

interface TextEntry extends Entry {
	/** In code points. */
	maxLength: number;
	example: string;
	/** WHATWG HTML, section 4.10.18.7 (autofill). */
	autocomplete?: string;
}

/** A member of a lead. */
export interface Field {
	kind: FieldKind;
	label: string;
	description: string;
	required: boolean;
	/** Checks a value. The message of an issue is the {@link Fault}, and a value has at most one. */
	schema: z.ZodType<string | undefined>;
	/** All faults that a value can have, except that it is missing. */
	faults: Fault[];
	example: string;
	autocomplete?: string;
	/** For text, in code points. */
	maxLength?: number;
	/** For text: cleans it before it is kept. */
	clean?: (value: string) => string;
}

/** Text: one line, unless its kind says otherwise. If it is required, it must have visible characters. */
export function text({ kind = 'text', ...entry }: TextEntry & { kind?: 'text' | 'tel' | 'textarea' | 'hidden' }): Field {
	const { example, maxLength, required } = entry;
	const clean = kind === 'textarea' ? cleanText : cleanLine;
	const seen = required && { minLength: 1, pattern: visible.source };
	const schema = cleaned(entry, clean).meta({ ...annotationsOf(entry, example), ...seen, maxLength });
	return fieldOf(entry, { kind, schema, clean, example, faults: ['too_long', 'invalid'] });
}

/** One email address that can be answered. An issue that it is invalid names the character that makes it so, if one does. */
export function email(entry: TextEntry): Field {
	const { example, maxLength } = entry;
	const schema = cleaned(entry, cleanEmail)
		.check(({ value, issues }) => {
			if (value === '' || addressPattern.test(value)) return;
			issues.push({ code: 'custom', message: 'invalid', input: value, params: { character: strayCharacterIn(value) } });
		})
		.meta({ ...annotationsOf(entry, example), format: 'email', pattern: addressPattern.source, maxLength });
	return fieldOf(entry, { kind: 'email', schema, clean: cleanEmail, example, faults: ['too_long', 'invalid'] });
}

const cleanEmail = (value: string) => cleanAddress(cleanLine(value));

/** A text far over its limit is refused without cleaning, which takes time. */
const cleaned = ({ maxLength, required }: TextEntry, clean: (value: string) => string) =>
	z
		.string({ error: ({ input }): Fault => (absent(input) === undefined ? 'required' : 'invalid') })
		.overwrite((value) => (isFarOver(value, maxLength) ? value : clean(value)))
		.refine((value) => fits(value, maxLength), fault('too_long'))
		.refine((value) => !required || value !== '', fault('required'));

/** The checkbox without which nothing may be kept. Only exactly `on`, as forms send it, is consent. */
export function consent(entry: Entry): Field {
	const schema = z.literal('on', fault('required')).meta(annotationsOf(entry, 'on'));
	return fieldOf({ ...entry, required: true }, { kind: 'consent', schema, example: 'on', faults: [] });
}

/** A field that people do not see and must leave empty. */
export function honeypot(entry: Entry): Field {
	const schema = z.literal('', fault('invalid')).meta(annotationsOf(entry, ''));
	return fieldOf(entry, { kind: 'honeypot', schema, clean: cleanLine, example: '', faults: ['invalid'] });
}

/** A form sends `''` for an empty field, and typed clients send `null`. */
const absent = (value: unknown) => (value === null || value === '' ? undefined : value);

/** Returns a field for which `null` and `''` mean absence, unless it is required. */
function fieldOf<E extends Entry>(entry: E, own: Omit<Field, keyof Entry>): Field {
	const required = entry.required ?? false;
	const schema = required ? own.schema : z.preprocess(absent, own.schema.optional());
	return { ...entry, ...own, required, schema };
}

/** Returns the OpenAPI annotations of a field. */
const annotationsOf = ({ label, description }: Entry, example: string) => ({
	title: label,
	description,
	examples: [example],
});

/** The error of a zod check. No later check runs after it. */
const fault = (name: Fault) => ({ error: name, abort: true });
