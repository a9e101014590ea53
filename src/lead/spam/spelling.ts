/**
 * Returns text for comparison: in lower case, without accents, and with straight apostrophes. Other scripts lose marks too, such as
 * the hamza of أ and the breve of й.
 */
const fold = (text: string): string =>
	text
		.toLowerCase()
		// Before it too: `normalize` takes quadratic time over many marks in a row.
		.replace(/\p{M}+/gu, '')
		.normalize('NFD')
		.replace(/\p{M}+/gu, '')
		.replaceAll('’', "'")
		.replaceAll('ß', 'ss');

/** Returns the words of a text in any script, folded. */
export const splitWords = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns the words of a name that an email address can spell: folded, those in Latin letters. */
export const latinWordsOf = (name: string): string[] => fold(name.slice(0, 400)).match(/[a-z]+/g) ?? [];

/** Returns whether the local part of an email address holds a word of a person's or clinic's name, or begins with its initials. */
export function spells(local: string, name: string): boolean {
	const letters = local.toLowerCase().replace(/[^a-z]/g, '');
	const words = latinWordsOf(name);
	const initials = words.map((word) => word[0]).join('');
	return (
		(initials.length > 2 && letters.startsWith(initials.slice(0, 3))) ||
		words.some((word) => (word.length > 2 && letters.includes(word)) || (word.length > 1 && letters.startsWith(word)))
	);
}

/** Returns whether a host, apart from its top-level domain, is spelt like the name of a person or clinic, or holds a word of it. */
export function spellsHost(host: string, name: string): boolean {
	const labels = splitWords(host.slice(0, host.lastIndexOf('.'))).join('');
	const words = splitWords(name.toLowerCase().replaceAll(host, ' '));
	return labels.length > 2 && (words.join('').includes(labels) || words.some((word) => word.length > 3 && labels.includes(word)));
}
