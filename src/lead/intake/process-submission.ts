import { leadSchema } from '../lead.ts';
import { submissionProcessed, type Outcome } from '../events.ts';
import { type FieldError, fieldErrors, notObjectError, type Reader } from './field-error.ts';
import type { Intake, IntakeResult } from './intake.ts';
import { type Counted, type Quota, type RateLimit, tighter } from './rate-limit.ts';
import type { Credential } from './authentication.ts';

/** A submission before it is checked, and its sender. */
export interface Submitted {
	input: unknown;
	/** Who reads the answer, and in which language. */
	reader: Reader;
	language: string;
	/** The client's address, if it is known. */
	client: string | undefined;
	/** The sender's own name for this lead: a lead sent again under the same name is the same lead. */
	idempotencyKey: string | undefined;
	/** The API key of ours that it was sent with, if any. */
	credential: Credential | undefined;
}

/** The result for a submission. */
export interface Processed {
	result: IntakeResult;
	/** Whether it filled the honeypot. No answer shows it. */
	honeypotHit?: boolean;
	/** The faults of an `invalid-lead`. */
	errors?: FieldError[];
	/** The rest of the client's rate limit. */
	quota: Quota | undefined;
}

export interface ProcessDeps {
	intake: Intake;
	/** Takes leads that are sent with the public test key. */
	testIntake: Intake;
	rateLimit: Pick<RateLimit, 'count'>;
}

/** Processes a submission: counts it, screens it, checks it, and gives the lead to an intake. Knows no HTTP. */
export async function processSubmission(submitted: Submitted, deps: ProcessDeps): Promise<Processed> {
	const processed = await decide(submitted, deps);
	submissionProcessed.publish({ outcome: outcomeOf(processed, submitted.credential) });
	return processed;
}

function outcomeOf({ result, honeypotHit }: Processed, credential: Credential | undefined): Outcome {
	if (credential?.test) return 'test';
	return honeypotHit && result === 'accepted' ? 'quarantined' : result;
}

async function decide(
	{ input, reader, language, client, idempotencyKey, credential }: Submitted,
	deps: ProcessDeps,
): Promise<Processed> {
	const submissions = await countSender({ client, credential }, 'submission', deps);
	// Beyond this limit nothing is checked.
	if (submissions?.exceeded) return { result: 'rate-limited', quota: submissions };
	const intake = credential?.test ? deps.testIntake : deps.intake;
	const sending = { idempotencyKey, apiKey: credential?.id };
	const refuse = (result: IntakeResult, errors?: FieldError[]) => ({ result, errors, quota: submissions });
	if (!isRecord(input)) return refuse('invalid-lead', [notObjectError(language)]);
	const honeypotHit = isHoneypotHit(input);
	const checked = honeypotHit ? undefined : leadSchema.safeParse(input);
	if (checked?.error) return refuse('invalid-lead', fieldErrors(checked.error, reader, language));

	// A hit counts as a lead, so that a robot over the limit cannot tell one from the other.
	const leads = await countSender({ client, credential }, 'lead', deps);
	if (leads?.exceeded) return { result: 'rate-limited', quota: leads };
	const quota = tighter(leads, submissions);
	if (checked) return { result: await intake.take(checked.data, sending), quota };
	const isKept = await intake.quarantine(input, sending);
	return { result: isKept ? 'accepted' : 'unavailable', honeypotHit, quota };
}

/** Counts one request of its sender. */
export const countSender = (
	{ client, credential }: Pick<Submitted, 'client' | 'credential'>,
	counted: Counted,
	{ rateLimit }: ProcessDeps,
) => rateLimit.count({ address: client, apiKey: ownLimit(credential), test: credential?.test }, counted);

/** The public test key has none: its senders are counted by address. */
const ownLimit = ({ id, limit }: Partial<Credential> = {}) =>
	id !== undefined && limit !== undefined ? { id, limit } : undefined;

/** `website` is the honeypot, which people leave empty. A value that is no string is an ordinary fault. */
const isHoneypotHit = ({ website }: Record<string, unknown>) => typeof website === 'string' && website !== '';

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
