import type { Logger } from 'pino';
import type { ProblemName } from '../../http/problem.ts';
import type { Lead } from '../lead.ts';

/** Takes a checked lead: into the store, or straight to the channels. */
export interface Intake {
	/** Never throws: errors are logged. */
	take(lead: Lead, sending: Sending): Promise<IntakeResult>;
	/** Keeps a honeypot hit in quarantine or, without a store, logs that it came. Never throws. Returns false if the store failed. */
	quarantine(submission: Record<string, unknown>, sending: Sending): Promise<boolean>;
}

/** How a lead was sent to us: facts that are not in it. */
export interface Sending {
	/** The sender's own name for this lead: a lead sent again under the same name is the same lead. */
	idempotencyKey?: string | undefined;
	/** Id of the API key that the lead was sent with. The public test key has none. */
	apiKey?: string | undefined;
}

/** `accepted`: the lead is safe, from now or from an earlier request, and the sender gets 200. Otherwise the problem. */
export type IntakeResult = 'accepted' | ProblemName;

/** Logs that no channel is configured, and returns the result of each lead until one is. */
export function refuseUnconfigured(log: Logger): IntakeResult {
	log.error('A lead was refused: no delivery is configured. Set SMTP_URL, LEAD_WEBHOOK_URL or LEAD_MAILBOX.');
	return 'unavailable';
}
