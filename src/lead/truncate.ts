/**
 * Cuts a text to at most `max` UTF-16 code units, never inside a character. Services count characters in one way or another;
 * none counts fewer than there are code units.
 *
 * @param ending stands where the rest is left out, and counts
 */
export function truncate(text: string, max: number, ending = '…'): string {
	if (text.length <= max) return text;
	return text.slice(0, max - ending.length).replace(/[\uD800-\uDBFF]$/, '') + ending;
}
