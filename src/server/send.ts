import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from '../http/answer.ts';
import { origin } from '../service/load.ts';
import { securityHeaders } from './security-headers.ts';
import { endInStages, isBodyPending } from './unread-body.ts';

/** What every answer of this deployment carries. */
export const secured = securityHeaders(origin);

/**
 * Writes an answer; of HEAD the headers only (RFC 9110 section 9.3.2). Nothing where what still came of the request has been refused
 * meanwhile.
 */
export function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Answer): void {
	if (response.headersSent) return;
	const early = isBodyPending(request);
	if (early) response.shouldKeepAlive = false;
	response.writeHead(status, { ...secured, ...headers, 'content-length': Buffer.byteLength(body) });
	// As a string it goes out together with the headers, in one piece.
	const content = request.method === 'HEAD' ? '' : body;
	if (early) endInStages(request, response, content);
	else response.end(content);
}
