import * as z from 'zod';
import { idempotencyKeyForm } from '../lead/intake/idempotency-key.ts';
import { exampleLead, leadSchema } from '../lead/lead.ts';
import { keyFormOf } from '../service/key-form.ts';
import { factsOf } from '../service/facts.ts';
import { type Links, paths } from '../service/links.ts';
import { languages } from '../service/load.ts';
import { statusSchema } from '../status/status.ts';
import type { Content, JsonSchema, OpenApi, Operation, Parameter } from './openapi-document.ts';
import { headerReferences, headersFor } from './openapi-headers.ts';
import { problemResponse, problemSchemas } from './openapi-responses.ts';
import type { Source } from './source.ts';

/**
 * `/openapi.json`: OpenAPI 3.1.0, from the schemas that the server enforces.
 *
 * The form that `POST /api/contact` takes as well is the contact page's own, without JavaScript, and is no part of the API.
 */
export function openapi({ service, words, origin, links }: Pick<Source, 'service' | 'words' | 'origin' | 'links'>): OpenApi {
	const facts = factsOf(service, links, words);
	return {
		openapi: '3.1.0',
		info: {
			title: `${service.name} API`,
			version: service.api.version,
			summary: `Send a lead to ${service.name}, and see whether the API is up.`,
			description: `${facts['description']} Pay as you go from ${facts['price.payAsYouGo']}, plans from ${facts['price.plans']}.\n\nBoth operations need no credentials. Errors are problem details (RFC 9457). How programs get access is in [auth.md](${links.authMd}).`,
			contact: { name: service.company, url: links.contact, email: service.emails.sales },
			license: service.api.license,
		},
		externalDocs: { url: links.apiReference, description: 'API reference' },
		servers: [{ url: origin, description: 'Production' }],
		security: [{}],
		tags: [
			{ name: 'leads', description: 'Sales leads: people who would like to hear from us.' },
			{ name: 'status', description: 'Whether the API is up.' },
		],
		paths: {
			[paths.submitLead]: { post: submitLead(service, links) },
			[paths.getStatus]: { get: getStatus(links) },
		},
		components: {
			schemas: {
				Lead: jsonSchema(leadSchema),
				Accepted: jsonSchema(acceptedSchema),
				Status: jsonSchema(statusSchema),
				...problemSchemas({ service, links }),
			},
			headers: headersFor(service),
			securitySchemes: { apiKey: apiKeyScheme(service, links) },
		},
	};
}

const acceptedSchema = z
	.object({ ok: z.literal(true).meta({ description: 'The lead was taken.' }) })
	.meta({ title: 'Accepted', description: 'The lead was taken. It need not be sent again.', examples: [{ ok: true }] });

const submitLead = ({ keys }: Source['service'], links: Links): Operation => ({
	operationId: 'submitLead',
	tags: ['leads'],
	summary: 'Send a sales lead',
	description: `Takes a lead for the sales team, who answer by email. What has text in \`website\` gets the same answer and is taken for spam. Send \`consent\` only when a person has read the [privacy notice](${links.privacy}) and agrees. The same lead, sent again within ten minutes, is one lead.`,
	security: [{}, { apiKey: [] }],
	parameters: [idempotencyKey(keys === 'issued' ? 'the API key or, without one, the `email`' : 'the `email`'), acceptLanguage],
	requestBody: { required: true, description: 'The lead, at most 64 KiB.', content: leadContent() },
	responses: {
		'200': {
			description: 'The lead was taken.',
			headers: headerReferences('RateLimit', 'RateLimit-Policy', 'Test-Key'),
			content: content('Accepted', { accepted: { summary: 'Taken', value: { ok: true } } }),
		},
		'400': problemResponse('malformed-request', { links }),
		'401': problemResponse('invalid-credential', { links }),
		'403': problemResponse(keys === 'issued' ? ['insufficient-scope', 'foreign-form'] : 'foreign-form', { links }),
		'405': problemResponse('method-not-allowed', { links, allow: 'POST, OPTIONS' }),
		'409': problemResponse('idempotency-key-in-use', { links }),
		'413': problemResponse('too-large', { links }),
		'415': problemResponse('unsupported-media-type', { links }),
		'422': problemResponse(['invalid-lead', 'idempotency-key-reused'], { links }),
		'429': problemResponse('rate-limited', { links }),
		'500': problemResponse('internal-error', { links }),
		'503': problemResponse('unavailable', { links }),
	},
});

/** draft-ietf-httpapi-idempotency-key-header-07, section 2. @param sender what names the sender */
const idempotencyKey = (sender: string): Parameter => ({
	name: 'Idempotency-Key',
	in: 'header',
	description: `Your own name for this lead, such as a UUID: 1 to 255 characters of ASCII, in quotes or, where all are visible, without. Sent again under it within 24 hours, it is the same lead and gets the same answer, so that you may repeat a request whose answer did not arrive. Another lead of the same sender (${sender}) under the same key is refused.`,
	schema: { type: 'string', pattern: idempotencyKeyForm.source },
	example: '"5f0c4f0e-6f6c-4d8e-9a55-0d3c7a1b2c3d"',
});

/** RFC 9110, section 12.5.4. */
const acceptLanguage: Parameter = {
	name: 'Accept-Language',
	in: 'header',
	description: `In which languages to say what is wrong, where the lead has no \`lang\` or one that we do not have. We have ${languages.map((tag) => `\`${tag}\``).join(', ')}; a range finds them by lookup (RFC 4647 section 3.4).`,
	schema: { type: 'string' },
	example: 'de-AT, de;q=0.9, en;q=0.5',
};

const apiKeyScheme = (
	{ keys, ...service }: Source['service'],
	links: Links,
): OpenApi['components']['securitySchemes'][string] => {
	const { publicTestKey } = keyFormOf(service.identifier);
	const issued =
		keys === 'issued'
			? ` An API key has a rate limit of its own, and names the sender. Keys are issued by hand: see [auth.md](${links.authMd}).`
			: '';
	return {
		type: 'http',
		scheme: 'bearer',
		description: `Not needed.${issued} Everybody may try the API out with the test key \`${publicTestKey}\`: what is sent with it is checked and answered like any lead, and neither kept nor delivered.`,
	};
};

const getStatus = (links: Links): Operation => ({
	operationId: 'getStatus',
	tags: ['status'],
	summary: 'Read whether the API is up',
	description: 'Answers with the name and version of the service and the time of the server.',
	security: [{}],
	responses: {
		'200': {
			description: 'The API is up.',
			headers: headerReferences(),
			content: content('Status', { up: { summary: 'Up', value: exampleOf(jsonSchema(statusSchema)) } }),
		},
		'405': problemResponse('method-not-allowed', { links, allow: 'GET, HEAD, OPTIONS' }),
		'500': problemResponse('internal-error', { links }),
	},
});

function leadContent(): Content {
	return content('Lead', {
		minimal: { summary: 'Only what is required', value: exampleLead(({ required }) => required) },
		full: { summary: 'A lead with every field', value: exampleLead(({ kind }) => kind !== 'honeypot') },
	});
}

function content(schema: string, examples: Content[string]['examples']): Content {
	return { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, examples } };
}

function jsonSchema(schema: z.ZodType): JsonSchema {
	const { $schema: _, ...rest } = z.toJSONSchema(schema, {
		io: 'input',
		// The format says it all.
		override: ({ jsonSchema: member }) => {
			if (member.format === 'date-time') delete member.pattern;
		},
	});
	return rest;
}

/** An object of the first example, or the constant, of each member. */
function exampleOf({ properties = {} }: JsonSchema): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(properties).map(([name, member]) => {
			const { examples, const: constant } = member as JsonSchema;
			return [name, examples?.[0] ?? constant];
		}),
	);
}
