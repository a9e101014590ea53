import { closestMatch } from 'leven';

/** A mistake that an editor has to put right. */
export interface Mistake {
	/** From 1; none: it is about the file as such. */
	line?: number;
	/** In data: the path of the member. */
	field?: string;
	found: string;
	/** What to write instead. */
	wanted: string;
}

/** A mistake in the words of all our errors about content. */
export function told(file: string, { line, field, found, wanted }: Mistake): string {
	const place = [line === undefined ? file : `${file}:${line}`, field].filter(Boolean).join(' ');
	return `${place}: found ${found}, wanted ${wanted}${wanted.endsWith('?') ? '' : '.'}`;
}

/** What comes of `read`; what it complains of is added to `messages`. */
export function complaining<Result>(messages: string[], read: () => Result): Result | undefined {
	try {
		return read();
	} catch (error) {
		if (!(error instanceof ContentError)) throw error;
		messages.push(...error.messages);
		return undefined;
	}
}

/** Content that cannot be published. The messages are for the editor. */
export class ContentError extends Error {
	override name = 'ContentError';
	readonly messages: string[];

	constructor(messages: string[]) {
		super(messages.join('\n'));
		this.messages = messages;
		// It would only point into our code. Astro prints a heading above any stack that is not empty.
		this.stack = '';
	}

	/** Without its messages: where Astro finds a word such as `window` in this, it adds a hint about browsers. */
	override toString(): string {
		return this.name;
	}
}

/** The word that was probably meant; undefined: none comes near. */
export function nearest(word: string, words: readonly string[]): string | undefined {
	// Of a long word, more letters may be wrong, missing or too many.
	const maxDistance = Math.max(2, Math.floor(word.length / 4));
	return words.find((candidate) => candidate.startsWith(word)) ?? closestMatch(word, words, { maxDistance });
}

/** Says what to write in the place of a word that does not exist: the nearest, or else what begins as it does, or how the others begin. */
export function instead(word: string, words: readonly string[]): string {
	if (words.length === 0) return 'but there is none';
	const meant = nearest(word, words);
	if (meant !== undefined) return `one that exists: did you mean ${meant}?`;
	const related = words.filter((candidate) => candidate.startsWith(`${word.split('.', 1)[0]!}.`));
	const beginnings = new Set(words.map((candidate) => candidate.replace(/^(\w+\.).*/, '$1…')));
	return `one of ${(related.length > 0 ? related : [...beginnings]).toSorted().join(', ')}`;
}
