const englishNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** Returns a language's English name, such as `German`, or none if there is no such language. */
export const languageName = (tag: string): string | undefined => englishNames.of(tag);

/** Returns the canonical form of a tag (RFC 5646, section 2.1.1), or none if no language has it. */
export function tagOf(name: string): string | undefined {
	try {
		const [tag] = Intl.getCanonicalLocales(name.replaceAll('_', '-'));
		return languageName(tag!) && tag;
	} catch {
		return undefined;
	}
}
