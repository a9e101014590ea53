import type { IncomingMessage, ServerResponse } from 'node:http';
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
	const { method = 'GET', url = '/', socket } = incoming;
	const { headers, body } = isForbidden(method) ? new Response() : createRequestFromNodeRequest(incoming);
	await writeResponse(await answerFrom({ method, url, headers, body }, { caller: socket.remoteAddress }), outgoing);
}

/** Whether a `Request` refuses to have this method (WHATWG Fetch, section 2.2.1). No operation has it, so nothing else is read. */
const isForbidden = (method: string) => /^(connect|trace|track)$/i.test(method);

export default { fetch };
