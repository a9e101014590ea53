/**
 * A text this many times over its limit is not cleaned: no real text has more characters that cleaning removes. Decomposed
 * Unicode takes up to three times the counted length.
 */
export const FAR_OVER = 4;

/** Returns whether a text, without white space around it, is so far over its limit that cleaning cannot help. */
export const isFarOver = (text: string, max: number): boolean =>
	!fits(text, FAR_OVER * max) && !fits(text.trim(), FAR_OVER * max);

/** Returns whether a text has at most `max` code points. `maxLength` of JSON Schema counts those; `length` counts code units. */
export const fits = (text: string, max: number): boolean =>
	text.length <= max || (text.length <= 2 * max && codePoints(text) <= max);

/** Returns the first `max` code points of a text. */
export const cutTo = (text: string, max: number): string =>
	Array.from(text.slice(0, 2 * max))
		.slice(0, max)
		.join('');

export const codePoints = (text: string): number => [...text].length;
