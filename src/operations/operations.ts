import * as z from 'zod';
import type { Answer } from '../http/answer.ts';
import type { ClientRequest } from '../http/request.ts';
import { submitLead, type SubmitDeps, type PageAnswer } from '../lead/intake/submit-lead.ts';
import { exampleLead, leadSchema } from '../lead/lead.ts';
import { paths } from '../facts/links.ts';
import { status, statusExample, statusSchema } from './status.ts';

/** The dependencies of operations, beside the request. */
export type OperationDeps = SubmitDeps;

/** An operation of the API: how it answers at its path, and everything that is published about it. */
export interface Operation {
	/** Its name for programs: in OpenAPI, generated clients, metrics, and anchors of the reference. */
	operationId: string;
	path: `/api/${string}`;
	/** OPTIONS is added to these. */
	methods: ['GET', 'HEAD'] | ['POST'];
	/** Answers a request by one of the methods. A body for HEAD is not sent. */
	answer(request: ClientRequest, deps: OperationDeps): Answer | Promise<Answer | PageAnswer>;
	/** One phrase without a full stop: the heading in the reference, and its name in each list of operations. */
	summary: string;
	/** Whole sentences in Markdown, with facts in `{{…}}`. */
	description: string;
	/** The group in OpenAPI. Operations of a group share name and description. */
	tag: { name: string; description: string };
	/** One of `scopes` in content/service.yaml. Only published: `answer` checks a key itself, if it takes one. */
	scope?: string;
	/** Each request counts against the rate limit of its client, may carry an API key, and can have every problem. Only published: `answer` does so. */
	limited?: true;
	/** Headers that a client may send, beside `Authorization` and `Content-Type`. */
	headers?: RequestHeader[];
	/** The JSON body of a request. */
	body?: Media;
	/** The JSON body of the answer 200. */
	result: Media;
}

export type RequestHeader = 'Idempotency-Key' | 'Accept-Language';

interface Media {
	/** The name of its schema in OpenAPI. */
	name: string;
	description: string;
	/** A function, because the servers need no schema of an answer: only documents that describe the API make it. */
	schema: () => z.ZodObject;
	/** By name. The samples send the first. */
	examples: Record<string, { summary: string; value: object }>;
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
			'Takes a lead for the sales team, who answer by email: to try it, send the public test key, with which nothing is kept. A lead with text in `website` gets the same answer but is treated as spam. `consent` is about the [privacy notice]({{link.privacy}}): {{consent.rule}} Without `Idempotency-Key`, the same lead sent twice within ten minutes counts as one.',
		tag: { name: 'leads', description: 'Sales leads: people who would like to hear from us.' },
		scope: 'contact:write',
		limited: true,
		headers: ['Idempotency-Key', 'Accept-Language'],
		body: {
			name: 'Lead',
			description: 'The lead, at most 64 KiB.',
			schema: () => leadSchema,
			examples: {
				minimal: { summary: 'Only what is required', value: exampleLead(({ required }) => required) },
				full: { summary: 'A lead with every field', value: exampleLead(({ kind }) => kind !== 'honeypot') },
			},
		},
		result: {
			name: 'Accepted',
			description: 'The lead was taken.',
			schema: () =>
				z.object({ ok: z.literal(true).meta({ description: 'The lead was taken.' }) }).meta({
					title: 'Accepted',
					description: 'The lead was taken. Do not send it again.',
					examples: [{ ok: true }],
				}),
			examples: { accepted: { summary: 'Taken', value: { ok: true } } },
		},
	},
	{
		operationId: 'getStatus',
		path: paths.getStatus,
		methods: ['GET', 'HEAD'],
		answer: status,
		summary: 'Read whether the API is up',
		description: 'Returns the name and the version of the service, and the server’s time.',
		tag: { name: 'status', description: 'Whether the API is up.' },
		scope: 'status:read',
		result: {
			name: 'Status',
			description: 'The API is up.',
			schema: () => statusSchema,
			examples: { up: { summary: 'Up', value: statusExample } },
		},
	},
];
