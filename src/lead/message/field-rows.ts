import { domainOf, withOwnLetters } from '../email-address.ts';
import type { FieldKind } from '../field.ts';
import { type FieldName, type Lead, type LeadField, leadFields } from '../lead.ts';
import { nameOf, wordsOf } from '../words.ts';

/**
 * Returns a row for each field that has a value, in the order of the fields, in the reader's language. Leaves out the consent, of
 * which each caller says more. A stored lead may lack any field, and may have fields that no longer exist.
 */
export function fieldRows(lead: Partial<Lead>, language: string): Row[] {
	const values: Record<string, unknown> = lead;
	const rows = leadFields.flatMap((field) => {
		const { name, kind } = field;
		const value = values[name];
		if (value === undefined || value === '' || kind === 'consent') return [];
		const show = shownByName[name] ?? shown[kind] ?? asItIs;
		const label = nameOf(field, language);
		return [{ name, label, value: show(String(value), language, field), freeText: kind === 'textarea', place: places[kind] }];
	});
	return [...rows, ...retired(values)];
}

const places: Partial<Record<FieldKind, Row['place']>> = { textarea: 'first', hidden: 'last' };

/** Rows of fields that no longer exist: only their names are known. */
const retired = (values: Record<string, unknown>): Row[] =>
	Object.entries(values)
		.filter(([name, value]) => value !== undefined && value !== '' && !leadFields.some((field) => field.name === name))
		.map(([name, value]) => ({ name, label: name, value: String(value), freeText: true }));

type Shown = (value: string, language: string, field: LeadField) => string;

const asItIs: Shown = (value) => value;
const ofChoice: Shown = (value, language, field) =>
	wordsOf(field, language).options.find((option) => option.value === value)?.label ?? value;

/** How the sales team reads a value of some kinds. */
const shown: Partial<Record<FieldKind, Shown>> = { email: withLetters, select: ofChoice };

const shownByName: Partial<Record<FieldName, Shown>> = { lang: languageLabel };

/** Returns a language with its name, `German (de)`, or the tag alone if it names no known language. */
function languageLabel(tag: string, language: string): string {
	try {
		const name = new Intl.DisplayNames(language, { type: 'language', fallback: 'none' }).of(tag);
		return name === undefined ? tag : `${name} (${tag})`;
	} catch {
		return tag;
	}
}

/** Shows a domain beyond ASCII in both forms (RFC 3492): people know its letters, but those may look like others. */
function withLetters(address: string): string {
	const letters = withOwnLetters(address);
	return letters === address ? address : `${letters} (${domainOf(address)})`;
}

/** One item of a message. */
export interface Row {
	/** Identifies the row for channels that show some rows in their own way. For a lead it is the field's name. */
	name: string;
	label: string;
	/** May have several lines. */
	value: string;
	/** `false`: for mail only. */
	inChat?: boolean;
	/** The visitor's own words, however long. */
	freeText?: boolean;
	/** The place in a message: what the visitor wants to know comes first, and how the lead came comes last, in small print. */
	place?: 'first' | 'last' | undefined;
}

/** Returns the rows in the order of a message. */
export const inPlaces = (rows: Row[]): Row[][] =>
	(['first', undefined, 'last'] as const).map((place) => rows.filter((row) => row.place === place));

/** Rows as plain text, with an empty line between places. */
export const textOf = (rows: Row[]): string =>
	inPlaces(rows)
		.filter(({ length }) => length > 0)
		.map((group) => group.map(lineOf).join('\n'))
		.join('\n\n');

/** Indents a value of several lines, so that none of them can pose as a row. */
function lineOf({ label, value }: Row): string {
	return value.includes('\n') ? `${label}:\n${value.replace(/^(?=.)/gm, '  ')}` : `${label}: ${value}`;
}
