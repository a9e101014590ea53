import { closestMatch } from 'leven';

/** A mistake that an editor has to put right. */
export interface Mistake {
	/** From 1; none if the mistake is about the whole file. */
	line?: number;
	/** The path of the member, in data. */
	field?: string;
	found: string;
	wanted: string;
}

/** Returns the line, from 1, of an index in a text. */
export const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length;

/** Words a mistake as all our errors about content do. */
export function mistakeText(file: string, { line, field, found, wanted }: Mistake): string {
	const place = [line === undefined ? file : `${file}:${line}`, field].filter(Boolean).join(' ');
	return `${place}: found ${found}, wanted ${wanted}${wanted.endsWith('?') ? '' : '.'}`;
}

/** Returns the result of `read`, or the mistakes that it throws. */
export function attempt<Result>(read: () => Result): { result?: Result; mistakes: string[] } {
	try {
		return { result: read(), mistakes: [] };
	} catch (error) {
		if (!(error instanceof ContentError)) throw error;
		return { mistakes: error.messages };
	}
}

/** Ends the program if a step of a build throws mistakes, and prints only them: Astro has words of its own for an error. */
export async function endAtMistakes(step: () => void | Promise<void>): Promise<void> {
	try {
		await step();
	} catch (error) {
		if (!(error instanceof ContentError)) throw error;
		console.error(error.message);
		process.exit(1);
	}
}

/** Says that content cannot be published. The messages are for the editor. */
export class ContentError extends Error {
	override name = 'ContentError';
	readonly messages: string[];

	constructor(messages: string[]) {
		super(messages.join('\n'));
		this.messages = messages;
		// A stack would only point into our code. Astro prints a heading above any stack that is not empty.
		this.stack = '';
	}

	/** Leaves the messages out: Astro adds a hint about browsers when it finds a word such as `window` here. */
	override toString(): string {
		return this.name;
	}
}

/** Returns the word that the editor probably meant, or undefined if none comes near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
	if (word === '') return undefined;
	// A long word may have more letters wrong, missing or added, a short one not all of them.
	const maxDistance = Math.min(word.length - 1, Math.max(2, Math.floor(word.length / 4)));
	return candidates.find((candidate) => candidate.startsWith(word)) ?? closestMatch(word, candidates, { maxDistance });
}

/** Suggests the nearest word for one that does not exist, or else returns `otherwise`, or else lists words or the beginnings of all. */
export function suggestionFor(word: string, candidates: readonly string[], otherwise?: string): string {
	if (candidates.length === 0) return `which has none: ${word} is missing`;
	const meant = nearest(word, candidates);
	if (meant !== undefined) return `one that exists: did you mean ${meant}?`;
	if (otherwise !== undefined) return otherwise;
	const related = candidates.filter((candidate) => candidate.startsWith(`${word.split('.', 1)[0]!}.`));
	const beginnings = new Set(candidates.map((candidate) => candidate.replace(/^(\w+\.).*/, '$1…')));
	return `one of ${(related.length > 0 ? related : [...beginnings]).toSorted().join(', ')}`;
}
