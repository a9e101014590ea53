import { closestMatch } from 'leven';

/** The word that was probably meant; undefined: none comes near. */
export function nearest(word: string, words: readonly string[]): string | undefined {
	// Of a long word, more letters may be wrong, missing or too many.
	const maxDistance = Math.max(2, Math.floor(word.length / 4));
	return words.find((candidate) => candidate.startsWith(word)) ?? closestMatch(word, words, { maxDistance });
}

/** What to write in the place of a word that does not exist: the nearest, or else what begins as it does, or how the others begin. */
export function instead(word: string, words: readonly string[]): string {
	if (words.length === 0) return 'but there is none';
	const meant = nearest(word, words);
	if (meant !== undefined) return `one that exists: did you mean ${meant}?`;
	const related = words.filter((candidate) => candidate.startsWith(`${word.split('.', 1)[0]!}.`));
	const beginnings = new Set(words.map((candidate) => candidate.replace(/^(\w+\.).*/, '$1…')));
	return `one of ${(related.length > 0 ? related : [...beginnings]).toSorted().join(', ')}`;
}
