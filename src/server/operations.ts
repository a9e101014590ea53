import type { Answer } from '../http/answer.ts';
import { methodNotAllowed, problem } from '../http/problem.ts';
import type { ClientRequest } from '../http/request.ts';
import { contact, type ContactDeps, type PageAnswer } from '../lead/intake/contact.ts';
import { paths } from '../service/links.ts';
import { status } from '../status/status.ts';

/** What the operations need beside the request. */
export type OperationDeps = ContactDeps;

/** What the API does at one path. */
interface Operation {
	/** Beside OPTIONS, which every path answers. */
	methods: string[];
	answer(request: ClientRequest, deps: OperationDeps): Answer | Promise<Answer | PageAnswer>;
	/** What OPTIONS says beside the methods. */
	options: Record<string, string>;
}

/** The operations of the API, by path. Whatever takes requests, in production, as a function or in development, reads this table. */
export const operations = new Map<string, Operation>([
	[
		paths.submitLead,
		{
			methods: ['POST'],
			answer: contact,
			options: {
				'accept-post': 'application/json',
				'access-control-allow-headers': 'authorization, content-type, idempotency-key',
			},
		},
	],
	[
		paths.getStatus,
		{
			methods: ['GET', 'HEAD'],
			answer: status,
			// Some clients send both with every request, and a browser asks first whether they may.
			options: { 'access-control-allow-headers': 'authorization, content-type' },
		},
	],
]);

/** The answer to a request for a path below `/api/`. It has a body for HEAD too: who sends it leaves that out. */
export function answerTo(path: string, request: ClientRequest, deps: OperationDeps): Answer | Promise<Answer | PageAnswer> {
	const operation = operations.get(path);
	if (operation === undefined) return problem('not-found');
	if (operation.methods.includes(request.method)) return operation.answer(request, deps);
	return request.method === 'OPTIONS' ? preflight(operation) : methodNotAllowed(allowed(operation));
}

const allowed = ({ methods }: Operation) => [...methods, 'OPTIONS'].join(', ');

/** What may be sent here, also from pages of other origins (WHATWG Fetch, section 3.3: the CORS protocol). */
const preflight = (operation: Operation): Answer => ({
	status: 204,
	headers: {
		allow: allowed(operation),
		'access-control-allow-origin': '*',
		'access-control-allow-methods': operation.methods.join(', '),
		'access-control-max-age': '86400',
		...operation.options,
	},
	body: '',
});
