import { acceptedLanguages } from '../../http/accepted-languages.ts';
import { type Answer, json } from '../../http/answer.ts';
import { problem, type ProblemName } from '../../http/problem.ts';
import type { ClientRequest } from '../../http/request.ts';
import type { Copy } from '../../service/copy.ts';
import { paths } from '../../service/links.ts';
import { languageFor, pathIn } from '../../service/load.ts';
import { authenticate, type AuthenticationDeps } from './authentication.ts';
import type { Credential } from './credential.ts';
import type { FieldError } from './field-error.ts';
import { formPage } from './form-page.ts';
import { idempotencyKeyFrom } from './idempotency-key.ts';
import { quotaHeaders } from './rate-limit.ts';
import { receive, type ReceiveDeps, type Received } from './receive.ts';
import { readSubmission, type Refusal, type Submission } from './submission.ts';

/** The answer to somebody who sees our page and not our API: the contact page again, with what was typed. */
export interface PageAnswer {
	status: number;
	/** By lower-case name. */
	headers: Record<string, string>;
	page: FormState;
}

/** What the contact page shows of a form that was not sent. */
export interface FormState {
	/** One of the languages that there are. */
	language: string;
	/** Why it was not sent. */
	notice: keyof Copy['notices'];
	/** What was typed, by field. */
	values: Record<string, string>;
	errors: FieldError[];
	/** In seconds: how long to wait before it is sent again, where that is known. */
	wait?: number;
}

export type ContactDeps = ReceiveDeps & AuthenticationDeps;

/** `POST /api/contact`: takes a lead from a program, from the form's script, or from the form alone. An API key is not needed. */
export function contact(request: ClientRequest, deps: ContactDeps): Promise<Answer | PageAnswer> {
	const { headers } = request;
	return headers.get('authorization') === null ? contactWith(undefined, request, deps) : contactByKey(request, deps);
}

/** The same, sent with an `Authorization`. */
async function contactByKey(request: ClientRequest, deps: ContactDeps): Promise<Answer | PageAnswer> {
	const credential = await authenticate(request, 'contact:write', deps);
	if (credential && 'status' in credential) return credential;
	if (credential?.id !== undefined) request.notes['key'] = credential.id;
	const answer = await contactWith(credential, request, deps);
	return credential?.test ? { ...answer, headers: { ...answer.headers, ...sentWithTestKey } } : answer;
}

async function contactWith(
	credential: Credential | undefined,
	request: ClientRequest,
	deps: ReceiveDeps,
): Promise<Answer | PageAnswer> {
	const submission = await readSubmission(request);
	const fromPage = submission.form && !request.headers.get('accept')?.includes('application/json');
	const language = languageOf(submission, request);

	if ('refused' in submission) {
		const refusal = problem(submission.refused, {
			headers: submission.refused === 'unsupported-media-type' ? acceptedTypes : {},
		});
		const answerable = fromPage && submission.refused !== 'foreign-form';
		return answerable
			? pageAnswer(refusal, { language, notice: 'unread', values: formPage(request).values, errors: [] })
			: refusal;
	}

	const keyHeader = request.headers.get('idempotency-key');
	const idempotencyKey = keyHeader === null ? undefined : idempotencyKeyFrom(keyHeader);
	if (keyHeader !== null && idempotencyKey === undefined) return problem('malformed-request', { detail: keyMalformed });

	const { input } = submission;
	const received = await receive({ input, language, client: request.address, idempotencyKey, credential }, deps);
	const answer = apiAnswer(received, language);
	if (!fromPage) return answer;
	const { verdict, errors = [] } = received;
	if (verdict === 'accepted') return { ...answer, status: 303, headers: { location: pathIn(language, paths.thanks) }, body: '' };
	const wait = Number(answer.headers['retry-after'] ?? 0);
	return pageAnswer(answer, { language, notice: notices[verdict] ?? 'refused', values: submission.input, errors, wait });
}

/** A Boolean of RFC 9651, section 3.3.6: the answer is as to any lead, and nothing is kept or delivered. */
const sentWithTestKey = { 'test-key': '?1' };

/** What the page says of it. The page sends no key, so what is wrong with one is somebody else's doing. */
const notices: Partial<Record<ProblemName, FormState['notice']>> = {
	'invalid-lead': 'invalid',
	'rate-limited': 'limited',
	unavailable: 'unavailable',
};

const keyMalformed =
	'Idempotency-Key must have 1 to 255 characters of ASCII: in double quotes, or visible ones without any. Send a UUID, for example.';

/** The language to answer in: of the lead, else of the page it was sent from, else what the client likes to read. */
function languageOf(submission: Submission | Refusal, request: ClientRequest): string {
	const lang = 'input' in submission ? (submission.input as { lang?: unknown } | null)?.lang : undefined;
	const ofPage = submission.form ? formPage(request).languages : [];
	return languageFor(lang, ...ofPage, ...acceptedLanguages(request.headers.get('accept-language')));
}

function apiAnswer({ verdict, errors, quota }: Received, language: string): Answer {
	const inWords = errors && { 'content-language': language, vary: 'Accept-Language' };
	const headers = { ...quotaHeaders(quota), ...inWords };
	if (verdict === 'accepted') return json(200, { ok: true }, headers);
	return problem(verdict, {
		headers,
		errors: errors?.map(({ field, code, detail }) => ({ pointer: `#/${field}`, code, detail })),
	});
}

/**
 * The same status and headers, in HTML. The visitor's own browser keeps it: of a page that is kept nowhere, "Back" asks whether to send
 * the form again, and what was typed is lost.
 */
function pageAnswer({ status, headers }: Answer, page: FormState): PageAnswer {
	const own = {
		'content-type': 'text/html; charset=utf-8',
		'content-language': page.language,
		'cache-control': 'private, no-cache',
	};
	return { status, headers: { ...headers, ...own }, page };
}

/** What a POST may be: RFC 9110 section 15.5.16, and Linked Data Platform section 7.1. */
const acceptedTypes = { accept: 'application/json', 'accept-encoding': 'identity', 'accept-post': 'application/json' };
