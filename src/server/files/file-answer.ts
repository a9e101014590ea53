import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { FileAnswer } from '../../http/answer.ts';
import { secured } from '../http/send.ts';
import { encodings, type ManifestEntry } from './manifest.ts';

/** The parts of a request that say which file to send, and how. */
export interface FileRequest {
	method?: string | undefined;
	url?: string | undefined;
	headers: Pick<IncomingHttpHeaders, 'accept' | 'accept-encoding' | 'if-match' | 'if-none-match' | 'range'> & {
		'if-range'?: string | string[] | undefined;
	};
}

/** One form of a file. */
type Variant = Omit<FileAnswer, 'status'>;

/** A file by content coding. `identity` is always there. */
export type Variants = Map<string, Variant>;

/** Returns a file in each of its encodings. @param bytes those from which the entry counts */
export function variantsOf({ headers, etag, bodies }: ManifestEntry, bytes: Buffer): Variants {
	return new Map(
		Object.entries(bodies).map(([encoding, [from, to]]) => {
			const own: Record<string, string> = encoding === 'identity' ? { etag } : encodedHeaders(encoding, etag);
			return [encoding, { body: bytes.subarray(from, to), headers: { ...headers, ...own, 'content-length': String(to - from) } }];
		}),
	);
}

/** Another representation needs another strong validator (RFC 9110 section 8.8.3). */
const encodedHeaders = (encoding: string, etag: string) => ({
	'content-encoding': encoding,
	etag: etag.replace(/"$/, `-${encoding}"`),
});

/** Answers GET and HEAD with a file in the encoding that the client prefers, or with 304 if the client has it. */
export function fileAnswer(request: FileRequest, variants: Variants, status: number): FileAnswer {
	const variant = variants.get(encodingFor(request, variants))!;
	const { headers, body } = variant;
	const { 'if-match': wanted, 'if-none-match': known } = request.headers;
	// Our files have no modification date, so conditions on one are ignored (RFC 9110 sections 13.1.3, 13.1.4 and 13.2.2).
	if (status === 200 && wanted !== undefined && !hasValidator(wanted, headers['etag']!)) {
		return { status: 412, headers: secured({ 'cache-control': 'no-store', 'content-length': '0' }), body: nothing };
	}
	// Compared weakly (RFC 9110 section 13.1.2).
	if (status === 200 && known !== undefined && hasValidator(known.replace(/(^|,)\s*W\//g, '$1'), headers['etag']!)) {
		const { 'content-length': _, ...rest } = headers;
		return { status: 304, headers: rest, body: nothing };
	}
	// A compressed file is small, so it is always sent whole.
	const part = status === 200 && variants.size === 1 ? partOf(request, variant) : undefined;
	return part ?? { status, headers, body };
}

const nothing = Buffer.alloc(0);

/** Returns the first of our encodings that the client accepts (RFC 9110 section 12.5.3), or else the plain file's. */
function encodingFor({ headers }: FileRequest, variants: Variants): string {
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
function partOf(request: FileRequest, { headers, body }: Variant): FileAnswer | undefined {
	const range = rangeOf(request, headers['etag']!, body.length);
	if (range === undefined) return undefined;
	const [from, to] = range;
	const isThere = from < to;
	const part = isThere ? body.subarray(from, to) : nothing;
	const place = {
		'content-range': `bytes ${isThere ? `${from}-${to - 1}` : '*'}/${body.length}`,
		'content-length': String(part.length),
	};
	return { status: isThere ? 206 : 416, headers: { ...headers, ...place }, body: part };
}

/** Returns the first byte of the range, and the byte after its last. */
function rangeOf({ method, headers }: FileRequest, etag: string, length: number): [from: number, to: number] | undefined {
	const [asked, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
	const isOfAnother = headers['if-range'] !== undefined && headers['if-range'] !== etag;
	if (asked === undefined || first + last === '' || method !== 'GET' || isOfAnother) return undefined;
	if (first === '') return [Math.max(0, length - Number(last)), length];
	if (last !== '' && Number(last) < Number(first)) return undefined;
	return [Number(first), last === '' ? length : Math.min(Number(last) + 1, length)];
}
