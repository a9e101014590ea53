import { wordsIn } from '../../facts/load.ts';
import { withAsciiDomain, withOwnLetters } from '../email-address.ts';
import type { FieldKind } from '../field.ts';
import { type FieldName, type Lead, type LeadField, leadFields } from '../lead.ts';
import { nameOf, wordsOf } from '../words.ts';
import type { Row } from './row.ts';

/**
 * A row for each field that was given, in their order, in the language of who reads it. The consent is left out: each of those who show
 * it says more of it. A stored lead may lack any field, and have some that there are no more.
 */
export function fieldRows(lead: Partial<Lead>, language: string): Row[] {
	const values: Record<string, unknown> = lead;
	const rows = leadFields.flatMap((field) => {
		const { name, kind } = field;
		const value = values[name];
		if (value === undefined || value === '' || kind === 'consent') return [];
		const show = shownByName[name] ?? shown[kind];
		return [{ name, label: nameOf(field, language), value: show(String(value), language, field), freeText: kind === 'textarea' }];
	});
	return [...rows, ...retired(values)];
}

/** All that is known of what was given for a field that there is no more: its name. */
const retired = (values: Record<string, unknown>): Row[] =>
	Object.entries(values)
		.filter(([name, value]) => value !== undefined && value !== '' && !leadFields.some((field) => field.name === name))
		.map(([name, value]) => ({ name, label: name, value: String(value), freeText: true }));

type Shown = (value: string, language: string, field: LeadField) => string;

const asItIs: Shown = (value) => value;
const ofBox: Shown = (value, language) => (value === 'on' ? wordsIn(language).team.ticked : value);
const ofChoice: Shown = (value, language, field) =>
	wordsOf(field, language).options.find((option) => option.value === value)?.label ?? value;

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

const shownByName: Partial<Record<FieldName, Shown>> = { lang: inWords };

/** A language by its name, `German (de)`; what names none that is known, as it is. */
function inWords(tag: string, language: string): string {
	try {
		const name = new Intl.DisplayNames(language, { type: 'language', fallback: 'none' }).of(tag);
		return name === undefined ? tag : `${name} (${tag})`;
	} catch {
		return tag;
	}
}

/** A domain beyond ASCII shows both forms (RFC 3492): its letters are what people know, and may look like others. */
function plainly(address: string): string {
	const ascii = withAsciiDomain(address);
	const letters = withOwnLetters(ascii);
	return letters === ascii ? address : `${letters} (${ascii.slice(ascii.lastIndexOf('@') + 1)})`;
}
