import { readYaml } from '../../facts/content-file.ts';

/** A text in a file of words. */
export interface Text {
	/** The names that lead to it, or its index in a list. */
	place: string[];
	line: number;
	text: string;
}

/** Returns the data of a YAML text, or none if it is not valid: the parser would only guess then. */
export function dataIn(source: string): unknown {
	const { document, fault } = readYaml(source);
	return fault ? undefined : document.toJS();
}

/** Returns every text in a YAML file, if the file is valid. */
export function textsIn(source: string): Text[] {
	const { lineOf } = readYaml(source);
	return [...textsOf(dataIn(source))].map(([place, text]) => ({ place, text, line: lineOf(place) }));
}

/** Yields every text in data, with its place. */
export function* textsOf(value: unknown, place: string[] = []): Generator<[place: string[], text: string]> {
	if (typeof value === 'string') yield [place, value];
	else if (typeof value === 'object' && value !== null)
		for (const [name, member] of Object.entries(value)) yield* textsOf(member, [...place, name]);
}

/** Quotes an English text on one line, short enough for a message. */
export function quotedEnglish(text: string): string {
	const line = text.replaceAll(/\s+/g, ' ').trim();
	return `English “${line.length > LONG ? `${line.slice(0, LONG)}…` : line}”`;
}

/** In characters: enough to find the text. */
const LONG = 120;
