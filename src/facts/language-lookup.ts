import { lookup } from 'bcp-47-match';

/** In characters: a longer range cannot match more of our languages (RFC 5646, section 4.4.1). */
const LONGEST_RANGE = 35;

/**
 * Finds the first requested language that we have, by lookup (RFC 4647, section 3.4): `de-AT` finds `de`, and so does `DE`.
 * It ignores a request that is not a text.
 */
export function lookupAmong(tags: string[]): (asked: unknown[]) => string | undefined {
	// If a range begins with several tags, the library takes the first.
	const longestFirst = tags.toSorted((one, other) => other.length - one.length);
	return (asked) => {
		const ranges = asked.filter((range) => typeof range === 'string').map((range) => range.trim());
		return lookup(
			longestFirst,
			ranges.filter(({ length }) => length <= LONGEST_RANGE),
		);
	};
}
