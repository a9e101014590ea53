import type { ProblemName } from '../http/problem.ts';
import { BodyTooLarge, readBody } from '../http/body.ts';
import type { ClientRequest } from '../http/request.ts';

/** A lead's raw members, not checked yet; `form` says whether a page's form sent them. */
export type Submission = { form: true; input: Record<string, string> } | { form: false; input: unknown };

/** Why there are no members. */
export interface Refusal {
	form: boolean;
	refused: ProblemName;
}

/** In bytes. Room for the longest lead in the longest encoding (percent-encoded UTF-8), and little more. */
export const BODY_LIMIT = 65_536;

const FORM = 'application/x-www-form-urlencoded';

/**
 * Reads what was posted. In this order: size, media type, own page (forms), syntax.
 *
 * @param ownHosts hosts that are ours beside the request's own `Host`
 */
export async function readSubmission(request: ClientRequest, ownHosts: string[]): Promise<Submission | Refusal> {
	const { headers } = request;
	const mediaType = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
	const form = mediaType === FORM;
	const refuse = (refused: ProblemName): Refusal => ({ form, refused });

	if (Number(headers.get('content-length') ?? 0) > BODY_LIMIT) return refuse('too-large');
	if (!form && mediaType !== 'application/json') return refuse('unsupported-media-type');
	if ((headers.get('content-encoding') ?? 'identity') !== 'identity') return refuse('unsupported-media-type');
	if (form && !isOwnForm(headers, ownHosts)) return refuse('foreign-form');

	try {
		const body = await readBody(request.body, BODY_LIMIT);
		const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
		return form ? { form, input: parseForm(text) } : { form, input: JSON.parse(text) as unknown };
	} catch (error) {
		if (error instanceof BodyTooLarge) return refuse('too-large');
		if (error instanceof SyntaxError || error instanceof TypeError) return refuse('malformed-request');
		throw error;
	}
}

/**
 * Did one of our own pages send this form? Other sites' pages are refused; programs, which send neither header, are not.
 * The scheme is left out: behind a TLS proxy we see http.
 */
function isOwnForm(headers: ClientRequest['headers'], ownHosts: string[]): boolean {
	const site = headers.get('sec-fetch-site');
	if (site !== null) return site === 'same-origin' || site === 'none';
	const sender = headers.get('origin');
	if (sender === null) return true;
	return URL.canParse(sender) && [headers.get('host'), ...ownHosts].includes(new URL(sender).host);
}

/** @throws {SyntaxError} a name stands twice: which of the values is meant cannot be known */
function parseForm(text: string): Record<string, string> {
	const pairs = [...new URLSearchParams(text)];
	const values = Object.fromEntries(pairs);
	if (Object.keys(values).length < pairs.length) throw new SyntaxError('A field stands twice.');
	return values;
}
