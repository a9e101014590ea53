import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { readBody } from './body.ts';

/** What an operation needs to know of a request. */
export interface ClientRequest {
	method: string;
	/** As it was asked for: absolute, or from the path on. */
	url: string;
	headers: { get(name: string): string | null };
	/**
	 * Reads the body, counting bytes as they come. Rejects with `BodyTooLarge` as soon as there are more than `limit`, and with an
	 * `AbortError` when it takes too long.
	 */
	read(limit: number): Promise<Buffer>;
	/** The client's IP address, by what `TRUST_PROXY` says of proxies; undefined where the host does not tell it. */
	address: string | undefined;
	/** What the log's line of this request says beside, by member: added by whoever knows it. */
	notes: Record<string, string | undefined>;
}

/**
 * A request of the web's kind, as operations see it.
 *
 * @param time in seconds: how long the body may take to come; 0: as long as it likes
 */
export function clientRequest({ method, url, headers, body }: Request, address: string | undefined, time = 30): ClientRequest {
	const read = async (limit: number) => {
		const signal = time === 0 ? undefined : AbortSignal.timeout(time * 1000);
		const stream = body ? Readable.fromWeb(body as ReadableStream, { signal }) : Readable.from([]);
		try {
			return await readBody(stream, limit);
		} finally {
			stream.destroy();
		}
	};
	return { method, url, headers, read, address, notes: {} };
}
