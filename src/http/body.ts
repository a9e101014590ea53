/** A body that is longer than it may be. Caught where the answer is made: 413. */
export class BodyTooLarge extends Error {
	override name = 'BodyTooLarge';
}

/**
 * Reads a body, counting bytes as they come, whatever `Content-Length` says.
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
