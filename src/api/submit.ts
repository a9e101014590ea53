import { randomUUID } from 'node:crypto';
import Negotiator from 'negotiator';
import { API_ACCESS, paths } from '../facts/links.ts';
import { copyIn, languageFor, languages, origin, pathIn, service } from '../facts/load.ts';
import type { Copy } from '../facts/words.ts';
import { type Answer, json, type PageAnswer, problem, problems } from './answer.ts';
import { type ClientRequest, shortHeader } from './request.ts';
import { campaignNames } from '../lead/campaign.ts';
import { accessRequestSchema, events, type Lead, leadSchema } from '../lead/lead.ts';
import { completeSource } from '../lead/source.ts';
import { canaryName } from '../lead/words.ts';
import type { authenticateBy } from './authentication.ts';
import { type FieldError, fieldErrors } from './field-error.ts';
import { isHit, trimHit } from './honeypot.ts';
import { type Client, type Credential, type Quota, quotaHeaders, type RateLimit, tighter } from './rate.ts';
import { acceptedTypes, idempotencyKeyIn, readSubmission, type Submission } from './read.ts';
import { accept, type Acceptance, type AcceptDeps, isRepeat, onceFor, type Sending } from './accept.ts';

export interface SubmitDeps extends AcceptDeps {
	authenticate: ReturnType<typeof authenticateBy>;
	/** Undefined: no limit. */
	limit: RateLimit | undefined;
}

/** The state of a form that was not accepted, as the contact page shows it. */
export interface FormState {
	/** One of the published languages. */
	language: string;
	/** Why it was not accepted. */
	notice: keyof Copy['notices'];
	/** The typed values, by field. */
	values: Record<string, string>;
	errors: FieldError[];
}

interface Outcome extends Acceptance {
	errors?: FieldError[];
	/** The rest of the client's rate limit. */
	quota?: Quota;
	/** Whether the operator sent it to see that leads arrive. */
	isCanary?: boolean;
}

/** `POST /api/contact`: accepts a lead from a program, the form's script, or the form alone. @param deps undefined: the process cannot accept leads, as it has logged */
export async function submitLead(request: ClientRequest, deps: SubmitDeps | undefined): Promise<Answer | PageAnswer<FormState>> {
	const credential = await deps?.authenticate(request);
	if (credential && 'status' in credential) return credential;
	if (credential?.id !== undefined) request.notes['key'] = credential.id;
	if (!credential?.test) return answerSubmission(request, credential, deps);
	const asked = request.headers.get('test-answer');
	const client = { address: request.address, apiKey: credential };
	const answer = asked === null ? await answerSubmission(request, credential, deps) : await testAnswer(asked, client, deps);
	// A Boolean of RFC 9651, section 3.3.6.
	return { ...answer, headers: { ...answer.headers, 'test-key': '?1' } };
}

const testAnswers = ['request-timeout', 'idempotency-key-reused', 'rate-limited', 'internal-error', 'unavailable'] as const;

/** An Item of RFC 9651, section 3.3: the status of a problem or, where two have the same, its name, and for a 429 the seconds to wait. */
const testAnswerForm = /^(?:(408|429|500|503|idempotency-key-reused)|(429) *; *retry-after=([1-9]\d{0,4}))$/;

/** Returns the answer that a request with the test key asks for, so that programs can try what they do then. It counts as a submission. */
async function testAnswer(asked: string, client: Client, deps: SubmitDeps | undefined): Promise<Answer> {
	const [, plain, limited, wait = '1'] = testAnswerForm.exec(asked) ?? [];
	const name = testAnswers.find((one) => [one, String(problems[one].status)].includes(plain ?? limited ?? ''));
	if (name === undefined) return problem('malformed-request', { detail: MALFORMED_TEST });
	const submissions = await deps?.limit?.(client, 'submission');
	if (submissions?.exceeded) return problem('rate-limited', { headers: quotaHeaders(submissions) });
	if (name === 'request-timeout') return problem(name);
	if (name === 'internal-error') return problem(name, { instance: `urn:uuid:${randomUUID()}` });
	if (name !== 'rate-limited') return problem(name, { headers: quotaHeaders(submissions) });
	const headers = quotaHeaders(submissions && { ...submissions, remaining: 0, resetAfter: Number(wait) });
	return problem(name, { headers: { ...headers, 'retry-after': wait } });
}

const MALFORMED_TEST =
	'Test-Answer must be 408, 429, 500, 503 or idempotency-key-reused. Behind 429 it may have up to 99999 seconds to wait: 429; retry-after=40. Leave it out to have the lead checked.';

async function answerSubmission(request: ClientRequest, apiKey: Credential | undefined, deps: SubmitDeps | undefined) {
	const submission = await readSubmission(request);
	const { form, refused, input } = submission;
	const from = form ? pageOf(request.headers) : undefined;
	const isForPage = form && from && !request.headers.get('accept')?.includes('application/json');
	const headers = refused === 'unsupported-media-type' ? acceptedTypes : undefined;
	if (refused && (!isForPage || refused === 'foreign-form')) return problem(refused, { headers });
	const idempotencyKey = idempotencyKeyIn(request.headers);
	if (idempotencyKey === null) return problem('malformed-request', { detail: MALFORMED_KEY });

	const language = languageOf(input, request, from);
	if (from && form && !refused) addVisit(input, from);
	const otherForm = form && input?.['website'] === undefined ? ('other' as const) : undefined;
	const sender = { address: request.address, apiKey, idempotencyKey, language, form: otherForm };
	const outcome = await outcomeOf(withScopes(submission), sender, deps);
	const result = outcome.result === 'accepted' && isHit(input) ? 'quarantined' : outcome.result;
	if (!refused && !outcome.isCanary) events.emit('processed', { outcome: apiKey?.test ? 'test' : result });
	if (!isForPage) return apiAnswer(outcome, language);
	return pageAnswer(outcome, language, input, from);
}

const MALFORMED_KEY =
	'Idempotency-Key must have 1 to 255 ASCII characters, in double quotes unless all are visible. Send a UUID, for example.';

/** Who sends a submission, and the language of the answer. */
type Sender = Client & Sending & { language: string };

/** Counts a submission, checks it, and takes the lead in it. An unreadable form that gets a page counts too. */
async function outcomeOf(submission: Submission, sender: Sender, deps: SubmitDeps | undefined): Promise<Outcome> {
	const { form, input, refused } = submission;
	const quota = await deps?.limit?.(sender, 'submission');
	// Its content is not checked, so that a flood costs little.
	if (quota?.exceeded) return { result: 'rate-limited', quota };
	if (refused) return { result: refused };
	if (isHit(input)) return takeLead(trimHit(input as Record<string, unknown>), { ...sender, isHit: true }, quota, deps);
	const canary = deps?.canary && canaryName(input, deps.canary.secret);
	const schema = asksForAccess(submission) ? accessRequestSchema : leadSchema;
	// `safeParse` also makes an `Error` of the faults, which takes as long as finding them.
	const checked = await schema['~standard'].validate(canary ? { ...(input as object), phone: undefined } : input);
	if (!checked.issues) return takeLead(checked.value, { ...sender, canary }, quota, deps);
	const reader = schema === accessRequestSchema ? 'requester' : form ? 'visitor' : 'program';
	return { result: 'invalid-lead', errors: fieldErrors(checked, reader, sender.language), quota };
}

/** Takes a lead, or a hit, which counts as one, so that a robot cannot tell them apart. @param quota the rest of the client's submissions */
async function takeLead(lead: Partial<Lead>, sender: Sender, quota?: Quota, deps?: SubmitDeps): Promise<Outcome> {
	if (!deps) return { result: 'unavailable' };
	const once = onceFor(deps.secret, lead, sender);
	// A repeat, or a conflict, counts as a submission only.
	const leads = deps.limit && !(await isRepeat(once, sender, deps)) ? await deps.limit(sender, 'lead') : undefined;
	if (leads?.exceeded) return { result: 'rate-limited', quota: leads };
	const outcome = await accept(lead, sender, deps, once);
	// Who tries again while we fail must not be turned away when we do not.
	const left = leads && outcome.result === 'unavailable' ? await deps.limit?.(sender, 'lead', -1) : leads;
	return { ...outcome, quota: tighter(left, quota), isCanary: sender.canary !== undefined };
}

function apiAnswer({ result, reference, errors, quota }: Outcome, language: string): Answer {
	const headers = quotaHeaders(quota);
	if (result === 'accepted') return json(200, { ok: true, reference }, headers);
	if (errors === undefined) return problem(result, { headers });
	const languageHeaders = { 'content-language': language, vary: 'Accept-Language' };
	return problem(result, { ...copyIn(language).invalidLead, errors, headers: { ...headers, ...languageHeaders } });
}

/**
 * Redirects to the thanks, or answers with the form again, and with the status and the limit that a program gets. The visitor's browser
 * may keep the page: otherwise "Back" would ask whether to send the form again, and the typed values would be lost.
 */
function pageAnswer(outcome: Outcome, language: string, values: Record<string, string> | undefined, from: URL) {
	const { result, errors = [], quota } = outcome;
	if (result === 'accepted') return { status: 303, headers: { location: pathIn(language, paths.thanks) }, body: '' };
	const headers = {
		...quotaHeaders(quota),
		'content-type': 'text/html; charset=utf-8',
		'content-language': language,
		'cache-control': 'private, no-cache',
	};
	const isAccessPage = service.keys === 'issued' && from.pathname.endsWith(paths.accessRequest);
	// To render a page takes longer than to take a lead: it is done for what the visitor can mend, and for what
	// is our fault. Other pages come without what was typed, which is one press of Back away.
	const isShared = result !== 'invalid-lead' && result !== 'unavailable';
	const page: FormState = {
		language,
		notice: notices[result] ?? 'unread',
		values: (!isShared && values) || (isAccessPage ? { source: API_ACCESS } : {}),
		errors,
	};
	return { status: problems[result].status, headers, path: paths.submitLead, page, isShared };
}

/** The notices of problems that have one of their own. All others of a form are shown as `unread`. */
const notices: Partial<Record<Acceptance['result'], FormState['notice']>> = {
	'invalid-lead': 'invalid',
	'rate-limited': 'turnedAway',
	unavailable: 'unavailable',
};

/**
 * Returns the language of the answer: the lead's, else that of the page with the form, which the form's address names if the page
 * was made in answer to a form, else the one that the client prefers.
 */
function languageOf(input: unknown, request: ClientRequest, from: URL | undefined): string {
	const { lang } = Object(input) as { lang?: unknown };
	const ofPage = from && languages.find((tag) => `${from.pathname}/`.startsWith(`${pathIn(tag, paths.contact)}/`));
	const ofForm = from ? URL.parse(request.url, origin)?.searchParams.get('lang') : undefined;
	return languageFor(lang, ofForm, ofPage, ...acceptedLanguages(shortHeader(request, 'accept-language')));
}

/** Returns the path of the contact page for a browser, or undefined for a program. */
export const contactPageFor = (request: ClientRequest): string | undefined =>
	request.headers.get('accept')?.includes('text/html')
		? pathIn(languageOf({}, request, pageOf(request.headers)), paths.contact)
		: undefined;

/** Completes a form's `source`: the page with the form is prebuilt, and only its address names campaign and page of documentation. */
function addVisit(input: Record<string, string>, { pathname, searchParams }: URL): void {
	const { source = '' } = input;
	// Any other words would be those of whoever made the link.
	const isGuide = new RegExp(`^${paths.docs}(/[a-z0-9-]{1,60}){0,3}$`).test(searchParams.get('topic') ?? '');
	// The page of a price card is below the one that its `source` names.
	if (source.startsWith('/') && pathname.startsWith(source.split('?', 1)[0]!))
		input['source'] = completeSource(source, searchParams, isGuide ? ['topic', ...campaignNames] : campaignNames);
}

/** Returns whether a form asks for API access. A program that does so sends a lead like any other. */
const asksForAccess = (submission: Submission): submission is Extract<Submission, { form: true; refused?: undefined }> =>
	submission.form && !submission.refused && service.keys === 'issued' && submission.input['source'] === API_ACCESS;

/** Writes the scopes that a request's form has boxes for into its message, as programs do. A form that is shown again keeps both apart. */
function withScopes(submission: Submission): Submission {
	if (!asksForAccess(submission) || !submission.input['message']?.trim()) return submission;
	const { input } = submission;
	const scopes = Object.keys(service.scopes).filter((scope) => input[scope] === 'on');
	const lines = [...(scopes.length > 0 ? [`Scopes: ${scopes.join(', ')}`] : []), input['message']];
	return { ...submission, input: { ...input, message: lines.join('\n') } };
}

/** Returns the address of the page with the form (RFC 9110, section 10.1.3), or of the start page if nothing names it. */
const pageOf = (headers: ClientRequest['headers']) => URL.parse(headers.get('referer') ?? '', origin) ?? new URL(origin);

/** Returns the languages that a client prefers, best first, without those that it refuses (RFC 9110, section 12.5.4). */
const acceptedLanguages = (header: string): string[] =>
	header ? new Negotiator({ headers: { 'accept-language': header } }).languages() : [];
