import { fillWords, isolate, languageName } from '../facts/language.ts';
import { wordsIn } from '../facts/load.ts';
import { addressText } from '../lead/email-address.ts';
import type { FieldKind } from '../lead/field.ts';
import { type Lead, leadFields } from '../lead/lead.ts';
import { meantAddress } from '../lead/mail-providers.ts';
import { sourceText } from '../lead/source.ts';
import { nameOf, wordsOf } from '../lead/words.ts';

export type Link = { label: string; url: string };

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
	/** HTML shows these links in place of the value, which has them as plain text. */
	links?: Link[];
	/** The visitor's question comes first, and how the lead came comes last, in small print. */
	place?: 'first' | 'last';
}

/**
 * Returns a row for each field that has a value, in the order of the fields, in the reader's language, and one of doubts about the
 * address. Leaves out the consent, about which each caller says more. A stored lead may lack any field, and may have fields that no
 * longer exist. @param noMail the domain, or the address, that takes no mail
 */
export function fieldRows(lead: Partial<Lead>, language: string, noMail?: string): Row[] {
	const given = new Map(Object.entries(lead).filter(([, value]) => value !== undefined && value !== ''));
	const rows = leadFields.flatMap((field): Row[] => {
		const value = given.get(field.name);
		given.delete(field.name);
		if (value === undefined || field.kind === 'consent') return [];
		const { name, kind } = field;
		const said = { lang: languageLabel, source: sourceText, email: addressText }[name as 'lang']?.(value, language);
		const shown = said ?? wordsOf(field, language).choices.get(value) ?? value;
		return [{ name, label: nameOf(field, language), value: shown, freeText: kind === 'textarea', place: places[kind] }];
	});
	const retired = Array.from(given, ([name, value]) => ({ name, label: name, value: String(value), freeText: true }));
	return [...rows, ...doubtRows(lead, language, noMail), ...retired];
}

/** Returns the row of an address that mail may not reach, if there is a doubt: it takes none, or was mistyped. */
function doubtRows({ email = '', phone = '' }: Partial<Lead>, language: string, domain?: string): Row[] {
	const { checkAddress, meant, noMail, noMailCall } = wordsIn(language).team;
	const known = meantAddress(email);
	const doubts = [
		...(domain === undefined ? [] : [fillWords(phone ? noMailCall : noMail, { domain, phone })]),
		...(known === undefined ? [] : [fillWords(meant, { email: known })]),
	];
	return doubts.length === 0 ? [] : [{ label: checkAddress, value: doubts.join('\n') }];
}

/** Returns a row for each value by its label. All channels show such rows alike. */
export const rowsOf = (values: Record<string, string>) => Object.entries(values).map(([label, value]) => ({ label, value }));

/** Returns the row that has these links, for mail only. Without links there is no row. */
export function linkRows(label: string, links: Link[]): Row[] {
	const value = links.map((link) => `${link.label}: ${link.url}`).join('\n');
	return links.length === 0 ? [] : [{ label, value, links, inChat: false }];
}

/** Matches a phone number with its country code: no other means the same everywhere (RFC 3966 section 5.1.4). */
export const fullNumber = /^\+\d[\d ().-]{5,}$/;

const places: Partial<Record<FieldKind, Row['place']>> = { textarea: 'first', hidden: 'last' };

/** Returns a language with its name, `German (de)`, or the tag alone if it names no known language. */
function languageLabel(tag: string, language: string): string {
	const name = languageName(tag, language);
	return name === undefined ? tag : `${name} (${tag})`;
}

/** Returns the rows in groups by their places, in the order of a message. */
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

const lineOf = ({ label, value }: Row) =>
	value.includes('\n') ? `${label}:\n${indented(value)}` : `${label}: ${isolated(value, label)}`;

/**
 * Keeps the direction of a value that stands behind a label, if one of them is written from the right: a phone number would read backwards
 * (Unicode Standard Annex 9, section 2.7). It leaves a value alone that begins or ends with a link, which would take in the sign beside it.
 */
export function isolated(value: string, label: string): string {
	const words = value.split(' ');
	const isLinked = [words[0]!, words.at(-1)!].some((word) => /[@.]\p{L}|:\/\//u.test(word));
	const isFromRight = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/.test(label + value);
	return isFromRight && !isLinked ? isolate(value) : value;
}

/** Returns text for programs and terminals, which want none of those signs. */
export const withoutIsolates = (text: string): string => text.replace(/[\u2068\u2069]/g, '');
