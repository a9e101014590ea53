import type { IncomingMessage, ServerResponse } from 'node:http';

/** How much of a body that nobody wants is still taken, and in milliseconds how long. */
const LINGER = { bytes: 1_048_576, time: 2000 };

/** Whether some of the request's body has not come yet. */
export function isBodyPending({ complete, headers }: IncomingMessage): boolean {
	if (complete) return false;
	return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * Writes an answer that comes before the end of the request, then ends the connection, but not at once: a connection closed on
 * bytes that nobody has read is reset, and the answer may be lost with it (RFC 9112 section 9.6).
 */
export function endInStages(request: IncomingMessage, response: ServerResponse, content: string): void {
	if (content === '') response.flushHeaders();
	else response.write(content);
	void discardBody(request).then(() => response.end());
}

/** Takes what still comes of a body that nobody wants. Resolves at its end, or when that is long enough. */
async function discardBody(request: IncomingMessage): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	const timer = setTimeout(resolve, LINGER.time);
	let length = 0;
	request.on('data', (chunk: Buffer) => {
		length += chunk.length;
		if (length > LINGER.bytes) resolve();
	});
	request.once('close', resolve);
	await promise;
	clearTimeout(timer);
}
