import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { reasonOf } from './verdict.ts';
import type { Build, BuiltFile } from './build.ts';
import type { Answer, Ask } from './origin.ts';

/** A document as it was built, and what came for it. */
export type DocumentAnswer = Served | { file: BuiltFile; failure: string };

/** One that something came for. */
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
	Promise.all([...documents.values()].map((file) => answerFor(file, ask).catch((error) => ({ file, failure: reasonOf(error) }))));

async function answerFor(file: BuiltFile, ask: Ask): Promise<Served> {
	const answer = await ask(file.path, { headers: takesCompressed });
	return { file, answer, content: contentOf(answer, file) };
}

/** Those that are there. */
export const served = (answers: DocumentAnswer[]): Served[] =>
	answers.flatMap((document) => ('answer' in document && document.answer.status === 200 ? [document] : []));

const decoders: Record<string, typeof gunzipSync> = { br: brotliDecompressSync, gzip: gunzipSync };

/** Decodes no more than what was built and one byte: that is not the same any more. */
function contentOf({ headers, body }: Answer, { content }: BuiltFile): Buffer | undefined {
	const encoding = headers['content-encoding'] ?? 'identity';
	if (encoding === 'identity') return body;
	try {
		return decoders[encoding]?.(body, { maxOutputLength: content.length + 1 });
	} catch {
		return undefined;
	}
}
