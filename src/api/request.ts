import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** A request as operations see it, on every host. */
export interface ClientRequest {
	method: string;
	/** The request target: an absolute URL, or a path. */
	url: string;
	/** By lower-case name. */
	headers: { get(name: string): string | null; keys(): Iterable<string> };
	/** Reads the body. Rejects with {@link BodyTooLarge} as soon as it counts more than `limit` bytes. */
	read(limit: number): Promise<Buffer>;
	/** The address of the connection, or of the client if the host tells it. `handler.ts` sets it by `TRUST_PROXY`. Undefined if nobody tells it. */
	address: string | undefined;
	/** Further members of this request's line in the log. Any code may add one. */
	notes: Record<string, string | undefined>;
}

/** Converts a web `Request`. @param address that of the connection, if the host tells it */
export function webRequest({ method, url, headers, body }: Request, address: string | undefined): ClientRequest {
	const read = async (limit: number) => {
		const stream = body ? Readable.fromWeb(body as ReadableStream) : Readable.from([]);
		return readBody(stream, limit).finally(() => stream.destroy());
	};
	return { method, url, headers, read, address, notes: {} };
}

/** Returns a header whose parsing takes time. One of more than 500 characters, ten times what clients send, counts as none. */
export function shortHeader({ headers }: Pick<ClientRequest, 'headers'>, name: string): string {
	const value = headers.get(name) ?? '';
	return value.length > 500 ? '' : value;
}

export const isGetOrHead = ({ method }: Pick<ClientRequest, 'method'>) => method === 'GET' || method === 'HEAD';

/** Returns the path of a request target in origin-form or absolute-form (RFC 9112 section 3.2), or undefined for any other. */
export function pathOf(target: string): string | undefined {
	const path = target.startsWith('/') ? target : absoluteForm.exec(target)?.[1];
	return path === undefined ? undefined : path.split('?', 1)[0] || '/';
}

/** Matches a URL with http or https and a host (RFC 9110 section 4.2). Captures the part behind the host. */
const absoluteForm = /^https?:\/\/[^/?]+(.*)$/i;

/** A body is longer than its limit. The caller answers 413. */
export class BodyTooLarge extends Error {}

/** The client went away before the end of its body. Nobody reads an answer. */
export class BodyCutOff extends Error {}

/** In bytes: what a piece of a body counts as at least, because each takes time. No client sends thousands of smaller ones. */
const SMALLEST_PIECE = 32;

/**
 * Reads a body, and counts bytes as they arrive, no matter what `Content-Length` says. Uses the stream's events: `for await` adds
 * an eighth to the processor time of an invalid lead's answer.
 * @throws {BodyTooLarge | BodyCutOff}
 */
export function readBody(stream: Readable, limit: number): Promise<Buffer> {
	return new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		let length = 0;
		stream.on('data', function collect(chunk: Buffer) {
			length += chunk.length;
			chunks.push(chunk);
			if (Math.max(length, chunks.length * SMALLEST_PIECE) <= limit) return;
			// The rest flows on unread: a client that is still sending reads no answer.
			stream.off('data', collect);
			reject(new BodyTooLarge());
		});
		const end = () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
		// A request without a body has ended before it is answered (`optimizeEmptyRequests` in node.ts).
		if (stream.readableEnded) return end();
		stream.on('end', end);
		const fail = (cause?: Error) => reject(new BodyCutOff(undefined, { cause }));
		stream.on('error', fail).on('close', () => stream.readableEnded || fail());
	});
}
