/** What is wanted in a translation: the English, on one line and not too long for a message. */
export function inEnglish(text: string): string {
	const line = text.replaceAll(/\s+/g, ' ').trim();
	return `in English “${line.length > LONG ? `${line.slice(0, LONG)}…` : line}”`;
}

/** In characters: enough to find it. */
const LONG = 120;
