import { LineCounter, parseDocument } from 'yaml';

/** A text in a file of words. */
export interface Text {
	/** The names that lead to it, or its index in a list. */
	place: string[];
	line: number;
	text: string;
}

/** Returns the data of a YAML text, or none if it is not valid: the parser would only guess then. */
export function dataIn(source: string): unknown {
	const document = parseDocument(source);
	return document.errors.length > 0 ? undefined : document.toJS();
}

/** Returns every text in a YAML file, if the file is valid. */
export function textsIn(source: string): Text[] {
	const lines = new LineCounter();
	const document = parseDocument(source, { lineCounter: lines });
	if (document.errors.length > 0) return [];
	return [...textsOf(document.toJS())].map(([place, text]) => {
		const node = document.getIn(place, true) as { range?: [number, number, number] } | undefined;
		return { place, text, line: lines.linePos(node?.range?.[0] ?? 0).line };
	});
}

function* textsOf(value: unknown, place: string[] = []): Generator<[place: string[], text: string]> {
	if (typeof value === 'string') yield [place, value];
	else if (typeof value === 'object' && value !== null)
		for (const [name, member] of Object.entries(value)) yield* textsOf(member, [...place, name]);
}
