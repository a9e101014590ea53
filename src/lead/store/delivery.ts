import type { NewEntry } from './entry.ts';

/** One channel's part of an entry. */
interface DeliveryKey {
	id: string;
	channel: string;
}

/** A delivery that a process has claimed. */
export interface Lease extends DeliveryKey {
	owner: string;
}

/** A delivery that was claimed, and what is to be delivered. */
export interface ClaimedDelivery extends DeliveryKey {
	kind: NewEntry['kind'];
	payload: string;
	/** How many tries there were before this one. */
	tries: number;
	/** JSON, by recipient: what the earlier tries have settled. */
	recipients: string;
}

/** What became of one try. */
export type DeliveryResult =
	/** The note is for the operator. */
	| { state: 'sent'; note?: string | undefined }
	/** Due again after that time. */
	| { state: 'waiting'; wait: number; reason: string; recipients?: string }
	/** Not due until the operator retries it. */
	| { state: 'parked'; reason: string; recipients?: string };

/** What to claim. */
export interface Claim {
	channel: string;
	/** Names this process, for `mark` and `endLeases`. */
	owner: string;
	limit: number;
	/** How long nobody else may claim them. */
	lease: number;
	/** Ids of entries that this process is still trying, whatever has become of their leases. */
	inHand: string[];
}

/**
 * In milliseconds. What has waited since a time that is further ahead than this was put off before the clock jumped back, and is due. By a
 * smaller jump it only waits a little longer. What another instance is trying just then may be tried twice: better twice than an hour late.
 */
export const CLOCK_ERROR = 60_000;
