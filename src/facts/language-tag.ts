const englishNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** What a language is called in English, such as `German`; none: there is no such language. */
export const languageName = (tag: string): string | undefined => englishNames.of(tag);

/** What a language calls itself, such as `Deutsch`. */
export const ownName = (tag: string): string => new Intl.DisplayNames(tag, { type: 'language' }).of(tag)!;

/** The tag that is meant, as it is usually written (RFC 5646, section 2.1.1); none: no language has it. */
export function tagOf(name: string): string | undefined {
	try {
		const [tag] = Intl.getCanonicalLocales(name.replaceAll('_', '-'));
		return languageName(tag!) && tag;
	} catch {
		return undefined;
	}
}

/** The tag of the language that is called so in English: `de` for `german`. */
export function tagNamed(name: string): string | undefined {
	const letters = [...'abcdefghijklmnopqrstuvwxyz'];
	const tags = letters.flatMap((first) => letters.map((second) => first + second));
	return tags.find((tag) => languageName(tag)?.toLowerCase() === name.toLowerCase());
}
