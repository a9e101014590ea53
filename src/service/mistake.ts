import { ContentError } from './content-error.ts';

/** What an editor has to put right. */
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
