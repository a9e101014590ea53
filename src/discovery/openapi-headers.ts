import { allowOf, operations } from '../api/operations.ts';
import { SUBMISSIONS } from '../api/rate.ts';
import type { Service } from '../facts/schema.ts';
import { defaultLanguage } from '../facts/load.ts';
import { type Header, type Reference, text } from './openapi-document.ts';
import { defaultRateLimit } from '../facts/facts.ts';

const { leads, minutes } = defaultRateLimit;
/** The seconds to wait, in the examples. */
const WAIT = 42;

/** A header that always has the same value. */
const always = (value: string, description: string) => ({ description, required: true, schema: { const: value } });

/** Returns every header that an answer of the API may have, except those of plain HTTP and those that every answer has. */
export const headersFor = ({ keys }: Pick<Service, 'keys'>) =>
	({
		RateLimit: {
			description:
				'`r` is what is left of the limit that `RateLimit-Policy` names; `t` is the number of seconds until all of it is available again (draft-ietf-httpapi-ratelimit-headers-11). Absent without a limit.',
			schema: text,
			examples: {
				accepted: { value: `"default";r=${leads - 1};t=${minutes * 60}` },
				'invalid-lead': { value: `"submissions";r=${leads * SUBMISSIONS - 1};t=${minutes * 60}` },
				'rate-limited': { value: `"default";r=0;t=${WAIT}` },
			},
		},
		'RateLimit-Policy': {
			description:
				'The limit that this request counts against: `q` in `w` seconds for each client. `"default"` counts leads. `"submissions"` counts all requests that could be read. A new lead counts against both: its answer has the limit that will be reached first.',
			schema: text,
			examples: {
				accepted: { value: `"default";q=${leads};w=${minutes * 60}` },
				'invalid-lead': { value: `"submissions";q=${leads * SUBMISSIONS};w=${minutes * 60}` },
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
				...(keys === 'issued' && {
					'insufficient-scope': { value: 'Bearer error="insufficient_scope", scope="contact:write"' },
				}),
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

export type HeaderName = keyof ReturnType<typeof headersFor>;

/** Returns references to headers by name. */
export const headerReferences = (...names: HeaderName[]): Record<string, Reference> =>
	Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
