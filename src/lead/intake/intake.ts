import type { Logger } from 'pino';
import type { ProblemName } from '../../http/problem.ts';
import type { Lead } from '../lead.ts';

/** Where a lead goes that has been checked: into the store, or straight to the channels. */
export interface Intake {
	/** Never throws: what stands in the way is in the log. */
	take(lead: Lead, sending: Sending): Promise<Verdict>;
	/** Keeps a submission that filled the honeypot aside, for the operator. Never throws. */
	quarantine(submission: Record<string, unknown>, sending: Sending): Promise<void>;
}

/** What is said of a lead beside it. */
export interface Sending {
	/** The sender's own name for this lead: sent again under it, it is the same lead. */
	idempotencyKey?: string | undefined;
	/** Id of the API key that it was sent with; the public test key has none. */
	apiKey?: string | undefined;
	/** The client's address, where it is known. */
	client?: string | undefined;
	/** Whose name for it that is: by the API key or, with the public test key, the client's address; without, by the lead's email address. */
	sender?: string | undefined;
}

/** `accepted`: the lead is safe, now or since it was sent before. Otherwise the problem that stands in the way. */
export type Verdict = 'accepted' | ProblemName;

/** The verdict on each lead where no channel is configured. */
export function unconfigured(log: Logger): Verdict {
	log.error('A lead was refused: no delivery is configured. Set SMTP_URL, LEAD_WEBHOOK_URL or LEAD_MAILBOX.');
	return 'unavailable';
}
