import type { Readable } from 'node:stream';

/** A body that is longer than it may be. Caught where the answer is made: 413. */
export class BodyTooLarge extends Error {
	override name = 'BodyTooLarge';
}

/**
 * Reads the body of a Web `Request`, counting bytes as they come, whatever `Content-Length` says.
 *
 * @throws {BodyTooLarge} as soon as it holds more than `limit` bytes
 */
export async function readBody(body: AsyncIterable<Uint8Array> | null, limit: number): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of body ?? []) {
		length += chunk.length;
		if (length > limit) throw new BodyTooLarge(`The body has more than ${limit} bytes.`);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks, length);
}

/**
 * The same of a Node.js stream, by its events: an iterator costs more than the rest of the reading. Whoever gets the
 * exception has to see to what still comes.
 *
 * @throws {BodyTooLarge} as {@link readBody}
 */
export function readStream(stream: Readable, limit: number): Promise<Buffer> {
	return new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		let length = 0;
		stream.on('data', (chunk: Buffer) => {
			length += chunk.length;
			if (length <= limit) chunks.push(chunk);
			else reject(new BodyTooLarge(`The body has more than ${limit} bytes.`));
		});
		stream.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
		stream.on('error', reject);
		stream.on('close', () => {
			if (!stream.readableEnded) reject(new Error('The connection was closed before the end of the body.'));
		});
	});
}
