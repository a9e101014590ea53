import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Answer } from './answer.ts';
import { readBody } from './body.ts';
import { methodNotAllowed, problem } from './problem.ts';

/** What an operation needs to know of a request. */
export interface ClientRequest {
	method: string;
	/** As it was asked for: absolute, or from the path on. */
	url: string;
	/** By lower-case name. */
	headers: { get(name: string): string | null; keys(): Iterable<string> };
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

/** The parts of a web `Request` that are read. A `Request` itself cannot have every method of HTTP. */
export type WebRequest = Pick<Request, 'method' | 'url' | 'headers' | 'body'>;

/**
 * A request of the web's kind, as operations see it.
 *
 * @param time in seconds: how long the body may take to come; 0: as long as it likes
 */
export function clientRequest({ method, url, headers, body }: WebRequest, address: string | undefined, time = 30): ClientRequest {
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

/** The path of a request target in origin-form or in absolute-form (RFC 9112 section 3.2). Undefined: the target is in neither. */
export function pathOf(target: string): string | undefined {
	const path = target.startsWith('/') ? target : absoluteForm.exec(target)?.[1];
	return path === undefined ? undefined : path.split('?', 1)[0] || '/';
}

/** A URL with http or https and a host (RFC 9110 section 4.2), and what stands behind its host. */
const absoluteForm = /^https?:\/\/[^/?]+(.*)$/i;

/** The answer to a target without a path. `OPTIONS *` asks about the server as a whole (RFC 9110 section 9.3.7). */
export function refusedTarget({ method, url }: Pick<ClientRequest, 'method' | 'url'>): Answer {
	if (method === 'OPTIONS' && url === '*') return methodNotAllowed('GET, HEAD');
	return problem('malformed-request', {
		detail: 'Host and target of the request make no http URL. Ask for a path, such as /, of a host without a user name.',
	});
}
