import type { Answer } from '../http/answer.ts';
import { methodNotAllowed, problem } from '../http/problem.ts';
import type { ClientRequest } from '../http/request.ts';
import type { PageAnswer } from '../lead/intake/submit-lead.ts';
import { type Operation, type OperationDeps, operations } from './operations.ts';

const byPath = new Map<string | undefined, Operation>(operations.map((operation) => [operation.path, operation]));

/** Returns the operation at a path, if there is one. */
export const operationAt = (path: string | undefined): Operation | undefined => byPath.get(path);

/** Answers a request for a path below `/api/`. The answer to HEAD has a body too, which the sender must leave out. */
export function answerTo(path: string, request: ClientRequest, deps: OperationDeps): Answer | Promise<Answer | PageAnswer> {
	const operation = operationAt(path);
	if (operation === undefined) return problem('not-found');
	if ((operation.methods as string[]).includes(request.method)) return operation.answer(request, deps);
	return request.method === 'OPTIONS' ? preflight(operation) : methodNotAllowed(allowOf(operation));
}

/** The value of `Allow` at the path of an operation. */
export const allowOf = ({ methods }: Operation) => [...methods, 'OPTIONS'].join(', ');

/** Names what may be sent here, also from pages of other origins (WHATWG Fetch, section 3.3: the CORS protocol). */
const preflight = (operation: Operation): Answer => ({
	status: 204,
	headers: {
		allow: allowOf(operation),
		'access-control-allow-origin': '*',
		'access-control-allow-methods': operation.methods.join(', '),
		'access-control-max-age': '86400',
		...(operation.body ? { 'accept-post': 'application/json' } : {}),
		'access-control-allow-headers': headersOf(operation),
	},
	body: '',
});

/** Some clients send the first two with every request. Any page may send `Accept-Language` without permission. */
const headersOf = ({ headers = [], limited }: Operation) =>
	['Authorization', 'Content-Type', ...headers.filter((name) => name !== 'Accept-Language'), ...(limited ? ['Test-Answer'] : [])]
		.join(', ')
		.toLowerCase();
