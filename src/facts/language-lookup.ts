import { lookup } from 'bcp-47-match';

/** In characters: no range that says more than these could find another of ours (RFC 5646, section 4.4.1). */
const LONGEST_RANGE = 35;

/**
 * Finds the first of the languages asked for that is among ours, by lookup (RFC 4647, section 3.4): `de-AT` finds `de`, and so does `DE`.
 * What is no text asks for none.
 */
export function lookupAmong(tags: string[]): (asked: unknown[]) => string | undefined {
	// Of several tags that a range begins with, the library takes the first.
	const longestFirst = tags.toSorted((one, other) => other.length - one.length);
	return (asked) => {
		const ranges = asked.filter((range) => typeof range === 'string' && range.length <= LONGEST_RANGE);
		return lookup(longestFirst, ranges as string[]);
	};
}
