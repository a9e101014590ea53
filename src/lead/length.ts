/**
 * How many times as long as it may be a text is still worth cleaning, in UTF-16 code units: of what is taken away in cleaning, no
 * real text has more. Unicode in its decomposed form takes up to three times what is counted.
 */
export const FAR_OVER = 4;

/** Is a text, white space around it aside, so far beyond its limit that cleaning could not help? */
export const isFarOver = (text: string, max: number): boolean =>
	text.length > FAR_OVER * max && text.trim().length > FAR_OVER * max;

/** Does a text have at most so many code points? That is how `maxLength` of JSON Schema counts; `length` counts UTF-16 code units. */
export const fits = (text: string, max: number): boolean =>
	text.length <= max || (text.length <= 2 * max && codePoints(text) <= max);

/** The first so many code points of a text. */
export const cutTo = (text: string, max: number): string =>
	Array.from(text.slice(0, 2 * max))
		.slice(0, max)
		.join('');

/** How many code points a text has. */
export const codePoints = (text: string): number => [...text].length;
