import { type Answer, json } from '../../http/answer.ts';
import { problem, type ProblemName } from '../../http/problem.ts';
import type { ClientRequest } from '../../http/request.ts';
import type { Copy } from '../../service/copy.ts';
import { paths } from '../../service/links.ts';
import { defaultLanguage, pathIn } from '../../service/load.ts';
import type { FieldError } from './field-error.ts';
import { idempotencyKeyFrom } from './idempotency-key.ts';
import type { Quota } from './rate-limit.ts';
import { receive, type ReceiveDeps, type Received } from './receive.ts';
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

/** `POST /api/contact`: takes a lead from a program, from the form's script, or from the form alone. */
export async function contact(request: ClientRequest, deps: ReceiveDeps): Promise<Answer | PageAnswer> {
	const submission = await readSubmission(request);
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

	const received = await receive({ input: submission.input, client: request.address, idempotencyKey }, deps);
	const answer = apiAnswer(received);
	if (!fromPage) return answer;
	const { verdict, errors = [], language } = received;
	if (verdict === 'accepted') return { ...answer, status: 303, headers: { location: pathIn(language, paths.thanks) }, body: '' };
	return pageAnswer(answer, { language, notice: notices[verdict] ?? 'refused', values: submission.input, errors });
}

/** What the page says of it. The page sends no key, so what is wrong with one is somebody else's doing. */
const notices: Partial<Record<ProblemName, FormState['notice']>> = {
	'invalid-lead': 'invalid',
	'rate-limited': 'limited',
	unavailable: 'unavailable',
};

const keyMalformed =
	'Idempotency-Key must have 1 to 255 characters of ASCII: in double quotes, or visible ones without any. Send a UUID, for example.';

function apiAnswer({ verdict, errors, quota }: Received): Answer {
	const headers = quotaHeaders(quota);
	if (verdict === 'accepted') return json(200, { ok: true }, headers);
	return problem(verdict, {
		headers,
		errors: errors?.map(({ field, code, detail }) => ({ pointer: `#/${field}`, code, detail })),
	});
}

/** The same status and headers, in HTML. */
function pageAnswer({ status, headers }: Answer, page: FormState): PageAnswer {
	return { status, headers: { ...headers, 'content-type': 'text/html; charset=utf-8' }, page };
}

/** draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4; RFC 9110 section 10.2.3. */
function quotaHeaders(quota: Quota | undefined): Record<string, string> {
	if (quota === undefined) return {};
	const { policy, remaining, resetAfter, exceeded } = quota;
	return {
		'ratelimit-policy': `"default";q=${policy.limit};w=${policy.window}`,
		ratelimit: `"default";r=${remaining};t=${resetAfter}`,
		...(exceeded ? { 'retry-after': String(resetAfter) } : {}),
	};
}

/** What a POST may be: RFC 9110 section 15.5.16, and Linked Data Platform section 7.1. */
const acceptedTypes = { accept: 'application/json', 'accept-encoding': 'identity', 'accept-post': 'application/json' };
