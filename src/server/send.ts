import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from '../http/answer.ts';
import { origin } from '../service/load.ts';
import { securityHeaders } from './security-headers.ts';
import { endInStages, isBodyPending } from './unread-body.ts';

/** What every answer of this deployment carries. */
export const secured = securityHeaders(origin);

/**
 * Writes an answer; for HEAD its headers only (RFC 9110 section 9.3.2). Does nothing where the request has an answer: a fault further on
 * in its body may have been refused while this one was made.
 */
export function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Answer): void {
	if (response.headersSent) return;
	const early = isBodyPending(request);
	if (early) response.shouldKeepAlive = false;
	response.writeHead(status, { ...secured, ...headers, 'content-length': Buffer.byteLength(body) });
	// Node.js writes a string, unlike a buffer, to the connection in one piece with the headers.
	const content = request.method === 'HEAD' ? '' : body;
	if (early) endInStages(request, response, content);
	else response.end(content);
}
