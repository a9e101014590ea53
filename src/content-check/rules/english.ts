/** Quotes the English text that a translation lacks, on one line and short enough for a message. */
export function inEnglish(text: string): string {
	const line = text.replaceAll(/\s+/g, ' ').trim();
	return `in English “${line.length > LONG ? `${line.slice(0, LONG)}…` : line}”`;
}

/** In characters: enough to find the text. */
const LONG = 120;
