/** How many letters may be wrong, missing or too many. */
const TOLERANCE = 2;

/** The word that was probably meant; undefined: none comes near. */
export function nearest(word: string, words: string[]): string | undefined {
	const [best] = words
		.map((candidate) => ({ candidate, distance: candidate.startsWith(word) ? 0 : distance(word, candidate) }))
		.toSorted((one, other) => one.distance - other.distance);
	return best && best.distance <= TOLERANCE ? best.candidate : undefined;
}

/** Levenshtein's: how many letters to change, add or leave out. */
function distance(one: string, other: string): number {
	let row = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (const [line, letter] of [...one].entries()) {
		const next = [line + 1];
		for (const [index, wanted] of [...other].entries())
			next.push(Math.min(next[index]! + 1, row[index + 1]! + 1, row[index]! + Number(letter !== wanted)));
		row = next;
	}
	return row.at(-1)!;
}
