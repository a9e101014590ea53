/**
 * Cuts a text to at most `max` UTF-16 code units, never inside a character as a reader sees it. Services count characters in one
 * way or another; none counts more of them than there are code units.
 *
 * @param ending stands where the rest is left out, and counts
 */
export function truncate(text: string, max: number, ending = '…'): string {
	if (text.length <= max) return text;
	const end = cuts(text).findLast((cut) => cut + ending.length <= max) ?? 0;
	return text.slice(0, end) + ending;
}

/** A character of more code units than this is no character of any language: it may be cut between code points. */
const LONGEST_CHARACTER = 64;

/** Where a text may be cut, in UTF-16 code units from its start: between characters as a reader sees them (UAX 29), at both ends too. */
export function cuts(text: string): number[] {
	const positions = [0];
	for (const { segment, index } of new Intl.Segmenter().segment(text)) {
		if (segment.length <= LONGEST_CHARACTER) positions.push(index + segment.length);
		else for (const point of segment) positions.push(positions.at(-1)! + point.length);
	}
	return positions;
}
