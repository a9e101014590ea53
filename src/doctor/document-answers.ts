import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { reasonOf } from './verdict.ts';
import type { Build, BuiltFile } from './build.ts';
import type { Answer, Ask } from './origin.ts';

/** A document as it was built, and what came for it. */
export interface DocumentAnswer {
	file: BuiltFile;
	/** The reason where none came. */
	answer: Answer | string;
}

/** One that is there. */
export interface Served {
	file: BuiltFile;
	answer: Answer;
	/** Without its content coding; undefined where it cannot be decoded. */
	content: Buffer | undefined;
}

/** What a browser takes. */
export const takesCompressed = { 'accept-encoding': 'br, gzip' };

/** Asks for every document once. */
export const visit = ({ documents }: Build, ask: Ask): Promise<DocumentAnswer[]> =>
	Promise.all(
		[...documents.values()].map(async (file) => ({
			file,
			answer: await ask(file.path, { headers: takesCompressed }).catch(reasonOf),
		})),
	);

/** Those that are there. */
export const served = (answers: DocumentAnswer[]): Served[] =>
	answers.flatMap(({ file, answer }) =>
		typeof answer !== 'string' && answer.status === 200 ? [{ file, answer, content: contentOf(answer, file) }] : [],
	);

const decoders: Record<string, typeof gunzipSync> = { br: brotliDecompressSync, gzip: gunzipSync };

/** Decodes no more than what was built and one byte: that is not the same any more. */
export function contentOf({ headers, body }: Answer, { content }: BuiltFile): Buffer | undefined {
	const encoding = headers['content-encoding'] ?? 'identity';
	if (encoding === 'identity') return body;
	try {
		return decoders[encoding]?.(body, { maxOutputLength: content.length + 1 });
	} catch {
		return undefined;
	}
}
