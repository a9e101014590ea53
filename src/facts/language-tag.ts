const englishNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** Returns a language's English name, such as `German`, or none if there is no such language. */
export const languageName = (tag: string): string | undefined => englishNames.of(tag);

/** Returns a language's name for itself, such as `Deutsch`. */
export const nameInOwnLanguage = (tag: string): string => new Intl.DisplayNames(tag, { type: 'language' }).of(tag)!;

/** Returns the canonical form of a tag (RFC 5646, section 2.1.1), or none if no language has it. */
export function tagOf(name: string): string | undefined {
	try {
		const [tag] = Intl.getCanonicalLocales(name.replaceAll('_', '-'));
		return languageName(tag!) && tag;
	} catch {
		return undefined;
	}
}

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const shortTags = letters.flatMap((first) => letters.map((second) => first + second)).filter(languageName);
const sameWords = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Returns the tag of the language with this English name: `de` for `german`. */
export const tagNamed = (name: string): string | undefined => shortTags.find((tag) => sameWords(languageName(tag)!, name));

/** Returns whether an unrelated language has this name for itself, such as `Deutsch` for `nl`. `nb` may call itself `Norsk`. */
export function isNameOfAnother(name: string, tag: string): boolean {
	if (sameWords(name, nameInOwnLanguage(tag))) return false;
	const other = shortTags.find((short) => sameWords(nameInOwnLanguage(short), name));
	if (other === undefined || tagOf(other) === new Intl.Locale(tag).language) return false;
	return !languageName(tag)!.includes(languageName(other)!);
}
