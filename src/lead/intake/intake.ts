import type { Lead } from '../lead.ts';

/** Where a lead goes that has been checked: into the store, or straight to the channels. */
export interface Intake {
	/** Never throws: what stands in the way is in the log. */
	take(lead: Lead, idempotencyKey?: string): Promise<Taken>;
	/** Keeps a submission that filled the honeypot aside, for the operator. Never throws. */
	quarantine(submission: Record<string, unknown>): Promise<void>;
}

export type Taken =
	/** It is safe: now, or since it was sent before. */
	| 'taken'
	/** The key stands for another lead. */
	| 'conflict'
	/** A request with this key is not answered yet. */
	| 'in-flight'
	/** No channel is configured, the store cannot write, or (without a store) no channel took it. */
	| 'unavailable';
