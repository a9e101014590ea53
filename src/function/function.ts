import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebRequest } from '../http/request.ts';
import { answerFrom } from './answer.ts';
import { callerOf } from './host.ts';

/**
 * Answers `/api/*` where a host calls functions with web standards. All other paths are files of `dist/client`.
 *
 * @param beside what the host passes with the request: of Bun and Deno the client's address is in it, of others nothing is looked at
 */
export const fetch = (request: Request, beside?: unknown): Promise<Response> =>
	answerFrom(request, { caller: callerOf(request, beside) });

/** The same, with what the host knows. */
export { answerFrom as fetchFrom };

/** The same where a host calls functions as Node.js does. */
export async function handler(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
	// Loaded here, since most hosts do without.
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
		// A `Request` throws where host and target make no URL that it may have: `user@host` is one. No target at all is answered 400.
		return { method, url: '', headers: new Headers(), body: null };
	}
}

/** Whether a `Request` refuses to have this method (WHATWG Fetch, section 2.2.1). No operation has it, so nothing else is read. */
const isForbidden = (method: string) => /^(connect|trace|track)$/i.test(method);

export default { fetch };
