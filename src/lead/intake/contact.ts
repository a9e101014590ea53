import { type Answer, json } from '../../http/answer.ts';
import { methodNotAllowed, problem } from '../../http/problem.ts';
import type { ClientRequest } from '../../http/request.ts';
import type { Copy } from '../../service/copy.ts';
import { paths } from '../../service/links.ts';
import { defaultLanguage, pathIn } from '../../service/load.ts';
import type { FieldError } from './field-error.ts';
import { idempotencyKeyFrom } from './idempotency-key.ts';
import type { Quota } from './rate-limit.ts';
import { type Outcome, type ReceiveDeps, receive } from './receive.ts';
import { readSubmission } from './submission.ts';

/** The answer to somebody who sees our page and not our API: the contact page again, with what was typed. */
export interface PageAnswer {
	status: number;
	/** By lower-case name. */
	headers: Record<string, string>;
	page: FormState;
}

/** What the contact page shows of a form that was not sent. */
export interface FormState {
	/** A language of `content/contact`. */
	language: string;
	/** Why it was not sent. */
	notice: keyof Copy['notices'];
	/** What was typed, by field. */
	values: Record<string, string>;
	errors: FieldError[];
}

export interface ContactDeps extends ReceiveDeps {
	/** Hosts that are ours beside the request's own `Host`: a form may come from their pages. */
	ownHosts: string[];
}

/** `POST /api/contact`: takes a lead from a program, from the form's script, or from the form alone. */
export async function contact(request: ClientRequest, deps: ContactDeps): Promise<Answer | PageAnswer> {
	if (request.method === 'OPTIONS') return preflight;
	if (request.method !== 'POST') return methodNotAllowed('POST, OPTIONS');

	const submission = await readSubmission(request, deps.ownHosts);
	const fromPage = submission.form && !request.headers.get('accept')?.includes('application/json');

	if ('refused' in submission) {
		const refusal = problem(submission.refused, {
			headers: submission.refused === 'unsupported-media-type' ? acceptedTypes : {},
		});
		const answerable = fromPage && submission.refused !== 'foreign-form';
		return answerable ? pageAnswer(refusal, { language: defaultLanguage, notice: 'refused', values: {}, errors: [] }) : refusal;
	}

	const keyHeader = request.headers.get('idempotency-key');
	const idempotencyKey = keyHeader === null ? undefined : idempotencyKeyFrom(keyHeader);
	if (keyHeader !== null && idempotencyKey === undefined) return problem('malformed-request', { detail: keyMalformed });

	const { outcome, quota, language } = await receive({ input: submission.input, client: request.address, idempotencyKey }, deps);
	const answer = apiAnswer(outcome, quotaHeaders(quota));
	if (!fromPage) return answer;
	if (outcome.kind === 'accepted')
		return { ...answer, status: 303, headers: { location: pathIn(language, paths.thanks) }, body: '' };
	const errors = outcome.kind === 'invalid' ? outcome.errors : [];
	return pageAnswer(answer, { language, notice: notices[outcome.kind], values: submission.input, errors });
}

/** What the page says. It sends no key, so `conflict` and `in-flight` are somebody else's doing. */
const notices = {
	invalid: 'invalid',
	limited: 'limited',
	unavailable: 'unavailable',
	conflict: 'refused',
	'in-flight': 'refused',
} as const;

const keyMalformed =
	'Idempotency-Key must have 1 to 255 characters of ASCII: in double quotes, or visible ones without any. Send a UUID, for example.';

function apiAnswer(outcome: Outcome, headers: Record<string, string>): Answer {
	switch (outcome.kind) {
		case 'accepted':
			return json(200, { ok: true }, headers);
		case 'invalid':
			return problem('invalid-lead', {
				headers,
				errors: outcome.errors.map(({ field, code, detail }) => ({ pointer: `#/${field}`, code, detail })),
			});
		case 'limited':
			return problem('rate-limited', { headers: { ...headers, 'retry-after': String(outcome.retryAfter) } });
		case 'unavailable':
			return problem('unavailable', { headers });
		case 'conflict':
			return problem('idempotency-key-reused', { headers });
		case 'in-flight':
			return problem('idempotency-key-in-use', { headers });
	}
}

/** The same status and headers, in HTML. */
function pageAnswer({ status, headers }: Answer, page: FormState): PageAnswer {
	return { status, headers: { ...headers, 'content-type': 'text/html; charset=utf-8' }, page };
}

/** draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4. */
function quotaHeaders(quota: Quota | undefined): Record<string, string> {
	if (quota === undefined) return {};
	const { policy, remaining, resetAfter } = quota;
	return {
		'ratelimit-policy': `"default";q=${policy.limit};w=${policy.window}`,
		ratelimit: `"default";r=${remaining};t=${resetAfter}`,
	};
}

/** What a POST may be: RFC 9110 section 15.5.16, and Linked Data Platform section 7.1. */
const acceptedTypes = { accept: 'application/json', 'accept-encoding': 'identity', 'accept-post': 'application/json' };

const preflight: Answer = {
	status: 204,
	headers: {
		allow: 'POST, OPTIONS',
		'accept-post': 'application/json',
		'access-control-allow-origin': '*',
		'access-control-allow-methods': 'POST',
		'access-control-allow-headers': 'content-type, idempotency-key',
		'access-control-max-age': '86400',
	},
	body: '',
};
