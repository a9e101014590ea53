import { isUtf8 } from 'node:buffer';
import { MIMEType } from 'node:util';
import type { ProblemName } from './answer.ts';
import { BodyTooLarge, type ClientRequest, shortHeader } from './request.ts';
import { origin } from '../facts/load.ts';

/**
 * A submission's members, unchecked, or the problem of a body that cannot be read. `form`: in the media type of forms, which
 * programs may send too, and not JSON all the same. A page answers it, unless it is foreign, a header of it is malformed, or its `Accept` names JSON.
 */
export type Submission =
	| { form: boolean; refused: ProblemName; input?: undefined }
	| { form: true; refused?: undefined; input: Record<string, string> }
	| { form: false; refused?: undefined; input: unknown };

/** In bytes. Room for the longest lead percent-encoded, and little more, unless it is almost all emoji: those take twelve bytes. */
export const BODY_LIMIT = 65_536;

/** The headers of a 415, which name what a POST may contain: RFC 9110 section 15.5.16, Linked Data Platform section 7.1. */
export const acceptedTypes = { accept: 'application/json', 'accept-encoding': 'identity', 'accept-post': 'application/json' };

const FORM = 'application/x-www-form-urlencoded';

/** Reads the posted body. Checks, in this order: stated size, media type and encoding, our own page (forms), size, syntax. */
export async function readSubmission(request: ClientRequest): Promise<Submission> {
	const { headers } = request;
	const mediaType = mediaTypeOf(shortHeader(request, 'content-type'));
	const form = mediaType?.essence === FORM;
	const refuse = (refused: ProblemName) => ({ form, refused });

	if (Number(headers.get('content-length') ?? 0) > BODY_LIMIT) return refuse('too-large');
	if (!form && mediaType?.essence !== 'application/json') return refuse('unsupported-media-type');
	// JSON has no charset parameter (RFC 8259 section 11), but a sender that states one says how to read the bytes.
	if (!/^utf-?8$/i.test(mediaType.params.get('charset') ?? 'utf-8')) return refuse('unsupported-media-type');
	if (!/^(identity)?$/i.test(headers.get('content-encoding') ?? '')) return refuse('unsupported-media-type');
	if (form && isForeignForm(headers)) return refuse('foreign-form');

	try {
		const body = await request.read(BODY_LIMIT);
		return form ? formOf(body) : { form, input: parseJson(body) };
	} catch (error) {
		if (error instanceof BodyTooLarge) return refuse('too-large');
		if (error instanceof SyntaxError) return refuse('malformed-request');
		throw error;
	}
}

/** Leaves out a byte order mark. A decoder does so by itself, but takes twice as long. */
const textOf = (utf8: Buffer): string => utf8.toString().replace(/^\uFEFF/, '');

/** @throws {SyntaxError} the body is no JSON in UTF-8 */
function parseJson(body: Buffer): unknown {
	if (!isUtf8(body)) throw new SyntaxError('The body is not in UTF-8.');
	return JSON.parse(textOf(body));
}

function formOf(body: Buffer): Submission {
	const bytes = Buffer.from(body.toString('latin1').replace(ESCAPED_BYTE, byteOf), 'latin1');
	if (!isUtf8(bytes)) return { form: true, refused: 'malformed-request' };
	const text = textOf(bytes);
	// JSON, as curl sends it unless it is told the media type. No field of a form has such a name.
	if (/^\s*(?:\{|%7B)/i.test(text)) return { form: false, refused: 'unsupported-media-type' };
	return { form: true, input: Object.fromEntries(new URLSearchParams(text.split('&', MAX_FIELDS).join('&'))) };
}

/** A byte beyond ASCII in percent-encoding: `URLSearchParams` would not tell whether such bytes are UTF-8. */
const ESCAPED_BYTE = /%([89A-F][\dA-F])/gi;
const byteOf = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));

/** Almost all programs send it. To parse it anew takes a twentieth of the time of a 422. */
const JSON_TYPE = new MIMEType('application/json');

function mediaTypeOf(header: string): MIMEType | undefined {
	if (header === JSON_TYPE.essence) return JSON_TYPE;
	try {
		return new MIMEType(header);
	} catch {
		return undefined;
	}
}

/** Our pages' host, which a proxy may leave out of the request. */
const publicHost = new URL(origin).host;

/**
 * Returns whether a browser says that the page of another host sent this form, be it a neighbour at our domain. A program, which says
 * nothing, may send forms. The scheme is not compared: behind a TLS proxy we see http.
 */
export function isForeignForm(headers: ClientRequest['headers']): boolean {
	const site = headers.get('sec-fetch-site');
	if (site !== null) return site !== 'same-origin' && site !== 'none';
	const sender = headers.get('origin');
	return sender !== null && ![headers.get('host'), publicHost].includes(sender.replace(/^https?:\/\//, ''));
}

/** More than any form of ours has. Further fields are ignored, because each takes time. */
const MAX_FIELDS = 1000;

/**
 * The published form of `Idempotency-Key`: 1 to 255 characters in quotes (draft-ietf-httpapi-idempotency-key-header-07, section
 * 2: a String of RFC 9651, section 3.3.3) or, as many clients send it, visible ASCII without quotes.
 */
export const idempotencyKeyForm = /^(?:[!#-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/v;

/** Returns the request's `Idempotency-Key` without its quotes. Returns undefined if there is none, and null if it is malformed. */
export function idempotencyKeyIn(headers: ClientRequest['headers']): string | null | undefined {
	const value = headers.get('idempotency-key');
	if (value === null) return undefined;
	if (!idempotencyKeyForm.test(value)) return null;
	return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}
