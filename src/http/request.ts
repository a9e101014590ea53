import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Answer } from './answer.ts';
import { readBody } from './body.ts';
import { methodNotAllowed, problem } from './problem.ts';

/** The request as operations see it. */
export interface ClientRequest {
	method: string;
	/** The request target: an absolute URL, or a path. */
	url: string;
	/** By lower-case name. */
	headers: { get(name: string): string | null; keys(): Iterable<string> };
	/** Reads the body, and counts bytes as they arrive. Rejects with `BodyTooLarge` as soon as there are more than `limit`. */
	read(limit: number): Promise<Buffer>;
	/** The client's IP address, found by `TRUST_PROXY`. Undefined if the host does not tell it. */
	address: string | undefined;
	/** Further members of this request's line in the log. Any code may add one. */
	notes: Record<string, string | undefined>;
}

/** The parts of a web `Request` that are read. A `Request` itself cannot have every method of HTTP. */
export type WebRequest = Pick<Request, 'method' | 'url' | 'headers' | 'body'>;

/** Converts a web `Request` for operations. */
export function clientRequest({ method, url, headers, body }: WebRequest, address: string | undefined): ClientRequest {
	const read = async (limit: number) => {
		const stream = body ? Readable.fromWeb(body as ReadableStream) : Readable.from([]);
		try {
			return await readBody(stream, limit);
		} finally {
			stream.destroy();
		}
	};
	return { method, url, headers, read, address, notes: {} };
}

/** Returns whether a request only reads. */
export const isRead = ({ method }: { method?: string | undefined }) => method === 'GET' || method === 'HEAD';

/** Returns the path of a request target in origin-form or absolute-form (RFC 9112 section 3.2), or undefined for any other. */
export function pathOf(target: string): string | undefined {
	const path = target.startsWith('/') ? target : absoluteForm.exec(target)?.[1];
	return path === undefined ? undefined : path.split('?', 1)[0] || '/';
}

/** Matches a URL with http or https and a host (RFC 9110 section 4.2). Captures the part behind the host. */
const absoluteForm = /^https?:\/\/[^/?]+(.*)$/i;

/** Answers a target without a path. `OPTIONS *` asks about the server as a whole (RFC 9110 section 9.3.7). */
export function refusedTarget({ method, url }: Pick<ClientRequest, 'method' | 'url'>): Answer {
	if (method === 'OPTIONS' && url === '*') return methodNotAllowed('GET, HEAD');
	return problem('malformed-request', {
		detail:
			'The host and the target of the request do not form an http URL. Request a path, such as /, on a host without a user name.',
	});
}
