import type { ServerResponse } from 'node:http';
import type { Answer, FileAnswer } from '../../http/answer.ts';
import { origin } from '../../facts/load.ts';
import type { PageAnswer } from '../../lead/intake/submit.ts';
import { isHtml, securityHeaders } from './security-headers.ts';

const [pageHeaders, otherHeaders] = [securityHeaders(origin, 'text/html'), securityHeaders(origin, '')];

/** Adds the security headers of this deployment to those of an answer. */
export const secured = (headers: Answer['headers']): Answer['headers'] => ({
	...(isHtml(headers['content-type'] ?? '') ? pageHeaders : otherHeaders),
	...headers,
});

/** Returns all headers of an answer. RFC 9110 section 8.6: a 204 has no length. */
export const completeHeaders = ({ status, headers, body }: Answer | FileAnswer): Answer['headers'] =>
	typeof body === 'string'
		? { ...secured(headers), ...(status === 204 ? undefined : { 'content-length': String(Buffer.byteLength(body)) }) }
		: headers;

/** Writes an answer. Node.js leaves out the body for HEAD (RFC 9110 section 9.3.2). */
export const send = (response: ServerResponse, answer: Answer | FileAnswer): void =>
	void response.writeHead(answer.status, completeHeaders(answer)).end(answer.body);

/** Returns the answer to send. Renders a page with Astro; in development Astro itself stands in front and renders it. */
export const completeAnswer = async (answer: Answer | PageAnswer): Promise<Answer> =>
	// Loaded with the first page, because most deployments rarely need it.
	'page' in answer ? (await import('./page.ts')).renderPage(answer) : answer;
