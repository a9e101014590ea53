import type { IncomingMessage } from 'node:http';

interface Content {
	headers: Record<string, string>;
	body: Buffer;
}

/**
 * The part of a file that is asked for (RFC 9110 section 14), with its status; undefined: all of it. Safari plays no sound that it
 * cannot get in parts. Of several ranges, and of units other than bytes, nothing is known.
 */
export function partOf(request: IncomingMessage, { headers, body }: Content): (Content & { status: number }) | undefined {
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

/** From which byte to before which. */
function rangeOf({ method, headers }: IncomingMessage, etag: string, length: number): [from: number, to: number] | undefined {
	const [asked, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
	const isOfAnother = headers['if-range'] !== undefined && headers['if-range'] !== etag;
	if (asked === undefined || first + last === '' || method !== 'GET' || isOfAnother) return undefined;
	if (first === '') return [Math.max(0, length - Number(last)), length];
	if (last !== '' && Number(last) < Number(first)) return undefined;
	return [Number(first), last === '' ? length : Math.min(Number(last) + 1, length)];
}
