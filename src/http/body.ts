import type { Readable } from 'node:stream';

/** A body that is longer than it may be. Caught where the answer is made: 413. */
export class BodyTooLarge extends Error {
	override name = 'BodyTooLarge';
}

/**
 * Reads a body, counting bytes as they come, whatever `Content-Length` says. By the events of the stream: `for await` makes the answer to
 * an invalid lead cost an eighth more processor time. After an exception the rest of the body still flows, and is the caller's to stop.
 *
 * @throws {BodyTooLarge} as soon as it holds more than `limit` bytes
 */
export function readBody(stream: Readable, limit: number): Promise<Buffer> {
	return new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		let length = 0;
		stream.on('data', (chunk: Buffer) => {
			length += chunk.length;
			if (length <= limit) chunks.push(chunk);
			else reject(new BodyTooLarge(`The body has more than ${limit} bytes.`));
		});
		stream.on('end', () => resolve(Buffer.concat(chunks)));
		stream.on('error', reject);
		stream.on('close', () => {
			if (!stream.readableEnded) reject(new Error('The connection was closed before the end of the body.'));
		});
	});
}
