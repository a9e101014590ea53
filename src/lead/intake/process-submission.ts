import { leadSchema } from '../lead.ts';
import { judged, type Outcome } from '../events.ts';
import type { Credential } from './credential.ts';
import { type FieldError, fieldErrors, notObjectError, type Reader } from './field-error.ts';
import type { Intake, Verdict } from './intake.ts';
import { hasKeyMember } from './misplaced-key.ts';
import type { Quota, RateLimit } from './rate-limit.ts';

/** A submission, not checked yet, and who sent it. */
export interface Submitted {
	input: unknown;
	/** Who reads the answer, and in which language. */
	reader: Reader;
	language: string;
	/** The client's address, where it is known. */
	client: string | undefined;
	/** The sender's own name for this lead: sent again under it, it is the same lead. */
	idempotencyKey: string | undefined;
	/** What it was sent with, where that is an API key of ours. */
	credential: Credential | undefined;
}

/** What became of a submission. */
export interface Processed {
	verdict: Verdict;
	/** Whether it was put into quarantine. Nobody outside is told. */
	quarantined?: boolean;
	/** What is wrong with an `invalid-lead`. */
	errors?: FieldError[];
	/** What is left of the client's rate limit. */
	quota: Quota | undefined;
}

export interface ProcessDeps {
	intake: Intake;
	/** Takes what is sent with a test key. */
	trialIntake: Intake;
	rateLimit: Pick<RateLimit, 'count'>;
}

/** Takes a lead: screens it, checks it, and has it saved or delivered. Knows no HTTP. */
export async function processSubmission(submitted: Submitted, deps: ProcessDeps): Promise<Processed> {
	const processed = await judge(submitted, deps);
	judged.publish({ outcome: outcomeOf(processed, submitted.credential) });
	return processed;
}

function outcomeOf({ verdict, quarantined }: Processed, credential: Credential | undefined): Outcome {
	if (credential?.test) return 'test';
	return quarantined ? 'quarantined' : verdict;
}

async function judge(
	{ input, reader, language, client, idempotencyKey, credential }: Submitted,
	deps: ProcessDeps,
): Promise<Processed> {
	const quota = await countSender({ client, credential }, deps);
	const intake = credential?.test ? deps.trialIntake : deps.intake;
	// Who sends the public test key is told from others by the address alone.
	const sending = { idempotencyKey, apiKey: credential?.id, client, sender: credential && (credential.sender ?? client) };
	// Before anything else, so that a robot over the limit cannot tell a honeypot hit from a lead.
	if (quota?.exceeded) return { verdict: 'rate-limited', quota };
	if (!isRecord(input)) return { verdict: 'invalid-lead', errors: [notObjectError(language)], quota };
	if (isHoneypotHit(input)) {
		await intake.quarantine(input, sending);
		return { verdict: 'accepted', quarantined: true, quota };
	}
	if (hasKeyMember(input)) return { verdict: 'invalid-credential', quota };
	const checked = leadSchema.safeParse(input);
	if (!checked.success) {
		const errors = fieldErrors(checked.error, reader, language);
		return { verdict: 'invalid-lead', errors, quota };
	}
	return { verdict: await intake.take(checked.data, sending), quota };
}

/** Counts one request of whoever sends it. */
export const countSender = ({ client, credential }: Pick<Submitted, 'client' | 'credential'>, { rateLimit }: ProcessDeps) =>
	rateLimit.count({ address: client, apiKey: ownLimit(credential), test: credential?.test });

/** The public test key has none: who sends it is counted by address. */
const ownLimit = ({ id, limit }: Partial<Credential> = {}) =>
	id !== undefined && limit !== undefined ? { id, limit } : undefined;

/** `website` is the honeypot: people leave it empty. If it is no string, it is a fault like any other. */
const isHoneypotHit = ({ website }: Record<string, unknown>) => typeof website === 'string' && website !== '';

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
