/**
 * Where leads lie until every channel has them, and what is remembered of them after.
 * All times are milliseconds since the epoch and come from the caller, so that one clock decides.
 * Every function rejects with a {@link StoreError} when the store cannot do its work; whatever resolved is durable.
 */
export interface LeadStore extends AsyncDisposable {
	/** For keyed hashes of what is remembered after a purge: made once, kept in the store, the same in every instance. */
	readonly secret: Buffer;

	/** Saves an entry with one delivery for each channel, all or nothing. Resolves after the commit, and never before. */
	insert(entry: NewEntry, now: number): Promise<Insertion>;

	/**
	 * Takes deliveries that are due and in nobody's lease, oldest due first. Two claimers never get the same one
	 * before its lease has ended.
	 */
	claim(claim: Claim): Promise<ClaimedDelivery[]>;

	/**
	 * What became of a claimed delivery. Counts the try and ends its lease. A delivery that is sent is never due again, whatever a
	 * slower claimer says of it later. Nothing happens where there is no such delivery: its entry may have been erased meanwhile.
	 */
	mark(delivery: DeliveryKey, result: DeliveryResult): Promise<void>;

	/** Gives back every lease of an owner: its deliveries are due at once. Without an owner: every lease there is. */
	endLeases(owner?: string): Promise<void>;

	/** When the next delivery over these channels is due or out of its lease. Undefined: none is waiting. */
	nextDue(channels: string[]): Promise<number | undefined>;

	/** Forgets a {@link Once}: what it named may happen again. */
	forget(onceKey: string): Promise<void>;

	/**
	 * Deletes entries received before `receivedBefore` that have nothing left to deliver (quarantined ones too, parked ones never),
	 * the oldest quarantined ones beyond `quarantineCap`, and every {@link Once} that has expired. A Once that has not outlives its entry.
	 *
	 * @returns how many entries were deleted
	 */
	purge(limits: { receivedBefore: number; quarantineCap: number; now: number }): Promise<number>;

	/** For the operator: entries, newest first. */
	list(filter?: { id?: string; state?: EntryState }): Promise<StoredEntry[]>;

	/**
	 * Makes parked and waiting deliveries due now: of one entry, or all that are parked. Their tries count anew.
	 * One that is being tried at this moment keeps its lease.
	 *
	 * @returns how many deliveries
	 */
	retry(which: { id: string } | 'parked', now: number): Promise<number>;

	/** Lets a quarantined entry out, to these channels. @returns false where no such entry is in quarantine */
	release(id: string, channels: string[], now: number): Promise<boolean>;

	/**
	 * Deletes every entry of a person, whatever its state, with its deliveries and its {@link Once}.
	 *
	 * @param email compared without regard to case
	 * @returns how many entries
	 */
	erase(email: string): Promise<number>;
}

/** The store cannot do its work now: disk full, server gone. The cause is the driver's error; the message names no lead. */
export class StoreError extends Error {
	override name = 'StoreError';
}

/** What is to be saved. */
export interface NewEntry {
	/** UUID. */
	id: string;
	/** `lead`: a visitor's. `notice`: ours, to the sales team. `confirmation`: ours, to a visitor. */
	kind: 'lead' | 'notice' | 'confirmation';
	receivedAt: number;
	/** Whose it is, for erasure; null for a notice. */
	email: string | null;
	/** JSON. */
	payload: string;
	/** Kept aside: not delivered until the operator releases it. Has no channels. */
	quarantined: boolean;
	/** Names of the channels that must get it. */
	channels: string[];
	/** What this entry may happen only once for. */
	once: Once | undefined;
}

/** A claim on being the only one. Both texts are keyed hashes: nothing of a lead can be read from them. */
export interface Once {
	/** Names the claim. */
	key: string;
	/** What was claimed: another entry with the same key and another fingerprint is a conflict. */
	fingerprint: string;
	/** When the claim ends. */
	expiresAt: number;
}

export type Insertion =
	/** It is saved. */
	| 'inserted'
	/** The same was saved before: nothing to do. */
	| 'duplicate'
	/** Another one was saved with this key. */
	| 'conflict'
	/** One with this key is being saved at this moment. */
	| 'in-flight';

export interface Claim {
	channels: string[];
	/** Names this process, for {@link LeadStore.endLeases}. */
	owner: string;
	limit: number;
	now: number;
	leaseUntil: number;
}

export interface DeliveryKey {
	id: string;
	channel: string;
}

export interface ClaimedDelivery extends DeliveryKey {
	kind: NewEntry['kind'];
	payload: string;
	/** How many tries there were before this one. */
	tries: number;
}

export type DeliveryResult =
	| { state: 'sent'; at: number }
	/** Due again at a later time. */
	| { state: 'waiting'; dueAt: number; reason: string }
	/** Not due until the operator retries it. */
	| { state: 'parked'; reason: string };

/** Of an entry as a whole: `delivered` when every channel has it, `parked` when one is parked, else `waiting`. */
export type EntryState = 'waiting' | 'delivered' | 'parked' | 'quarantined';

export interface StoredEntry extends Pick<NewEntry, 'id' | 'kind' | 'receivedAt' | 'payload'> {
	state: EntryState;
	deliveries: StoredDelivery[];
}

export interface StoredDelivery {
	channel: string;
	state: DeliveryResult['state'];
	tries: number;
	/** When it is tried next; null when it is not. */
	dueAt: number | null;
	/** When it was sent; null when it is not. */
	sentAt: number | null;
	/** Why the last try that failed did, even if a later one worked; null when none has. */
	lastError: string | null;
}
