import { waits } from '../facts/facts.ts';
import type { Links } from '../facts/links.ts';
import { copyIn, defaultLanguage, links } from '../facts/load.ts';
import type { FieldError } from './field-error.ts';

export interface Answer {
	status: number;
	/** By lower-case name. */
	headers: Record<string, string>;
	/** A text; or the bytes of a prebuilt file, of a part of it, or of a rendered page, whose headers are complete. Not to be sent for HEAD. */
	body: string | Buffer;
}

/** An answer with a page that is still to be rendered: the form again, or the page of an action. */
export interface PageAnswer<State> extends Omit<Answer, 'body'> {
	/** A path of the Astro page that renders it. */
	path: string;
	page: State;
	/** Whether it says the same to everybody: then it is rendered once, and costs no more than a file. */
	isShared: boolean;
}

/** Sent with every answer in JSON: programs on any origin may read it, no cache may keep it. */
const apiHeaders = {
	'content-type': 'application/json',
	'cache-control': 'no-store',
	'access-control-allow-origin': '*',
	'access-control-expose-headers': 'ratelimit, ratelimit-policy, retry-after, test-key, www-authenticate',
	'cross-origin-resource-policy': 'cross-origin',
};

export const json = (status: number, value: unknown, headers?: Record<string, string>): Answer => ({
	status,
	headers: headers ? { ...apiHeaders, ...headers } : apiHeaders,
	body: JSON.stringify(value),
});

export const toResponse = ({ body, ...init }: Answer) => new Response(body.length > 0 ? (body as BodyInit) : null, init);

/** The words of the problem that programs read in the language of the lead. */
const { invalidLead } = copyIn(defaultLanguage);

/** All problems, by the slug that ends the problem's `type`. A visitor's form gets a page in place of one, with its status. */
export const problems = {
	'malformed-request': {
		status: 400,
		title: 'The request cannot be read',
		detail:
			'The body is not valid JSON in UTF-8, or a header is malformed. Send one JSON object, and as Idempotency-Key 1 to 255 ASCII characters, such as a UUID.',
	},
	'invalid-credential': {
		status: 401,
		title: 'The API key does not work',
		detail:
			'The lead was not accepted: the key is unknown, mistyped, expired or revoked, or is not behind Bearer in Authorization. Correct it, or leave it out: no key is needed.',
	},
	'insufficient-scope': {
		status: 403,
		title: 'The API key lacks the required scope',
		detail: 'The lead was not accepted. WWW-Authenticate names the missing scope. Leave out Authorization: no key is needed.',
	},
	'foreign-form': {
		status: 403,
		title: 'The form was sent from another site',
		detail: 'Only our own contact page may send a form. Programs send the lead as application/json.',
	},
	'not-found': {
		status: 404,
		title: 'No such operation',
		detail: 'The API has no operation at this path. The API reference lists all operations.',
	},
	'method-not-allowed': {
		status: 405,
		title: 'The method is not allowed here',
		detail: 'The Allow header names the methods of this path.',
	},
	'request-timeout': {
		status: 408,
		title: 'The request took too long',
		detail: `The request was not accepted. All of it must arrive within ${waits.request} seconds. Send it again: a lead with the same Idempotency-Key.`,
	},
	'too-large': {
		status: 413,
		title: 'The request is too large',
		detail: 'The body may have at most 64 KiB. Shorten the message.',
	},
	'unsupported-media-type': {
		status: 415,
		title: 'The media type is not supported',
		detail: 'Send the lead in UTF-8, with the header Content-Type: application/json and without a Content-Encoding.',
	},
	'invalid-lead': { status: 422, title: invalidLead.title, detail: invalidLead.detail },
	'idempotency-key-reused': {
		status: 422,
		title: 'The key belongs to another lead',
		detail:
			'The same sender has used this Idempotency-Key for another lead. If you meant to repeat a lead, it was accepted already. Otherwise send this lead with a new key.',
	},
	'rate-limited': {
		status: 429,
		title: 'Too many requests',
		detail: 'Wait the number of seconds in Retry-After, and send the lead again with the same Idempotency-Key.',
	},
	'headers-too-large': {
		status: 431,
		title: 'The headers are too large',
		detail: 'The target and the headers may have at most 16 KiB together. Shorten them.',
	},
	'internal-error': {
		status: 500,
		title: 'Something went wrong on our side',
		detail: 'Send it again later: a lead with the same Idempotency-Key, because we may have accepted it all the same.',
	},
	unavailable: {
		status: 503,
		title: 'The lead could not be delivered',
		detail: 'The cause is on our side, not in the lead. Send it again later, with the same Idempotency-Key, or write to us.',
	},
} as const satisfies Record<string, { status: number; title: string; detail: string }>;

export type ProblemName = keyof typeof problems;

/** Returns the URI of a problem: the address of its page. */
export const problemType = (name: ProblemName, { errors }: Pick<Links, 'errors'> = links) => `${errors}/${name}`;

interface ProblemOptions {
	/** Replace the general words, to say them in another language (RFC 9457 section 3.1.3) or of this very fault. */
	title?: string;
	detail?: string;
	errors?: FieldError[];
	/** A URI for this very occurrence. */
	instance?: string;
	headers?: Record<string, string>;
}

/** Returns an error answer to a program: `application/problem+json` (RFC 9457). */
export function problem(name: ProblemName, { headers, instance, errors, ...words }: ProblemOptions = {}): Answer {
	const { status, title, detail } = { ...problems[name], ...words };
	const type = problemType(name);
	return json(
		status,
		{ type, title, status, detail, instance, errors },
		{ 'content-type': 'application/problem+json', ...headers },
	);
}

/** Returns a 405 with the `Allow` that RFC 9110 section 15.5.6 requires. */
export const methodNotAllowed = (allow: string, detail: string = problems['method-not-allowed'].detail) =>
	problem('method-not-allowed', { detail, headers: { allow } });
