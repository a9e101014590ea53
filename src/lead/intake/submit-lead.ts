import { randomUUID } from 'node:crypto';
import { type Answer, json } from '../../http/answer.ts';
import { problem, type ProblemName } from '../../http/problem.ts';
import type { ClientRequest } from '../../http/request.ts';
import { defaultRateLimit } from '../../facts/facts.ts';
import type { Copy } from '../../facts/words.ts';
import { API_ACCESS, paths, topics } from '../../facts/links.ts';
import { copyIn, languageFor, languages, origin, pathIn, service } from '../../facts/load.ts';
import { authenticate, type AuthenticationDeps, type Credential } from './authentication.ts';
import type { FieldError } from './field-error.ts';
import { quotaHeaders } from './rate-limit.ts';
import { countSender, processSubmission, type Processed, type ProcessDeps } from './process-submission.ts';
import { readSubmission, type Refusal, type Submission } from './read-submission.ts';
import { idempotencyKeyFrom } from './once.ts';
import Negotiator from 'negotiator';

/** The answer to somebody who uses our page without its script: the contact page again, with the typed values. */
export interface PageAnswer extends Omit<Answer, 'body'> {
	page: FormState;
}

/** The state of a form that was not taken, as the contact page shows it. */
export interface FormState {
	/** One of the published languages. */
	language: string;
	/** Why it was not taken. */
	notice: keyof Copy['notices'];
	/** The typed values, by field. */
	values: Record<string, string>;
	errors: FieldError[];
	/** In seconds: how long the visitor should wait before sending it again, if that is known. */
	wait?: number;
}

export type SubmitDeps = ProcessDeps & AuthenticationDeps;

/** `POST /api/contact`: takes a lead from a program, from the form's script, or from the form alone. An API key is optional. */
export async function submitLead(request: ClientRequest, deps: SubmitDeps): Promise<Answer | PageAnswer> {
	const credential = await authenticate(request, deps);
	if (credential && 'status' in credential) return credential;
	if (credential?.id !== undefined) request.notes['key'] = credential.id;
	const asked = credential?.test ? request.headers.get('test-answer') : null;
	const answer = asked === null ? await submitWith(credential, request, deps) : askedAnswer(asked);
	return credential?.test ? { ...answer, headers: { ...answer.headers, ...sentWithTestKey } } : answer;
}

/** Returns the answer that a request with the test key asks for, so that programs can try what they do then. */
function askedAnswer(asked: string): Answer {
	const { leads, minutes } = defaultRateLimit;
	const policy = { counted: 'lead', limit: leads, window: minutes * 60 } as const;
	const headers = (exceeded: boolean) => quotaHeaders({ policy, remaining: 0, resetAfter: 1, exceeded });
	if (asked === '429') return problem('rate-limited', { headers: headers(true) });
	if (asked === '500') return problem('internal-error', { instance: `urn:uuid:${randomUUID()}` });
	if (asked === '503') return problem('unavailable', { headers: headers(false) });
	return problem('malformed-request', { detail: 'Test-Answer must be 429, 500 or 503. Leave it out to have the lead checked.' });
}

async function submitWith(
	credential: Credential | undefined,
	request: ClientRequest,
	deps: ProcessDeps,
): Promise<Answer | PageAnswer> {
	const submission = await readSubmission(request);
	const wantsPage = submission.form && !request.headers.get('accept')?.includes('application/json');
	const language = languageOf(submission, request);

	if ('refused' in submission) {
		const refusal = problem(submission.refused, {
			headers: submission.refused === 'unsupported-media-type' ? acceptedTypes : {},
		});
		const answersWithPage = wantsPage && submission.refused !== 'foreign-form';
		if (!answersWithPage) return refusal;
		const values = submission.input ?? formPage(request).values;
		const quota = await countSender({ client: request.address, credential }, 'submission', deps);
		if (quota?.exceeded) {
			const limited = apiAnswer({ result: 'rate-limited', quota }, language);
			return pageAnswer(limited, { language, notice: 'limited', values, errors: [], wait: quota.resetAfter });
		}
		return pageAnswer(refusal, { language, notice: submission.input ? 'refused' : 'unread', values, errors: [] });
	}

	const idempotencyHeader = request.headers.get('idempotency-key');
	const idempotencyKey = idempotencyHeader === null ? undefined : idempotencyKeyFrom(idempotencyHeader);
	if (idempotencyHeader !== null && idempotencyKey === undefined)
		return problem('malformed-request', { detail: malformedIdempotencyKey });

	if (submission.form) addTopic(submission.input, request);
	const { input } = submission;
	const reader = submission.form ? 'visitor' : 'program';
	const processed = await processSubmission(
		{ input, reader, language, client: request.address, idempotencyKey, credential },
		deps,
	);
	const answer = apiAnswer(processed, language);
	if (!wantsPage) return answer;
	const { result, errors = [] } = processed;
	if (result === 'accepted') return { ...answer, status: 303, headers: { location: pathIn(language, paths.thanks) }, body: '' };
	const wait = Number(answer.headers['retry-after'] ?? 0);
	return pageAnswer(answer, { language, notice: notices[result] ?? 'refused', values: submission.input, errors, wait });
}

/** A Boolean of RFC 9651, section 3.3.6. The answer is that to any lead, but nothing is kept or delivered. */
const sentWithTestKey = { 'test-key': '?1' };

/** The page's notice for each problem. The page sends no key, so a wrong key is not the visitor's fault. */
const notices: Partial<Record<ProblemName, FormState['notice']>> = {
	'invalid-lead': 'invalid',
	'rate-limited': 'limited',
	unavailable: 'unavailable',
};

const malformedIdempotencyKey =
	'Idempotency-Key must have 1 to 255 ASCII characters, in double quotes unless all are visible. Send a UUID, for example.';

/** Returns the language of the answer: the lead's, else that of the page with the form, else the one that the client prefers. */
function languageOf(submission: Submission | Refusal, request: ClientRequest): string {
	const lang = 'input' in submission ? (submission.input as { lang?: unknown } | null)?.lang : undefined;
	const ofPage = submission.form ? formPage(request).languages : [];
	return languageFor(lang, ...ofPage, ...acceptedLanguages(request.headers.get('accept-language')));
}

function apiAnswer({ result, errors, quota }: Processed, language: string): Answer {
	const headers = quotaHeaders(quota);
	if (result === 'accepted') return json(200, { ok: true }, headers);
	if (errors === undefined) return problem(result, { headers });
	const { title, detail } = copyIn(language).invalidLead;
	const languageHeaders = { 'content-language': language, vary: 'Accept-Language' };
	return problem(result, { title, detail, errors, headers: { ...headers, ...languageHeaders } });
}

/**
 * Answers in HTML with the same status and headers. The visitor's browser may keep the page: otherwise "Back" would ask whether
 * to send the form again, and the typed values would be lost.
 */
function pageAnswer({ status, headers }: Answer, page: FormState): PageAnswer {
	const own = {
		'content-type': 'text/html; charset=utf-8',
		'content-language': page.language,
		'cache-control': 'private, no-cache',
	};
	return { status, headers: { ...headers, ...own }, page };
}

/** Names what a POST may contain: RFC 9110 section 15.5.16, and Linked Data Platform section 7.1. */
const acceptedTypes = { accept: 'application/json', 'accept-encoding': 'identity', 'accept-post': 'application/json' };

/**
 * Returns what a request says about the page with the form: its language, nullish where nothing names it, by the form's address,
 * where a page made in answer to a form names it, and by the `Referer` (RFC 9110, section 10.1.3).
 */
function formPage({ url, headers }: Pick<ClientRequest, 'url' | 'headers'>) {
	const { pathname } = locationOf(headers.get('referer') ?? '');
	const isAt = (language: string, path: string) => pathname === pathIn(language, path);
	const language = languages.find((tag) => isAt(tag, paths.contact) || isAt(tag, paths.accessRequest));
	const asksForKey = pathname.endsWith(paths.accessRequest) && service.keys === 'issued';
	/** The values to show if the form could not be read. */
	const values: Record<string, string> = asksForKey ? { source: API_ACCESS } : {};
	return { languages: [locationOf(url).searchParams.get('lang'), language], values };
}

/** Adds the topic to a form's `source`: the page that the form stands on is prebuilt, and only its address names the topic. */
function addTopic(input: Record<string, string>, { headers }: Pick<ClientRequest, 'headers'>): void {
	const { pathname, searchParams } = locationOf(headers.get('referer') ?? '');
	const topic = topics.find((name) => name === searchParams.get('topic'));
	if (topic !== undefined && input['source'] === pathname) input['source'] += `?topic=${topic}`;
}

const locationOf = (url: string) => URL.parse(url, origin) ?? new URL(origin);

/** In characters: browsers send a tenth of this. A longer header is ignored, because each language in it takes time. */
const LONGEST_HEADER = 500;

/** Returns the languages that a client prefers, best first, without those that it refuses (RFC 9110, section 12.5.4). */
function acceptedLanguages(header: string | null | undefined): string[] {
	if (!header || header.length > LONGEST_HEADER) return [];
	return new Negotiator({ headers: { 'accept-language': header } }).languages();
}
