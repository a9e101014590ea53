import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { reasonOf } from './verdict.ts';
import type { Build, BuiltFile } from './build.ts';
import type { Answer, Ask } from './origin.ts';

/** A document of the build, and the answer to a request for it. */
export type DocumentAnswer = Served | { file: BuiltFile; failure: string };

/** A document that got an answer. */
export interface Served {
	file: BuiltFile;
	answer: Answer;
	/** The decoded body; undefined if it cannot be decoded. */
	content: Buffer | undefined;
}

/** The codings that a browser accepts. */
export const takesCompressed = { 'accept-encoding': 'br, gzip' };

/** Asks for every document once. */
export const fetchDocuments = ({ documents }: Build, ask: Ask): Promise<DocumentAnswer[]> =>
	Promise.all([...documents.values()].map((file) => answerFor(file, ask).catch((error) => ({ file, failure: reasonOf(error) }))));

async function answerFor(file: BuiltFile, ask: Ask): Promise<Served> {
	const answer = await ask(file.path, { headers: takesCompressed });
	return { file, answer, content: contentOf(answer, file) };
}

/** Returns the documents that were answered 200. */
export const servedDocuments = (answers: DocumentAnswer[]): Served[] =>
	answers.flatMap((document) => ('answer' in document && document.answer.status === 200 ? [document] : []));

const decoders: Record<string, typeof gunzipSync> = { br: brotliDecompressSync, gzip: gunzipSync };

/** Decodes at most one byte more than the build made: a longer body differs anyway. */
function contentOf({ headers, body }: Answer, { content }: BuiltFile): Buffer | undefined {
	const encoding = headers['content-encoding'] ?? 'identity';
	if (encoding === 'identity') return body;
	try {
		return decoders[encoding]?.(body, { maxOutputLength: content.length + 1 });
	} catch {
		return undefined;
	}
}
