import type { Readable } from 'node:stream';

/** A body is longer than its limit. The caller answers 413. */
export class BodyTooLarge extends Error {
	override name = 'BodyTooLarge';
}

/** In bytes: what a piece of a body counts as at least, because each takes time. No client sends thousands of smaller ones. */
const SMALLEST_PIECE = 32;

/**
 * Reads a body, and counts bytes as they arrive, no matter what `Content-Length` says. Uses the stream's events: `for await` adds
 * an eighth to the processor time of an invalid lead's answer. After an exception the rest still flows: the caller must stop it.
 *
 * @throws {BodyTooLarge} as soon as the body has more than `limit` bytes, or would have with pieces of {@link SMALLEST_PIECE}
 */
export function readBody(stream: Readable, limit: number): Promise<Buffer> {
	return new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		let length = 0;
		stream.on('data', function collect(chunk: Buffer) {
			length += chunk.length;
			chunks.push(chunk);
			if (Math.max(length, chunks.length * SMALLEST_PIECE) <= limit) return;
			stream.off('data', collect);
			reject(new BodyTooLarge(`The body has more than ${limit} bytes, or too many pieces.`));
		});
		stream.on('end', () => resolve(Buffer.concat(chunks)));
		stream.on('error', reject);
		stream.on('close', () => {
			if (!stream.readableEnded) reject(new Error('The connection was closed before the end of the body.'));
		});
	});
}
