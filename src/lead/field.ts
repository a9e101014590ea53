import * as z from 'zod';
import { addressPattern, cleanAddress, strayCharacterIn } from './email-address.ts';
import { cleanLine, cleanText, fits, isFarOver, visible } from './text.ts';

/** How people meet a field. */
export type FieldKind = 'text' | 'email' | 'tel' | 'textarea' | 'select' | 'consent' | 'hidden' | 'honeypot';

/** A fault of a value. It ends the error code, and names the text in `contact.yaml` that serves every field. */
export type Fault = 'required' | 'too_long' | 'invalid';

export interface Field {
	kind: FieldKind;
	/** In English. The contact page may have its own words in each language. */
	label: string;
	/** For programs, in Markdown. */
	description: string;
	required: boolean;
	/** Checks a value. The message of an issue is the {@link Fault}, and a value has at most one. */
	schema: z.ZodType<string | undefined>;
	/** All faults that a value can have, except that it is missing. */
	faults: Fault[];
	example: string;
	/** Values to choose from, each with its words in English. */
	choices?: Record<string, string>;
	/** WHATWG HTML, section 4.10.18.7 (autofill). */
	autocomplete?: string;
	/** For text, in code points. */
	maxLength?: number;
	/** For text: cleans it before it is kept. */
	clean?: (value: string) => string;
}

/** The part of a field that the table gives for every kind. */
type Entry = Pick<Field, 'label' | 'description'> & { required?: true };

type TextEntry = Entry & Pick<Field, 'example' | 'autocomplete'> & { maxLength: number };

/** Text: one line, unless its kind says otherwise. If it is required, it must have visible characters. */
export function text({ kind = 'text', ...entry }: TextEntry & { kind?: 'text' | 'tel' | 'textarea' | 'hidden' }): Field {
	const clean = kind === 'textarea' ? cleanText : cleanLine;
	const seen = entry.required && { minLength: 1, pattern: visible.source };
	const schema = cleaned(entry, clean).meta({ ...seen, maxLength: entry.maxLength });
	return fieldOf(entry, { kind, schema, clean, example: entry.example, faults: ['too_long', 'invalid'] });
}

/** One email address that can be answered. If one character makes it invalid, the issue names the character. */
export function email(entry: TextEntry): Field {
	const schema = cleaned(entry, cleanEmail)
		.check(({ value, issues }) => {
			if (value === '' || addressPattern.test(value)) return;
			issues.push({ code: 'custom', message: 'invalid', input: value, params: { character: strayCharacterIn(value) } });
		})
		.meta({ format: 'email', pattern: addressPattern.source, maxLength: entry.maxLength });
	return fieldOf(entry, { kind: 'email', schema, clean: cleanEmail, example: entry.example, faults: ['too_long', 'invalid'] });
}

const cleanEmail = (value: string) => cleanAddress(cleanLine(value));

/** A text far over its limit is refused without cleaning, which takes time. */
const cleaned = ({ maxLength, required }: TextEntry, clean: (value: string) => string) =>
	z
		.string({ error: missingOrInvalid })
		.overwrite((value) => (isFarOver(value, maxLength) ? value : clean(value)))
		.refine((value) => fits(value, maxLength), fault('too_long'))
		.refine((value) => !required || value !== '', fault('required'));

/** A list of which one value is chosen. */
export function select(entry: Entry & Required<Pick<Field, 'choices'>>): Field {
	const values = Object.keys(entry.choices);
	const schema = z.enum(values, { error: missingOrInvalid });
	return fieldOf(entry, { kind: 'select', schema, example: values[0]!, faults: ['invalid'] });
}

/** The checkbox of consent: without it no lead may be kept. Only `on`, exactly as forms send it, is consent. */
export function consent(entry: Entry): Field {
	const schema = z.literal('on', fault('required'));
	return fieldOf({ ...entry, required: true }, { kind: 'consent', schema, example: 'on', faults: [] });
}

/** A field that people do not see and must leave empty. */
export function honeypot(entry: Entry): Field {
	const schema = z.literal('', fault('invalid'));
	return fieldOf(entry, { kind: 'honeypot', schema, clean: cleanLine, example: '', faults: ['invalid'] });
}

/** A form sends `''` for an empty field, and typed clients send `null`. */
const absent = (value: unknown) => (value === null || value === '' ? undefined : value);

const missingOrInvalid = ({ input }: { input?: unknown }): Fault => (absent(input) === undefined ? 'required' : 'invalid');

/** Returns a field for which `null` and `''` mean absence, unless it is required. Its schema gets the annotations for OpenAPI. */
function fieldOf(entry: Entry, own: Omit<Field, keyof Entry>): Field {
	const { description, required = false } = entry;
	const schema = own.schema.meta({ ...own.schema.meta(), description, examples: [own.example] });
	return { ...entry, ...own, required, schema: required ? schema : z.preprocess(absent, schema.optional()) };
}

/** The error of a zod check. No later check runs after it. */
const fault = (name: Fault) => ({ error: name, abort: true });
