import { type ProblemName, problems, problemType } from '../api/answer.ts';
import { fieldErrors, NOT_OBJECT } from '../api/field-error.ts';
import { allowOf, operations } from '../api/operations.ts';
import { SUBMISSIONS_PER_LEAD } from '../api/rate.ts';
import { defaultRateLimit } from '../facts/facts.ts';
import type { Links } from '../facts/links.ts';
import { defaultLanguage } from '../facts/load.ts';
import { errorCodes, exampleLead, leadFields, leadSchema } from '../lead/lead.ts';
import { type Header, type JsonSchema, type Reference, type Response, text } from './openapi-document.ts';
import type { Source } from './source.ts';

const { leads, minutes } = defaultRateLimit;
/** The seconds to wait, in the examples. */
const WAIT = 42;

const always = (value: string, description: string) => ({ description, required: true, schema: { const: value } });

/** Returns every header that an answer of the API may have, except those of plain HTTP and those that every answer has. */
export const headersFor = ({ keys }: Source['service']) =>
	({
		RateLimit: {
			description:
				'`r` is what is left of the limit that `RateLimit-Policy` names; `t` is the number of seconds until all of it is available again (draft-ietf-httpapi-ratelimit-headers-11). Absent without a limit.',
			schema: text,
			examples: {
				accepted: { value: `"default";r=${leads - 1};t=${minutes * 60}` },
				'invalid-lead': { value: `"submissions";r=${leads * SUBMISSIONS_PER_LEAD - 1};t=${minutes * 60}` },
				'rate-limited': { value: `"default";r=0;t=${WAIT}` },
			},
		},
		'RateLimit-Policy': {
			description:
				'The limit that this request counts against: `q` in `w` seconds for each client. `"default"` counts leads. `"submissions"` counts all requests that could be read. A new lead counts against both: its answer has the limit that will be reached first.',
			schema: text,
			examples: {
				accepted: { value: `"default";q=${leads};w=${minutes * 60}` },
				'invalid-lead': { value: `"submissions";q=${leads * SUBMISSIONS_PER_LEAD};w=${minutes * 60}` },
			},
		},
		'Retry-After': {
			description: 'How many seconds to wait.',
			required: true,
			schema: { type: 'integer', minimum: 0 },
			examples: { 'rate-limited': { value: WAIT } },
		},
		'WWW-Authenticate': {
			description: '`error` says why the key was refused, and `scope` names the scope that it lacks (RFC 6750 section 3).',
			schema: text,
			examples: {
				'invalid-credential': { value: 'Bearer error="invalid_token"' },
				...(keys === 'issued' && { 'insufficient-scope': { value: 'Bearer error="insufficient_scope", scope="contact:write"' } }),
			},
		},
		'Content-Language': {
			description: 'The language of `title` and of each `detail`: a BCP 47 tag (RFC 9110 section 8.5).',
			schema: text,
			example: defaultLanguage,
		},
		'Test-Key': {
			description:
				'`?1`: the lead was sent with the test key, and was neither kept nor delivered. Absent for any other lead (RFC 9651 section 3.3.6).',
			schema: { const: '?1' },
		},
		Allow: {
			description: 'The methods of this path.',
			required: true,
			schema: text,
			examples: Object.fromEntries(operations.map((row) => [row.operationId, { value: allowOf(row) }])),
		},
		'Accept-Post': always('application/json', 'The media type to send (Linked Data Platform 1.0 section 7.1).'),
	}) satisfies Record<string, Header>;

type HeaderName = keyof ReturnType<typeof headersFor>;

/** Returns references to headers by name. */
export const headerReferences = (...names: HeaderName[]): Record<string, Reference> =>
	Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Returns the names of the problems that can occur: if no keys are issued, no key lacks a scope. */
export const problemNames = ({ keys }: Pick<Source['service'], 'keys'>): ProblemName[] =>
	(Object.keys(problems) as ProblemName[]).filter((name) => keys === 'issued' || name !== 'insufficient-scope');

/** Returns whether and when to send the same request again. */
export function retryOf(name: ProblemName): string {
	const { status } = problems[name];
	if (status === 429) return 'Yes, after the number of seconds in Retry-After';
	if (status === 408) return 'Yes, at growing intervals';
	return status < 500 ? 'Only after you change it' : 'Yes, later, at growing intervals';
}

/** Describes the error answers by name: an identifier, because generators make it the name of a type. */
export function problemResponses({ service, links }: Pick<Source, 'service' | 'links'>): Record<string, Response> {
	const byStatus = Map.groupBy(problemNames(service), (name) => problems[name].status);
	return Object.fromEntries([...byStatus].map(([status, all]) => [`answer_${status}`, problemResponse(all, links)]));
}

/** Describes an error answer: the types of problem with its status, each with an example, whose `detail` says what to do. */
const problemResponse = (all: ProblemName[], links: Links): Response => ({
	description: all.map((name) => `${problems[name].title}.`).join(' '),
	headers: headerReferences(...new Set(all.flatMap((name) => headersOf[name] ?? []))),
	content: {
		'application/problem+json': {
			schema: all.includes('invalid-lead') ? { anyOf: [refTo('InvalidLead'), refTo('Problem')] } : refTo('Problem'),
			examples: Object.fromEntries(all.map((name) => [name, problemExample(name, links)])),
		},
	},
});

const refTo = (schema: string): JsonSchema => ({ $ref: `#/components/schemas/${schema}` });

function problemExample(name: ProblemName, links: Links) {
	const { status, title, detail } = problems[name];
	const value = { type: problemType(name, links), title, status, detail };
	return { value: name === 'invalid-lead' ? { ...value, errors: exampleErrors() } : value };
}

/** The headers of answers to a lead that the rate limit counted. */
const counted: HeaderName[] = ['RateLimit', 'RateLimit-Policy', 'Test-Key'];

const headersOf: Partial<Record<ProblemName, HeaderName[]>> = {
	'malformed-request': ['Test-Key'],
	'invalid-credential': ['WWW-Authenticate'],
	'insufficient-scope': ['WWW-Authenticate'],
	'foreign-form': ['Test-Key'],
	'method-not-allowed': ['Allow'],
	'too-large': ['Test-Key'],
	'unsupported-media-type': ['Accept-Post', 'Test-Key'],
	'invalid-lead': [...counted, 'Content-Language'],
	'idempotency-key-reused': counted,
	'rate-limited': [...counted, 'Retry-After'],
	'internal-error': ['Test-Key'],
	unavailable: counted,
};

/** Returns whether a problem may have a header of its response: other problems with the same status may have more headers. */
export const mayHaveHeader = (problem: ProblemName, header: string): boolean =>
	(headersOf[problem] as string[] | undefined)?.includes(header) ?? false;

/** Problem details (RFC 9457 section 3). */
export const problemSchemas = (service: Source['service']): Record<string, JsonSchema> => ({
	Problem: {
		description: 'What went wrong, and what to do: problem details (RFC 9457).',
		type: 'object',
		required: ['type', 'title', 'status', 'detail'],
		properties: {
			type: {
				...text,
				format: 'uri',
				description: `The problem: the address of a page about it. Ends in ${known(problemNames(service).map((name) => `/${name}`))}.`,
			},
			title: { ...text, description: 'The problem in words for people: the same for each type and language.' },
			status: { type: 'integer', format: 'int32', minimum: 400, maximum: 599, description: 'The status of the answer.' },
			detail: { ...text, description: 'What happened, and what to do.' },
			instance: {
				...text,
				format: 'uri',
				description: 'A name of this failure, with 500 only. Quote it when you write to us.',
				examples: ['urn:uuid:5f0c4f0e-6f6c-4d8e-9a55-0d3c7a1b2c3d'],
			},
		},
	},
	InvalidLead: {
		description: 'Lists every invalid member of the lead.',
		allOf: [refTo('Problem')],
		type: 'object',
		required: ['errors'],
		properties: {
			errors: {
				type: 'array',
				description: 'One item for each invalid member of the lead.',
				minItems: 1,
				maxItems: leadFields.length,
				items: refTo('ProblemError'),
			},
		},
	},
	ProblemError: {
		description: 'What is wrong with one member.',
		type: 'object',
		required: ['pointer', 'code', 'detail'],
		properties: {
			pointer: {
				...text,
				description: `The member: a JSON Pointer as a URI fragment (RFC 6901 section 6). One of ${known(leadFields.map(({ name }) => `#/${name}`).concat('#'))}. \`#\` is the lead as a whole.`,
				examples: ['#/email'],
			},
			code: {
				...text,
				description: `Stable and meant for programs: the member and its fault. One of ${known([...errorCodes, NOT_OBJECT])}.`,
				maxLength: 64,
				examples: ['email_invalid'],
			},
			detail: {
				...text,
				description: 'The fault in words for people, in the language that `lang` or `Accept-Language` asks for, if we have it.',
			},
		},
	},
});

/** Describes an open set of values: a closed one would break clients as soon as it grows. */
const known = (values: readonly string[]) => `${values.map((value) => `\`${value}\``).join(', ')}; more may come`;

function exampleErrors() {
	const { error } = leadSchema.safeParse({ ...exampleLead(({ required }) => required), email: 'ana@clinicasol', consent: '' });
	if (error === undefined) throw new Error('The example of an invalid lead has become valid.');
	return fieldErrors(error, 'program', defaultLanguage);
}
