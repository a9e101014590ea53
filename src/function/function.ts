import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebRequest } from '../http/request.ts';
import { answerFrom } from './answer.ts';
import { callerOf } from './host.ts';

/**
 * Answers `/api/*` on a host that calls functions by web standards. All other paths are files of `dist/client`.
 *
 * @param beside the host's second argument: that of Bun and Deno holds the client's address; those of others are ignored
 */
export const fetch = (request: Request, beside?: unknown): Promise<Response> =>
	answerFrom(request, { caller: callerOf(request, beside) });

/** For a host that can say more about a request. */
export { answerFrom as fetchFrom };

/** Answers `/api/*` on a host that calls functions as Node.js does. */
export async function handler(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
	// Loaded here, because most hosts do not need it.
	const { createRequestFromNodeRequest, writeResponse } = await import('astro/app/node');
	const request = webRequestOf(incoming, createRequestFromNodeRequest);
	await writeResponse(await answerFrom(request, { caller: incoming.socket.remoteAddress }), outgoing);
}

function webRequestOf(incoming: IncomingMessage, convert: (incoming: IncomingMessage) => Request): WebRequest {
	const { method = 'GET', url = '/' } = incoming;
	try {
		const { headers, body } = isForbidden(method) ? new Response() : convert(incoming);
		return { method, url, headers, body };
	} catch {
		// A `Request` throws if host and target make no valid URL, for example `user@host`. The empty target is answered 400.
		return { method, url: '', headers: new Headers(), body: null };
	}
}

/** Returns whether a `Request` refuses this method (WHATWG Fetch, section 2.2.1). No operation has it, so no more is read. */
const isForbidden = (method: string) => /^(connect|trace|track)$/i.test(method);

export default { fetch };
