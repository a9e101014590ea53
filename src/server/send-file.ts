import type { IncomingMessage, ServerResponse } from 'node:http';
import Negotiator from 'negotiator';
import { acceptedLanguages } from '../http/accepted-languages.ts';
import { API_ACCESS } from '../service/links.ts';
import { knownLanguage } from '../service/load.ts';
import type { PrebuiltFile } from './files.ts';
import { encodings } from './manifest.ts';
import { prefersMarkdown } from './prefers-markdown.ts';
import { partOf } from './range.ts';
import { isBodyPending } from './unread-body.ts';

/** Answers GET and HEAD with a file: in the form and the encoding that the client likes best, or 304 when it has it. */
export function sendFile(request: IncomingMessage, response: ServerResponse, file: PrebuiltFile, status = 200): void {
	// The body of a GET is not read, so that nothing can follow it on the connection.
	if (isBodyPending(request)) response.shouldKeepAlive = false;
	const page = file.accessRequest && asksForAccess(request) ? file.accessRequest : file;
	const form = page.markdown && prefersMarkdown(request) ? page.markdown : (offering(request, page) ?? page);
	const variant = form.variants.get(encodingFor(request, form))!;
	const { headers, body } = variant;
	if (status === 200 && isKnown(request.headers['if-none-match'], headers['etag']!)) {
		const { 'content-length': _, ...rest } = headers;
		response.writeHead(304, rest).end();
		return;
	}
	// What is compressed is small, and whole.
	const part = status === 200 && form.variants.size === 1 ? partOf(request, variant) : undefined;
	const sent = part ?? { status, headers, body };
	response.writeHead(sent.status, sent.headers).end(request.method === 'HEAD' ? undefined : sent.body);
}

/** Nearly nobody asks with a query: one is read only where there is one. */
function asksForAccess({ url = '' }: IncomingMessage): boolean {
	const start = url.indexOf('?');
	return start !== -1 && new URLSearchParams(url.slice(start)).get('for') === API_ACCESS;
}

/** Its own language is none that a page offers itself in. */
function offering({ headers }: IncomingMessage, page: PrebuiltFile): PrebuiltFile | undefined {
	const language = page.offering && preferredLanguage(headers['accept-language']);
	return language === undefined ? undefined : page.offering!(language);
}

/** The first of ours that the client takes (RFC 9110 section 12.5.3); the plain file where it takes none. */
function encodingFor({ headers }: IncomingMessage, { variants }: PrebuiltFile): string {
	const accepted = acceptedEncodings(headers['accept-encoding']);
	for (const encoding of variants.keys()) if (accepted.includes(encoding)) return encoding;
	return 'identity';
}

/** What was chosen for a header's value, of which browsers have few: to choose anew makes a page cost a twelfth more processor time. */
function weighed<Choice>(choose: (header: string) => Choice): (header: string | undefined) => Choice {
	const known = new Map<string, Choice>();
	return (header = '') => {
		const read = header.length > LONGEST_HEADER ? '' : header;
		if (known.has(read)) return known.get(read)!;
		const choice = choose(read);
		if (known.size < 100) known.set(read, choice);
		return choice;
	};
}

/** In characters: browsers send 30. To compare thousands of codings takes longer than to send the file without any. */
const LONGEST_HEADER = 500;

const acceptedEncodings = weighed((header) =>
	new Negotiator({ headers: { 'accept-encoding': header } }).encodings([...encodings]),
);

const preferredLanguage = weighed((header) => knownLanguage(...acceptedLanguages(header)));

/** RFC 9110 section 13.1.2: compared weakly, a list or `*`. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
	if (ifNoneMatch === undefined) return false;
	return ifNoneMatch === '*' || ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
