import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { PrebuiltFile, Variant } from './files.ts';
import { encodings } from './manifest.ts';
import { prefersMarkdown } from './prefers-markdown.ts';
import { send } from '../http/send.ts';

/** Answers GET and HEAD with a file, in the form and encoding that the client prefers, or with 304 if the client has it. */
export function sendFile(request: IncomingMessage, response: ServerResponse, file: PrebuiltFile, status = 200): void {
	const form = file.markdown && prefersMarkdown(request) ? file.markdown : file;
	const variant = form.variants.get(encodingFor(request, form))!;
	const { headers, body } = variant;
	const { 'if-match': wanted, 'if-none-match': known } = request.headers;
	// Our files have no modification date, so conditions on one are ignored (RFC 9110 sections 13.1.3, 13.1.4 and 13.2.2).
	if (status === 200 && wanted !== undefined && !hasValidator(wanted, headers['etag']!)) {
		return send(response, { status: 412, headers: { 'cache-control': 'no-store' }, body: '' });
	}
	// Compared weakly (RFC 9110 section 13.1.2).
	if (status === 200 && known !== undefined && hasValidator(known.replace(/(^|,)\s*W\//g, '$1'), headers['etag']!)) {
		const { 'content-length': _, ...rest } = headers;
		response.writeHead(304, rest).end();
		return;
	}
	// A compressed file is small, so it is always sent whole.
	const part = status === 200 && form.variants.size === 1 ? partOf(request, variant) : undefined;
	const sent = part ?? { status, headers, body };
	response.writeHead(sent.status, sent.headers).end(sent.body);
}

/** Returns the first of our encodings that the client accepts (RFC 9110 section 12.5.3), or else the plain file's. */
function encodingFor({ headers }: IncomingMessage, { variants }: PrebuiltFile): string {
	const header = headers['accept-encoding'] ?? '';
	const accepted = acceptedEncodings.memo(header.length > LONGEST_HEADER ? '' : header);
	return [...variants.keys()].find((encoding) => accepted.includes(encoding)) ?? 'identity';
}

/** In characters: browsers send 30. Comparing thousands of codings takes longer than sending the file without any. */
const LONGEST_HEADER = 500;

/** By the value of the header. Browsers send few, and choosing adds a twelfth to a page's processor time. */
const acceptedEncodings = new LRUCache<string, string[]>({
	max: 100,
	memoMethod: (header) => new Negotiator({ headers: { 'accept-encoding': header } }).encodings([...encodings]),
});

/** Returns whether a list of validators, or `*`, has this one (RFC 9110 section 13.1). */
const hasValidator = (list: string, etag: string) => list === '*' || list.split(',').some((one) => one.trim() === etag);

/**
 * Returns the requested part of a file (RFC 9110 section 14), with its status, or undefined for all of it. Safari plays no sound
 * that it cannot get in parts. Several ranges, and units other than bytes, are not supported.
 */
function partOf(request: IncomingMessage, { headers, body }: Variant): (Variant & { status: number }) | undefined {
	const range = rangeOf(request, headers['etag']!, body.length);
	if (range === undefined) return undefined;
	const [from, to] = range;
	const isThere = from < to;
	const part = isThere ? body.subarray(from, to) : Buffer.alloc(0);
	const place = {
		'content-range': `bytes ${isThere ? `${from}-${to - 1}` : '*'}/${body.length}`,
		'content-length': String(part.length),
	};
	return { status: isThere ? 206 : 416, headers: { ...headers, ...place }, body: part };
}

/** Returns the first byte of the range, and the byte after its last. */
function rangeOf({ method, headers }: IncomingMessage, etag: string, length: number): [from: number, to: number] | undefined {
	const [asked, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
	const isOfAnother = headers['if-range'] !== undefined && headers['if-range'] !== etag;
	if (asked === undefined || first + last === '' || method !== 'GET' || isOfAnother) return undefined;
	if (first === '') return [Math.max(0, length - Number(last)), length];
	if (last !== '' && Number(last) < Number(first)) return undefined;
	return [Number(first), last === '' ? length : Math.min(Number(last) + 1, length)];
}
