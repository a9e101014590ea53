import type { Judgement } from '../spam/judgement.ts';

/** An entry to save. */
export interface NewEntry {
	/** UUID. */
	id: string;
	/** `lead`: from a visitor. `notice`: from the service, to the sales team. `confirmation`: from the service, to a visitor. */
	kind: 'lead' | 'notice' | 'confirmation';
	receivedAt: number;
	/** The person's address, for erasure. Null for a notice. */
	email: string | null;
	/** Where the lead comes from, to list all leads from there. Null if unknown. */
	source: string | null;
	/** Id of the API key that it was sent with. The key counts its leads. */
	apiKey?: string | undefined;
	/** JSON. */
	payload: string;
	/** Set for an entry in quarantine, which has no channels. `releasable`: it could be delivered as it is after its release. */
	quarantine?: 'releasable' | 'faulty';
	/** Keyed hash of its message, to find leads with the same one. */
	fingerprint?: string | undefined;
	/** Undefined: nobody has judged it yet. */
	spam?: Judgement | undefined;
	/** Names of the channels that must get it. */
	channels: string[];
	/** How long its deliveries wait for their first try, in milliseconds: 0 by default. */
	wait?: number;
	/** The mark that keeps it from being saved twice. */
	once: Once | undefined;
}

/** A mark that keeps the same thing from being done twice. Both texts are keyed hashes, which reveal nothing of a lead. */
export interface Once {
	/** Names the mark. */
	key: string;
	/** Identifies the content: another entry with the same key and another fingerprint is a conflict. */
	fingerprint: string;
	/** How long the mark is kept, in milliseconds. */
	lifetime: number;
}

/** The result of saving an entry. */
export type Insertion =
	/** It is saved. */
	| 'inserted'
	/** This entry was saved before. */
	| 'duplicate'
	/** Another entry was saved with this key. */
	| 'conflict';

/** The state of a whole entry: `delivered` when every channel has it, `parked` when a delivery is parked, else `waiting`. */
export type EntryState = 'waiting' | 'delivered' | 'parked' | 'quarantined';

/** An entry as the operator sees it. */
export interface StoredEntry extends Pick<NewEntry, 'id' | 'kind' | 'receivedAt' | 'payload'> {
	state: EntryState;
	/** Undefined: nobody has judged it. */
	spam: Judgement | undefined;
	deliveries: StoredDelivery[];
}

/** A delivery as the operator sees it. */
export interface StoredDelivery {
	channel: string;
	/** `ended`: its channel was not configured when the operator retried the entry. */
	state: 'waiting' | 'sent' | 'parked' | 'ended';
	tries: number;
	/** When the next try is due, or null if there is none. */
	dueAt: number | null;
	/** When it was sent, or null if it was not. */
	sentAt: number | null;
	/** The reason of the last failed try, even if a later one worked, or the note of the one that worked. Null without either. */
	lastError: string | null;
}

/** A delivery that a process has claimed. */
export interface Lease {
	/** Id of the entry. */
	id: string;
	channel: string;
	owner: string;
}

/** A claimed delivery, with its payload. */
export interface ClaimedDelivery extends Omit<Lease, 'owner'> {
	kind: NewEntry['kind'];
	payload: string;
	spam: StoredEntry['spam'];
	/** The number of earlier tries. */
	tries: number;
}

/** The result of one try. */
export type DeliveryResult =
	/** The note is for the operator. `ends`: the key of a `Once` that is forgotten with it. */
	| { state: 'sent'; note?: string | undefined; ends?: string | undefined }
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
}

/**
 * In milliseconds. A delivery that waits since a time further ahead was delayed before the clock jumped back, so it is due now.
 * After a smaller jump it waits a little longer. Another instance's current try may be repeated: better twice than an hour late.
 */
export const CLOCK_ERROR = 60_000;
