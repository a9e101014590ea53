/**
 * Cuts a text to at most `max` UTF-16 code units, never inside a character as a reader sees it. Services count characters in
 * different ways, but none counts more characters than there are code units.
 *
 * @param ending replaces the rest, and counts
 */
export function truncate(text: string, max: number, ending = '…'): string {
	if (text.length <= max) return text;
	const end = cutPoints(text).findLast((cut) => cut + ending.length <= max) ?? 0;
	return text.slice(0, end) + ending;
}

/** A longer character, in code units, belongs to no language: it may be cut between code points. */
const LONGEST_CHARACTER = 64;

/** Returns where a text may be cut, in UTF-16 code units: between characters as a reader sees them (UAX 29), and at both ends. */
export function cutPoints(text: string): number[] {
	const positions = [0];
	for (const { segment, index } of new Intl.Segmenter().segment(text)) {
		if (segment.length <= LONGEST_CHARACTER) positions.push(index + segment.length);
		else for (const point of segment) positions.push(positions.at(-1)! + point.length);
	}
	return positions;
}
