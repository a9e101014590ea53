import * as z from 'zod';
import { type ProblemName, problems } from '../api/answer.ts';
import { type Operation as Row, operations } from '../api/operations.ts';
import { fillFacts } from '../facts/fill.ts';
import { languages } from '../facts/load.ts';
import { type Header, type JsonSchema, type Reference, type Response, text } from './openapi-document.ts';
import { headerReferences, headersFor, problemNames, problemResponses, problemSchemas } from './openapi-responses.ts';
import type { Source } from './source.ts';
import { pricesOf } from './text.ts';
import { idempotencyKeyForm } from '../api/read.ts';

/** `/openapi.json`, from the schemas that the server enforces. The form that `POST /api/contact` also takes is no part of the API. */
export const openapi = ({ service, facts, origin, links }: Pick<Source, 'service' | 'facts' | 'origin' | 'links'>) => ({
	openapi: '3.1.0',
	info: {
		title: `${service.name} API`,
		version: service.api.version,
		summary: `Send a lead to ${service.name}, and see whether the API is up.`,
		description: `${facts['description']} ${pricesOf(facts)}\n\nNo operation needs credentials. Programs on any origin may read the answers, and no cache may keep them. Errors are problem details (RFC 9457), and \`detail\` says what to do. [auth.md](${links.authMd}) says how programs get access.`,
		contact: { name: service.company, url: links.contact, email: service.emails.sales },
		license: service.api.license,
	},
	externalDocs: { url: links.apiReference, description: 'API reference' },
	servers: [{ url: origin, description: 'Production' }],
	security: [{}],
	tags: [...new Map(operations.map(({ tag }) => [tag.name, tag])).values()],
	// By path, then by method in lower case.
	paths: Object.fromEntries(
		operations.map((row) => [row.path, { [row.methods[0].toLowerCase()]: operationOf(row, { service, facts }) }]),
	),
	components: {
		schemas: { ...Object.fromEntries(operations.flatMap((row) => schemasOf(row, facts))), ...problemSchemas(service) },
		responses: { ...problemResponses({ service, links }), answer_default: unlisted } as Record<string, Response>,
		headers: headersFor(service) as Record<string, Header>,
		securitySchemes: { apiKey: apiKeyScheme({ service, links, facts }) },
	},
});

/** The part of OpenAPI 3.1.0 that our description uses: narrower than the specification, so that its readers need not guess. */
export type OpenApi = ReturnType<typeof openapi>;

export type Operation = OpenApi['paths'][string][string];

type Context = Pick<Source, 'service' | 'links' | 'facts'>;

function operationOf(row: Row, { service, facts }: Pick<Context, 'service' | 'facts'>) {
	const { operationId, tag, summary, description, headers, body } = row;
	return {
		operationId,
		tags: [tag.name],
		summary,
		description: fillFacts(description, facts, 'src/api/operations.ts'),
		// A client has to meet one requirement of the list: `{}` means no credentials. OpenAPI 3.1.0 allows no scopes on an `http` scheme.
		security: row.limited ? [{}, { apiKey: [] }] : [{}],
		...(headers && { parameters: headers.map((name) => parametersFor(service)[name]) }),
		...(body && { requestBody: { required: true, description: body.description, content: contentOf(body) } }),
		responses: responsesOf(row, service),
	};
}

const unlisted: Response = {
	description: 'Any other answer: that of a newer version or, perhaps without problem details, of a proxy. Go by its status.',
	headers: {},
	content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, examples: {} } },
};

/** The problems of every request, whatever it asks for. */
const general = new Set<ProblemName>([
	'malformed-request',
	'not-found',
	'method-not-allowed',
	'request-timeout',
	'headers-too-large',
	'internal-error',
]);

/** Returns the answers of an operation by status. `default` is for all others. */
function responsesOf({ result, limited }: Row, service: Source['service']): Record<string, Response | Reference> {
	const names = problemNames(service).filter((name) => limited || general.has(name));
	const shared = [...names.map((name) => problems[name].status), 'default'];
	return {
		'200': {
			description: result.description,
			headers: limited ? headerReferences('RateLimit', 'RateLimit-Policy', 'Test-Key') : {},
			content: contentOf(result),
		},
		...Object.fromEntries(shared.map((status) => [status, { $ref: `#/components/responses/answer_${status}` }])),
	};
}

const contentOf = ({ name, examples }: Row['result']) => ({
	'application/json': { schema: { $ref: `#/components/schemas/${name}` }, examples },
});

const schemasOf = ({ body, result }: Row, facts: Context['facts']) =>
	[body, result].flatMap((media) => (media ? [[media.name, jsonSchema(media.schema, facts)] as const] : []));

/** Describes the headers that a client may send, without examples: tools send an example as it is, so all clients would send the same value. */
const parametersFor = ({ keys }: Source['service']) => ({
	// draft-ietf-httpapi-idempotency-key-header-07, section 2.
	'Idempotency-Key': {
		name: 'Idempotency-Key',
		in: 'header',
		description: `A unique value for this lead, such as a UUID: 1 to 255 ASCII characters in quotes, which may be left out if the value has no space and no quote. For 24 hours after a 200, the same lead with the same value gets that answer again, and counts as one. With two values it is two leads. An answer that refuses a lead (4xx) leaves the value free, also for the corrected lead. Another lead of the same sender (identified by ${keys === 'issued' ? 'the API key or, without one, the `email`' : 'the `email`'}) with a value that is taken is refused: the description of \`Lead\` says which leads are the same.`,
		schema: { ...text, pattern: idempotencyKeyForm.source },
	},
	// RFC 9110, section 12.5.4.
	'Accept-Language': {
		name: 'Accept-Language',
		in: 'header',
		description: `The language of error messages, if the lead has no \`lang\`, or one that we do not have. We have ${languages.map((tag) => `\`${tag}\``).join(', ')}, and choose by lookup (RFC 4647 section 3.4).`,
		schema: text,
	},
});

/** Describes a key in the header `Authorization` (RFC 6750 section 2.1). */
function apiKeyScheme({ service, links, facts }: Context) {
	const ofKeys = ` An API key has its own rate limit and identifies the sender. Keys are issued by hand: see [auth.md](${links.authMd}).`;
	return {
		type: 'http',
		scheme: 'bearer',
		description: `Not needed.${service.keys === 'issued' ? ofKeys : ''} Everybody may try the API with the test key \`${facts['key.test']}\`: a lead sent with it is checked and answered like any other, but neither kept nor delivered, and counted separately. With the test key, the header \`Test-Answer: 408\`, \`429\`, \`429; retry-after=40\`, \`500\`, \`503\` or \`idempotency-key-reused\` gets that answer. Send a key only behind \`Bearer\` in \`Authorization\`. A key in another header or in the address gets 401.`,
	};
}

function jsonSchema(schema: z.ZodType, facts: Context['facts']): JsonSchema {
	const { $schema: _, ...rest } = z.toJSONSchema(schema, {
		io: 'input',
		override: ({ jsonSchema: member }) => {
			if (member.description) member.description = fillFacts(member.description, facts, 'src/lead/lead.ts');
			// The pattern repeats what the format says.
			if (member.format === 'date-time') delete member.pattern;
			// With a default, Postman does not fill in the honeypot. Outside `allOf`, openapi-typescript would require the member for it.
			if (member.const !== '') return;
			delete member.type;
			member.allOf = [{ type: 'string', default: '' }];
		},
	});
	return rest;
}
