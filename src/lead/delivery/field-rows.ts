import { withAsciiDomain, withOwnLetters } from '../email-address.ts';
import type { FieldKind } from '../field.ts';
import { type Lead, leadFields } from '../lead.ts';
import type { Row } from './row.ts';

/**
 * A row for each field that was given, in their order. The consent is left out: each of those who show it says more of it.
 * A stored lead may lack any field, and have some that there are no more.
 */
export function fieldRows(lead: Partial<Lead>): Row[] {
	const values: Record<string, unknown> = lead;
	return [...leadFields, ...retired(lead)].flatMap(({ name, kind, label, options = {} }) => {
		const value = values[name];
		if (value === undefined || value === '' || kind === 'consent') return [];
		return [{ name, label, value: shown[kind](String(value), options), freeText: kind === 'textarea' }];
	});
}

/** All that is known of what was given for a field that there is no more: its name. */
const retired = (lead: object) =>
	Object.keys(lead)
		.filter((name) => !leadFields.some((field) => field.name === name))
		.map((name) => ({ name, label: name, kind: 'textarea' as const, options: {} }));

type Shown = (value: string, options: Record<string, string>) => string;

const asItIs: Shown = (value) => value;
const ofBox: Shown = (value) => (value === 'on' ? 'Yes' : value);
const ofChoice: Shown = (value, options) => options[value] ?? value;

/** How the sales team reads a value. */
const shown = {
	text: asItIs,
	email: plainly,
	tel: asItIs,
	textarea: asItIs,
	number: asItIs,
	select: ofChoice,
	radios: ofChoice,
	checkbox: ofBox,
	consent: ofBox,
	hidden: asItIs,
	honeypot: asItIs,
} satisfies Record<FieldKind, Shown>;

/** A domain beyond ASCII shows both forms (RFC 3492): its letters are what people know, and may look like others. */
function plainly(address: string): string {
	const ascii = withAsciiDomain(address);
	const letters = withOwnLetters(ascii);
	return letters === ascii ? address : `${letters} (${ascii.slice(ascii.lastIndexOf('@') + 1)})`;
}
