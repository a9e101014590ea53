import type { NewEntry } from './entry.ts';

/** One channel's part of an entry. */
interface DeliveryKey {
	id: string;
	channel: string;
}

/** What an owner has claimed. */
export interface Lease extends DeliveryKey {
	owner: string;
}

/** With what is to be delivered. */
export interface ClaimedDelivery extends DeliveryKey {
	kind: NewEntry['kind'];
	payload: string;
	/** How many tries there were before this one. */
	tries: number;
}

/** What became of one try. */
export type DeliveryResult =
	| { state: 'sent' }
	/** Due again after that time. */
	| { state: 'waiting'; wait: number; reason: string }
	/** Not due until the operator retries it. */
	| { state: 'parked'; reason: string };

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
 * In milliseconds: how far a clock may go back until what was put off by its former time counts as due. Less than this, and the wait
 * is a little longer. After more, what another instance is trying may be tried twice: better that than not for an hour.
 */
export const CLOCK_ERROR = 60_000;
