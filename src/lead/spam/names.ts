/** Returns text in lower case without accents, and with straight apostrophes. */
export const fold = (text: string): string =>
	text
		.toLowerCase()
		.normalize('NFD')
		.replace(/\p{M}+/gu, '')
		.replaceAll('’', "'")
		.replaceAll('ß', 'ss');

/** Returns whether the name in a mail address holds a word of a person's or clinic's name, or begins with its initials. */
export function spells(local: string, name: string): boolean {
	const letters = local.toLowerCase().replace(/[^a-z]/g, '');
	const words = fold(name.slice(0, 400)).match(/[a-z]+/g) ?? [];
	const initials = words.map((word) => word[0]).join('');
	return (
		(initials.length > 2 && letters.startsWith(initials.slice(0, 3))) ||
		words.some((word) => (word.length > 2 && letters.includes(word)) || (word.length > 1 && letters.startsWith(word)))
	);
}
