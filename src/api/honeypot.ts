import { defaultLanguage } from '../facts/load.ts';
import { fieldErrors } from './field-error.ts';
import { type Lead, type LeadField, leadFields, leadSchema } from '../lead/lead.ts';
import { codePoints, cutTo, fits, isFarOver } from '../lead/text.ts';

/** In code points: how much of the honeypot's text is kept. The field itself has no limit. */
const HONEYPOT_LENGTH = 200;

/**
 * Returns the part of a honeypot hit that is kept: text, cleaned as in any lead, and the valid values of other fields. Longer text is cut
 * to one code point over its limit. Fields may be missing or have faults: the hit is then `faulty`, and nobody can release it.
 */
export function trimHit(submission: Record<string, unknown>): Partial<Lead> {
	const fields = leadFields.map((field) => [field.name, valueToKeep(field, submission[field.name])]);
	return Object.fromEntries(fields.filter(([, value]) => value !== undefined && value !== '')) as Partial<Lead>;
}

function valueToKeep({ clean, maxLength = HONEYPOT_LENGTH, schema }: LeadField, value: unknown): unknown {
	// Not cleaned: cleaning could turn the value into a consent that nobody gave.
	if (clean === undefined) return schema.safeParse(value).data;
	if (typeof value !== 'string') return undefined;
	const farOver = isFarOver(value, maxLength);
	const text = clean(farOver ? cutTo(value.trim(), 2 * maxLength) : value);
	if (fits(text, maxLength) && !farOver) return text;
	// Cleaned again: the cut may part an emoji, and leave invisible characters of it.
	const cut = clean(cutTo(text, maxLength));
	// Cleaning may shorten a text from far over its limit to within it. It was no lead, and the kept text must not look like one.
	return cut + '…'.repeat(Math.max(1, maxLength + 1 - codePoints(cut)));
}

const schemaWithoutHoneypot = leadSchema.omit({ website: true });

/** Returns the faults, other than the honeypot, that keep a hit from being a lead: codes such as `name_required`. */
export function faultsOf(lead: Partial<Lead>): string[] {
	const checked = schemaWithoutHoneypot.safeParse(lead);
	return checked.success ? [] : fieldErrors(checked.error, 'program', defaultLanguage).map(({ code }) => code);
}

/** `website` is the honeypot, which people leave empty. A value that is no string is an ordinary fault. */
export function isHit(input: unknown): boolean {
	const { website } = Object(input) as { website?: unknown };
	return typeof website === 'string' && website !== '';
}
