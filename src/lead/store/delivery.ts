import type { NewEntry, StoredEntry } from './entry.ts';

/** One channel's part of an entry. */
interface DeliveryKey {
	id: string;
	channel: string;
}

/** A delivery that a process has claimed. */
export interface Lease extends DeliveryKey {
	owner: string;
}

/** A claimed delivery, with its payload. */
export interface ClaimedDelivery extends DeliveryKey {
	kind: NewEntry['kind'];
	payload: string;
	spam: StoredEntry['spam'];
	/** The number of earlier tries. */
	tries: number;
}

/** The result of one try. */
export type DeliveryResult =
	/** The note is for the operator. */
	| { state: 'sent'; note?: string | undefined }
	/** Due again after `wait`. */
	| { state: 'waiting'; wait: number; reason: string }
	/** Not due until the operator retries it. */
	| { state: 'parked'; reason: string };

/** The deliveries to claim. */
export interface Claim {
	channel: string;
	/** Names this process, for `mark` and `endLeases`. */
	owner: string;
	limit: number;
	/** How long no other process may claim them. */
	lease: number;
	/** Ids of entries that this process is still trying, even if their leases have ended. */
	inHand: string[];
}

/**
 * In milliseconds. A delivery that waits since a time further ahead was delayed before the clock jumped back, so it is due now.
 * After a smaller jump it waits a little longer. Another instance's current try may be repeated: better twice than an hour late.
 */
export const CLOCK_ERROR = 60_000;
