import { randomUUID } from 'node:crypto';
import Negotiator from 'negotiator';
import { defaultRateLimit } from '../facts/facts.ts';
import { API_ACCESS, paths, topics } from '../facts/links.ts';
import { copyIn, languageFor, languages, origin, pathIn, service } from '../facts/load.ts';
import type { Copy } from '../facts/words.ts';
import { type Answer, json, problem } from './answer.ts';
import type { ClientRequest } from './request.ts';
import { leadSchema, submissionProcessed } from '../lead/lead.ts';
import { authenticate, type AuthenticationDeps, type Credential } from './authentication.ts';
import { type FieldError, fieldErrors, notObjectError } from './field-error.ts';
import { isHit } from './honeypot.ts';
import { type Client, type Quota, quotaHeaders, tighter } from './rate.ts';
import { idempotencyKeyIn, readSubmission, type Refusal, type Submission } from './read.ts';
import { quarantine, type Result, take, type TakeDeps } from './take.ts';

/** The parts of the process that the operation needs. */
export type SubmitDeps = AuthenticationDeps & TakeDeps;

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

/** The result for a submission. */
interface Outcome {
	result: Result;
	/** The faults of an `invalid-lead`. */
	errors?: FieldError[];
	/** The rest of the client's rate limit. */
	quota?: Quota | undefined;
	/** Whether it filled the honeypot. No answer shows it. */
	isHoneypotHit?: boolean;
}

/**
 * `POST /api/contact`: takes a lead from a program, from the form's script, or from the form alone. An API key is optional.
 *
 * @param deps undefined: the process cannot take leads, and has logged why
 */
export async function submitLead(request: ClientRequest, deps: SubmitDeps | undefined): Promise<Answer | PageAnswer> {
	const credential = deps && (await authenticate(request, deps));
	if (credential && 'status' in credential) return credential;
	if (credential?.id !== undefined) request.notes['key'] = credential.id;
	if (!credential?.test) return answerSubmission(request, credential, deps);
	const asked = request.headers.get('test-answer');
	const answer = asked === null ? await answerSubmission(request, credential, deps) : askedAnswer(asked);
	// A Boolean of RFC 9651, section 3.3.6.
	return { ...answer, headers: { ...answer.headers, 'test-key': '?1' } };
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

async function answerSubmission(
	request: ClientRequest,
	credential: Credential | undefined,
	deps: SubmitDeps | undefined,
): Promise<Answer | PageAnswer> {
	const submission = await readSubmission(request);
	const { headers } = request;
	const isForPage = submission.form && !headers.get('accept')?.includes('application/json');
	const idempotencyKey = idempotencyKeyIn(headers);
	if ('refused' in submission && (!isForPage || submission.refused === 'foreign-form'))
		return problem(submission.refused, { headers: submission.headers });
	if (idempotencyKey === null) return problem('malformed-request', { detail: MALFORMED_KEY });

	const language = languageOf(submission, request);
	const client = { address: request.address, apiKey: credential };
	if ('refused' in submission) {
		const outcome = await refuse(submission, client, deps);
		return pageAnswer(outcome, { language, values: submission.input, request });
	}
	if (submission.form) addTopic(submission.input, request);
	const outcome = await decide(submission, { client, idempotencyKey, language }, deps);
	submissionProcessed.publish({ outcome: nameOf(outcome, credential) });
	return isForPage && submission.form
		? pageAnswer(outcome, { language, values: submission.input, request })
		: apiAnswer(outcome, language);
}

const MALFORMED_KEY =
	'Idempotency-Key must have 1 to 255 ASCII characters, in double quotes unless all are visible. Send a UUID, for example.';

/** Refuses a form that could not be read. A page costs as much as a check, so it counts as one. */
async function refuse({ refused }: Refusal, client: Client, deps: SubmitDeps | undefined): Promise<Outcome> {
	const quota = await deps?.limit?.(client, 'submission');
	return quota?.exceeded ? { result: 'rate-limited', quota } : { result: refused };
}

interface Sender {
	client: Client;
	idempotencyKey: string | undefined;
	/** That of the answer. */
	language: string;
}

/** Counts a submission, checks it, and takes the lead in it. */
async function decide(
	{ form, input }: Submission,
	{ client, idempotencyKey, language }: Sender,
	deps: SubmitDeps | undefined,
): Promise<Outcome> {
	const submissions = await deps?.limit?.(client, 'submission');
	// Beyond this limit nothing is checked.
	if (submissions?.exceeded) return { result: 'rate-limited', quota: submissions };
	const invalid = (errors: FieldError[]): Outcome => ({ result: 'invalid-lead', errors, quota: submissions });
	if (!isRecord(input)) return invalid([notObjectError(language)]);
	const isHoneypotHit = isHit(input);
	const checked = isHoneypotHit ? undefined : leadSchema.safeParse(input);
	if (checked?.error) return invalid(fieldErrors(checked.error, form ? 'visitor' : 'program', language));

	if (!deps) return { result: 'unavailable' };
	// A hit counts as a lead, so that a robot over the limit cannot tell one from the other.
	const leads = await deps.limit?.(client, 'lead');
	if (leads?.exceeded) return { result: 'rate-limited', quota: leads };
	const quota = tighter(leads, submissions);
	const sending = { idempotencyKey, apiKey: client.apiKey?.id, test: client.apiKey?.test };
	if (checked) return { result: await take(checked.data, sending, deps), quota };
	const isKept = await quarantine(input, sending, deps);
	return { result: isKept ? 'accepted' : 'unavailable', isHoneypotHit, quota };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the name of an outcome in metrics. */
function nameOf({ result, isHoneypotHit }: Outcome, credential: Credential | undefined) {
	if (credential?.test) return 'test';
	return isHoneypotHit && result === 'accepted' ? 'quarantined' : result;
}

function apiAnswer({ result, errors, quota }: Outcome, language: string): Answer {
	const headers = quotaHeaders(quota);
	if (result === 'accepted') return json(200, { ok: true }, headers);
	if (errors === undefined) return problem(result, { headers });
	const { title, detail } = copyIn(language).invalidLead;
	const languageHeaders = { 'content-language': language, vary: 'Accept-Language' };
	return problem(result, { title, detail, errors, headers: { ...headers, ...languageHeaders } });
}

interface OnPage {
	language: string;
	/** The typed values. Undefined: the form could not be read. */
	values: Record<string, string> | undefined;
	request: ClientRequest;
}

/**
 * Answers in HTML with the same status and headers. The visitor's browser may keep the page: otherwise "Back" would ask whether
 * to send the form again, and the typed values would be lost.
 */
function pageAnswer(outcome: Outcome, { language, values, request }: OnPage): Answer | PageAnswer {
	const { result, errors = [], quota } = outcome;
	if (result === 'accepted') return { status: 303, headers: { location: pathIn(language, paths.thanks) }, body: '' };
	const { status, headers } = apiAnswer(outcome, language);
	const own = {
		'content-type': 'text/html; charset=utf-8',
		'content-language': language,
		'cache-control': 'private, no-cache',
	};
	const page: FormState = {
		language,
		notice: notices[result] ?? (values ? 'refused' : 'unread'),
		values: values ?? formPage(request).values,
		errors,
		wait: quota?.exceeded ? quota.resetAfter : 0,
	};
	return { status, headers: { ...headers, ...own }, page };
}

/** The page's notice for each problem. The page sends no key, so a wrong key is not the visitor's fault. */
const notices: Partial<Record<Result, FormState['notice']>> = {
	'invalid-lead': 'invalid',
	'rate-limited': 'limited',
	unavailable: 'unavailable',
};

/** Returns the language of the answer: the lead's, else that of the page with the form, else the one that the client prefers. */
function languageOf(submission: Submission | Refusal, request: ClientRequest): string {
	const lang = (submission.input as { lang?: unknown } | null | undefined)?.lang;
	const ofPage = submission.form ? formPage(request).languages : [];
	return languageFor(lang, ...ofPage, ...acceptedLanguages(request.headers.get('accept-language')));
}

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
function acceptedLanguages(header: string | null): string[] {
	if (!header || header.length > LONGEST_HEADER) return [];
	return new Negotiator({ headers: { 'accept-language': header } }).languages();
}
