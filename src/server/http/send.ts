import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from '../../http/answer.ts';
import { origin } from '../../facts/load.ts';
import type { PageAnswer } from '../../lead/intake/submit-lead.ts';
import { isHtml, securityHeaders } from './security-headers.ts';

const [pageHeaders, otherHeaders] = [securityHeaders(origin, 'text/html'), securityHeaders(origin, '')];

/** Adds the security headers of this deployment to those of an answer. */
export const secured = (headers: Answer['headers']): Answer['headers'] => ({
	...(isHtml(headers['content-type'] ?? '') ? pageHeaders : otherHeaders),
	...headers,
});

/**
 * Writes an answer, or for HEAD only its headers (RFC 9110 section 9.3.2). Does nothing if the request already has an answer: a
 * fault later in its body may have been refused while this answer was made.
 */
export function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Answer): void {
	if (response.headersSent) return;
	const early = isBodyPending(request);
	if (early) response.shouldKeepAlive = false;
	// RFC 9110 section 8.6: a 204 has no length.
	const length = status === 204 ? undefined : { 'content-length': Buffer.byteLength(body) };
	response.writeHead(status, { ...secured(headers), ...length });
	// Node.js writes a string in one piece with the headers, but not a buffer.
	const content = request.method === 'HEAD' ? '' : body;
	if (early) endInStages(request, response, content);
	else response.end(content);
}

/** Limits on reading an unwanted body: bytes, milliseconds, and what a chunk counts as at least, because each takes time. */
const LINGER = { bytes: 1_048_576, time: 2000, chunk: 512 };

/** Returns whether part of the request's body has not arrived yet. */
export function isBodyPending({ complete, headers }: IncomingMessage): boolean {
	if (complete) return false;
	return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * Writes an answer before the whole request has arrived, and then ends the connection, but not at once: closing it with unread
 * bytes resets it, and the client may lose the answer (RFC 9112 section 9.6).
 */
function endInStages(request: IncomingMessage, response: ServerResponse, content: string): void {
	if (content === '') response.flushHeaders();
	else response.write(content);
	void discardBody(request).then(() => response.end());
}

/** Reads the rest of the body and drops it. Resolves at its end, or at one of the limits. */
async function discardBody(request: IncomingMessage): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	const timer = setTimeout(resolve, LINGER.time);
	let length = 0;
	request.on('data', (chunk: Buffer) => {
		length += Math.max(chunk.length, LINGER.chunk);
		if (length > LINGER.bytes) resolve();
	});
	request.once('close', resolve);
	await promise;
	clearTimeout(timer);
}

/** Returns the answer to send. Renders a page with Astro; in development Astro itself stands in front and renders it. */
export const completeAnswer = (answer: Answer | PageAnswer): Answer | Promise<Answer> =>
	'page' in answer ? pageOf(answer) : answer;

async function pageOf(answer: PageAnswer): Promise<Answer> {
	// Loaded with the first page, because most deployments rarely need it.
	const { renderPage } = await import('./page.ts');
	return renderPage(answer);
}
