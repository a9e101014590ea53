import { ContentError, mistakeText, suggestionFor } from './mistake.ts';

/** Returns the text of one fact. @param file the file that names it, for the message @throws {ContentError} no fact has this name */
export function fact(facts: Record<string, string>, name: string, file: string): string {
	if (facts[name] !== undefined) return facts[name];
	throw new ContentError([mistakeText(file, { found: `the fact ${name}`, wanted: suggestionFor(name, Object.keys(facts)) })]);
}

/** Replaces each `{{name}}` by its fact. @throws {ContentError} as {@link fact} */
export const fillFacts = (text: string, facts: Record<string, string>, file: string): string =>
	text.replace(factInWords, (_, name: string) => fact(facts, name, file));

export const factInWords = /\{\{\s*([^{}]*?)\s*\}\}/g;
/** Matches a fact in a block of code. Double braces of the code itself have spaces in them. */
export const factInCode = /\{\{([^{}\s]+)\}\}/g;
