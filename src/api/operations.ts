import * as z from 'zod';
import { type Answer, json, methodNotAllowed, type PageAnswer, problem } from './answer.ts';
import { type ClientRequest, isGetOrHead } from './request.ts';
import { contactPageFor, submitLead, type SubmitDeps, type FormState } from './submit.ts';
import { exampleLead, leadSchema } from '../lead/lead.ts';
import { isoNow } from '../lead/values.ts';
import { paths } from '../facts/links.ts';
import { service, version } from '../facts/load.ts';
import type { Service } from '../facts/schema.ts';

/** An operation of the API: how it answers at its path, and everything that is published about it. */
export interface Operation {
	/** Its name for programs: in OpenAPI, generated clients, metrics, and anchors of the reference. */
	operationId: string;
	path: `/api/${string}`;
	/** OPTIONS is added to these. */
	methods: ['GET', 'HEAD'] | ['POST'];
	/** Answers a request by one of the methods. A body for HEAD is not sent. `deps` is undefined while the process cannot accept leads, and on functions for every operation but a POST: nothing is opened for it. */
	answer(request: ClientRequest, deps: SubmitDeps | undefined): Answer | Promise<Answer | PageAnswer<FormState>>;
	/** One phrase without a full stop: the heading in the reference, and its name in each list of operations. */
	summary: string;
	/** Whole sentences in Markdown, with facts in `{{…}}`. */
	description: string;
	/** The group in OpenAPI. Operations of a group share name and description. */
	tag: { name: string; description: string };
	/** Only published: `answer` checks a key itself, if it takes one. */
	scope?: keyof Service['scopes'];
	/** A request may carry an API key and `Test-Answer`, can have every problem, and counts against its client’s limit: if it can be read, or gets a page. `answer` sees to that, and documents and OPTIONS say it. */
	limited?: true;
	/** Headers that a client may send, beside `Authorization` and `Content-Type`. */
	headers?: ('Idempotency-Key' | 'Accept-Language')[];
	/** The JSON body of a request. */
	body?: Media;
	/** The JSON body of the answer 200. */
	result: Media;
}

interface Media {
	/** The name of its schema in OpenAPI. */
	name: string;
	description: string;
	schema: z.ZodObject;
	/** By name. The samples send the first. */
	examples: Record<string, { summary: string; value: object }>;
}

const statusExample = {
	ok: true,
	service: service.identifier,
	version: `${service.api.version}+3f2a9c1`,
	time: '2026-11-01T09:30:00.000Z',
};

/** The answer of `GET /api/status`: these four members. Readers may meet further members later. */
export const statusSchema = z.object({
	ok: z.literal(true).meta({ description: 'The API is up.' }),
	service: z.string().meta({ description: 'The name of the service.', examples: [statusExample.service] }),
	version: z.string().meta({
		description: 'The version of the running service, followed by that of its build (SemVer).',
		examples: [statusExample.version],
	}),
	time: z.iso.datetime().meta({ description: 'The server’s time, ISO 8601 in UTC.', examples: [statusExample.time] }),
});

const acceptedExample = { ok: true, reference: '7Q4F-K2M9' };

const acceptedSchema = z
	.object({
		ok: z.literal(true).meta({ description: 'Accepted.' }),
		reference: z
			.string()
			.regex(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/)
			.meta({ description: 'Its name, in repeats too.' }),
	})
	.meta({ description: 'Do not send it again.', examples: [acceptedExample] });

function status(): Answer {
	const value: z.output<typeof statusSchema> = { ok: true, service: service.identifier, version, time: isoNow() };
	return json(200, value);
}

/** The operations of the API. Servers and documents read this table: to add an operation, write its function and a row. */
export const operations: Operation[] = [
	{
		operationId: 'submitLead',
		path: paths.submitLead,
		methods: ['POST'],
		answer: submitLead,
		summary: 'Send a sales lead',
		description:
			'Accepts a lead for the sales team, who answer by email: to try it, send the public test key, with which nothing is kept. `consent` is about the [privacy notice]({{link.privacy}}): {{consent.rule}} Without `Idempotency-Key`, the same lead sent twice within ten minutes counts as one.\n\nWait {{wait.answer}} seconds for an answer. After 408, 429, 5xx or no answer, send the same again with the same `Idempotency-Key`: {{retry.tries}} tries in all, with pauses of {{retry.pauses}} seconds, or as long as `Retry-After` says: above 60, hand the person {{link.contact}}. Each client may send {{limit.leads}} leads in {{limit.minutes}} minutes, and ten times as many requests.',
		tag: { name: 'leads', description: 'Sales leads: people who would like to hear from us.' },
		scope: 'contact:write',
		limited: true,
		headers: ['Idempotency-Key', 'Accept-Language'],
		body: {
			name: 'Lead',
			description: 'The lead, at most 64 KiB.',
			schema: leadSchema,
			examples: {
				minimal: { summary: 'Only what is required', value: exampleLead(({ required }) => required) },
				full: { summary: 'A lead with every field', value: exampleLead(({ kind }) => kind !== 'honeypot') },
			},
		},
		result: {
			name: 'Accepted',
			description: 'The lead was accepted.',
			schema: acceptedSchema,
			examples: { accepted: { summary: 'Accepted', value: acceptedExample } },
		},
	},
	{
		operationId: 'getStatus',
		path: paths.getStatus,
		methods: ['GET', 'HEAD'],
		answer: status,
		summary: 'Read whether the API is up',
		description:
			'Returns the name and the version of the service, and the server’s time. It is about this website’s API, not about phone calls.',
		tag: { name: 'status', description: 'Whether the API is up.' },
		scope: 'status:read',
		result: {
			name: 'Status',
			description: 'The API is up.',
			schema: statusSchema,
			examples: { up: { summary: 'Up', value: statusExample } },
		},
	},
];

export const operationAt = (path: string | undefined) => operations.find((operation) => operation.path === path);

/** Answers a request for a path below `/api/`. The answer to HEAD has a body too, which the sender must leave out. */
export function answerTo(path: string, request: ClientRequest, deps: SubmitDeps | undefined): ReturnType<Operation['answer']> {
	const operation = operationAt(path);
	if (operation === undefined) return problem('not-found');
	if ((operation.methods as string[]).includes(request.method)) return operation.answer(request, deps);
	// A browser that GETs the path of a form, as after an error, goes to the page with the form.
	const page = isGetOrHead(request) && contactPageFor(request);
	if (page) return { status: 303, headers: { location: page }, body: '' };
	return request.method === 'OPTIONS' ? preflight(operation) : methodNotAllowed(allowOf(operation));
}

export const allowOf = ({ methods }: Operation) => [...methods, 'OPTIONS'].join(', ');

/** Names what may be sent here, also from pages of other origins (WHATWG Fetch, section 3.3: the CORS protocol). */
function preflight(operation: Operation): Answer {
	const { methods, body } = operation;
	return {
		status: 204,
		headers: {
			allow: allowOf(operation),
			'access-control-allow-origin': '*',
			'access-control-allow-methods': methods.join(', '),
			'access-control-max-age': '86400',
			...(body ? { 'accept-post': 'application/json' } : {}),
			// All: a generated client adds headers of its own, and tracing does. The star does not stand for `Authorization`.
			'access-control-allow-headers': 'authorization, *',
		},
		body: '',
	};
}
