import { readYaml } from '../../facts/content-file.ts';
import { truncate } from '../../lead/text.ts';

/** Reads a file of words. If it is not valid YAML, `data` is undefined, and there are no texts: the parser would only guess. */
export function readWords(source: string) {
	const { document, fault, lineOf } = readYaml(source);
	const data: unknown = fault ? undefined : document.toJS();
	return { data, texts: [...textsOf(data)], lineOf };
}

/** Returns the members of a value that an editor wrote, which may have any type. */
export const membersOf = (value: unknown): Record<string, unknown> => (typeof value === 'object' ? { ...value } : {});

/** Yields every text in data, with its place: the names of members, and indexes in lists, that lead to it. */
function* textsOf(value: unknown, place: string[] = []): Generator<{ place: string[]; text: string }> {
	if (typeof value === 'string') yield { place, text: value };
	else for (const [name, member] of Object.entries(membersOf(value))) yield* textsOf(member, [...place, name]);
}

/** Returns a text on one line, without the white space that no page shows. */
export const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Quotes an English text on one line, short enough for a message, and long enough to find the text. */
export const quotedEnglish = (text: string): string => `English “${truncate(plain(text), 120)}”`;
