import * as z from 'zod';
import { addressPattern, isAddress, longLocalPart, withAsciiDomain } from './email-address.ts';
import { annotationsOf, type Entry, fault, fieldOf, requiredOr } from './field.ts';
import { fits, isFarOver } from './length.ts';
import { cleanLine, cleanText, visible } from './text.ts';

interface TextEntry extends Entry {
	/** Without a kind, the text is one line. */
	kind?: 'tel' | 'textarea' | 'hidden';
	/** In code points. */
	maxLength: number;
	example: string;
	autocomplete?: string;
}

/** Text. If it is required, it must have visible characters. */
export function text<const E extends TextEntry>(entry: E) {
	const { kind = 'text', example, maxLength, required } = entry;
	const clean = kind === 'textarea' ? cleanText : cleanLine;
	const seen = required && { minLength: 1, pattern: visible.source };
	const schema = cleaned(entry, clean).meta({ ...annotationsOf(entry, example), ...seen, maxLength });
	return fieldOf(entry, { ...ofText(entry), kind, schema, clean });
}

/** One email address that can be answered. Its domain may be in its international form, and is kept in ASCII. */
export function email<const E extends Omit<TextEntry, 'kind'>>(entry: E) {
	const pattern = addressPattern.source;
	const schema = cleaned(entry, cleanAddress)
		.refine((value) => value === '' || isAddress(value), fault('invalid'))
		.meta({
			...annotationsOf(entry, entry.example),
			format: 'email',
			pattern,
			not: { pattern: longLocalPart.source },
			maxLength: entry.maxLength,
		});
	return fieldOf(entry, { ...ofText(entry), kind: 'email', schema, pattern, clean: cleanAddress });
}

const cleanAddress = (value: string) => withAsciiDomain(cleanLine(value));

/** A text far over its limit is refused without cleaning, which takes time. */
const cleaned = ({ maxLength, required }: TextEntry, clean: (value: string) => string) =>
	z
		.string(requiredOr('invalid'))
		.overwrite((value) => (isFarOver(value, maxLength) ? value : clean(value)))
		.refine((value) => fits(value, maxLength), fault('too_long'))
		.refine((value) => !required || value !== '', fault('required'));

const ofText = ({ maxLength, example, autocomplete }: TextEntry) => ({
	maxLength,
	example,
	autocomplete,
	faults: ['too_long', 'invalid'] as ('too_long' | 'invalid')[],
});

/**
 * One of several values, each with its label.
 *
 * @public for a field to come
 */
export function choice<const E extends Entry & { kind: 'select' | 'radios'; options: Record<string, string> }>(entry: E) {
	const { kind, options } = entry;
	const values = Object.keys(options) as (keyof E['options'] & string)[];
	const meanings = values.map((value) => `\`${value}\`: ${options[value]}`).join('; ');
	const example = values[0]!;
	const description = `${entry.description} ${meanings}.`;
	const schema = z.enum(values, requiredOr('unknown')).meta(annotationsOf({ ...entry, description }, example));
	return fieldOf(entry, { kind, schema, options, example, faults: ['unknown'] });
}

/**
 * A whole number. Forms send it as text.
 *
 * @public for a field to come
 */
export function number<const E extends Entry & { min: number; max: number; example: number }>(entry: E) {
	const { min, max, example } = entry;
	const description = `${entry.description} A string of digits is taken too, with or without a sign and white space around.`;
	const schema = z
		.int(requiredOr('out_of_range'))
		.min(min, fault('out_of_range'))
		.max(max, fault('out_of_range'))
		.meta(annotationsOf({ ...entry, description }, example));
	return fieldOf(entry, {
		kind: 'number',
		schema: z.preprocess(numeric, schema),
		min,
		max,
		example,
		faults: ['out_of_range'],
	});
}

const numeric = (value: unknown) => (typeof value === 'string' && /^\s*[-+]?\d+\s*$/.test(value) ? Number(value) : value);

/**
 * A checkbox: the literal `on` if it is ticked, as forms send it, and otherwise absent.
 *
 * @public for a field to come
 */
export function checkbox<const E extends Entry>(entry: E) {
	const schema = z.literal('on', requiredOr('not_on')).meta(annotationsOf(entry, 'on'));
	return fieldOf(entry, { kind: 'checkbox', schema, example: 'on', faults: ['not_on'] });
}

/** The checkbox without which nothing may be kept. Only exactly `on` is consent. */
export function consent(entry: Entry) {
	const schema = z.literal('on', fault('required')).meta(annotationsOf(entry, 'on'));
	return fieldOf({ ...entry, required: true }, { kind: 'consent', schema, example: 'on', faults: [] });
}

/** A field that people do not see and must leave empty. */
export function honeypot<const E extends Entry>(entry: E) {
	const schema = z.literal('', fault('invalid')).meta(annotationsOf(entry, ''));
	return fieldOf(entry, { kind: 'honeypot', schema, clean: cleanLine, example: '', faults: ['invalid'] });
}
