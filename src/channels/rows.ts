import { domainOf, withOwnLetters } from '../lead/email-address.ts';
import type { FieldKind } from '../lead/field.ts';
import { type Lead, leadFields } from '../lead/lead.ts';
import { sourceText } from '../lead/source.ts';
import { nameOf } from '../lead/words.ts';

/** A link with its words. */
export interface Link {
	label: string;
	url: string;
}

/** One item of a message. */
export interface Row {
	/** Identifies a row that some channel shows in its own way. For a lead's field it is the field's name. */
	name?: string;
	label: string;
	/** May have several lines. */
	value: string;
	/** `false`: for mail only. */
	inChat?: boolean;
	/** The visitor's own words, however long. */
	freeText?: boolean;
	/** In mail: what the value names, as links. */
	links?: Link[];
	/** The visitor's question comes first, and how the lead came comes last, in small print. */
	place?: 'first' | 'last' | undefined;
}

/**
 * Returns a row for each field that has a value, in the order of the fields, in the reader's language. Leaves out the consent, of
 * which each caller says more. A stored lead may lack any field, and may have fields that no longer exist.
 */
export function fieldRows(lead: Partial<Lead>, language: string): Row[] {
	const given = new Map(Object.entries(lead).filter(([, value]) => value !== undefined && value !== ''));
	const rows = leadFields.flatMap((field): Row[] => {
		const value = given.get(field.name);
		given.delete(field.name);
		if (value === undefined || field.kind === 'consent') return [];
		const { name, kind } = field;
		const shown = { lang: languageLabel, source: sourceText, email: withLetters }[name as 'lang']?.(value, language) ?? value;
		return [{ name, label: nameOf(field, language), value: shown, freeText: kind === 'textarea', place: places[kind] }];
	});
	const retired = Array.from(given, ([name, value]) => ({ name, label: name, value: String(value), freeText: true }));
	return [...rows, ...retired];
}

/** Returns rows that every channel shows alike, of values by their labels. */
export const rowsOf = (values: Record<string, string>): Row[] =>
	Object.entries(values).map(([label, value]) => ({ label, value }));

/** Writes a link as plain text. */
export const linkText = ({ label, url }: Link) => `${label}: ${url}`;

/** Returns the row of mails that has these links; none without links. */
export const linkRows = (label: string, links: Link[]): Row[] =>
	links.length === 0 ? [] : [{ label, value: links.map(linkText).join('\n'), links, inChat: false }];

const places: Partial<Record<FieldKind, Row['place']>> = { textarea: 'first', hidden: 'last' };

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

/** Returns the rows in the order of a message. */
export const inPlaces = (rows: Row[]): Row[][] =>
	(['first', undefined, 'last'] as const).map((place) => rows.filter((row) => row.place === place));

/** Indents each of several lines, so that none of them can pose as a row. */
export const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ');

/** Returns rows as plain text, with an empty line between places. */
export const textOf = (rows: Row[]): string =>
	inPlaces(rows)
		.filter(({ length }) => length > 0)
		.map((group) => group.map(lineOf).join('\n'))
		.join('\n\n');

const lineOf = ({ label, value }: Row) => (value.includes('\n') ? `${label}:\n${indented(value)}` : `${label}: ${value}`);

/** Cuts a text to at most `max` UTF-16 code units, which no service undercounts, between characters as a reader sees them (UAX 29). */
export function truncate(text: string, max: number, ending = '…'): string {
	if (text.length <= max) return text;
	const end = new Intl.Segmenter().segment(text).containing(max - ending.length)?.index;
	return text.slice(0, end ?? 0) + ending;
}
