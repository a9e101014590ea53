import type { KeyObject } from 'node:crypto';
import type { Claim, ClaimedDelivery, DeliveryResult, Lease } from './delivery.ts';
import type { DeliveryState, EntryState, Insertion, NewEntry, StoredEntry } from './entry.ts';
import type { KeyStore } from './key-store.ts';

export type * from './delivery.ts';
export type * from './entry.ts';
export { StoreError } from './store-error.ts';

/**
 * Where leads lie until every channel has them, and what is remembered of them after.
 * All times are in milliseconds, and points in time since the epoch. One clock decides what is due, when a lease ends and what is old:
 * that of the database server or, for a file, of its machine. Only `receivedAt` is by the clock of whoever saves the entry.
 * A clock that jumps back puts nothing off for longer: see `CLOCK_ERROR`.
 * Every function rejects with a `StoreError` when the store cannot do its work; whatever resolved is durable.
 */
export interface LeadStore extends AsyncDisposable {
	/** For keyed hashes of what is remembered after a purge: made once, kept in the store, the same in every instance. */
	readonly secret: KeyObject;

	/** The API keys that lie beside the leads. */
	readonly keys: KeyStore;

	/** Saves an entry with one delivery for each channel, all or nothing. Resolves after the commit, and never before. */
	insert(entry: NewEntry): Promise<Insertion>;

	/**
	 * Takes deliveries that are due and in nobody's lease, oldest due first. Two claimers never get the same one
	 * before its lease has ended.
	 */
	claim(claim: Claim): Promise<ClaimedDelivery[]>;

	/**
	 * What became of a claimed delivery. A delivery that is sent is never due again, whatever a slower claimer says of it later.
	 * Another result counts for the owner of the lease only: it counts the try and ends the lease. A delivery that the operator has
	 * wanted retried meanwhile is then due at once.
	 *
	 * @returns the state it has now; undefined where nothing was changed: it is sent, another has it, or its entry was erased
	 */
	mark(delivery: Lease, result: DeliveryResult): Promise<DeliveryState | undefined>;

	/** Gives back every lease of an owner: its deliveries are due at once. Without an owner: every lease there is. */
	endLeases(owner?: string): Promise<void>;

	/** How long until the next delivery over a channel is due or out of its lease, those in hand left out. Undefined: none waits. */
	untilDue(channel: string, inHand: string[]): Promise<number | undefined>;

	/** The channels that deliveries wait for. */
	waitingChannels(): Promise<string[]>;

	/** Forgets a `Once`: what it named may happen again. */
	forget(onceKey: string): Promise<void>;

	/**
	 * Deletes, in one step of limited size: entries that have nothing left to deliver and are older than they may be (parked ones never),
	 * the oldest quarantined ones beyond the cap, API keys that ended longer ago than a delivered entry may be old, and every `Once` that has
	 * expired. A Once that has not outlives its entry.
	 *
	 * @returns how many entries and keys were deleted, and whether nothing is left to delete
	 */
	purge(limits: PurgeLimits): Promise<{ deleted: number; done: boolean }>;

	/**
	 * Takes what was deleted out of the store's files as well.
	 *
	 * @returns false where somebody holds on to it: a reader that is not done yet, for example
	 */
	scrub(): Promise<boolean>;

	/** How many leads there are in each state. */
	count(): Promise<Record<EntryState, number>>;

	/** What is left to do, for whoever watches: asked often, so it costs no more when much is kept. */
	backlog(): Promise<Backlog>;

	/** For the operator: a page of entries, newest first. What was never for anybody, a notice without a channel, is left out. */
	list(page: Page): Promise<StoredEntry[]>;

	/** At most two entries whose id begins like this, or ends like this if it has eight characters or more. */
	find(idPart: string): Promise<StoredEntry[]>;

	/** The quarantined entries of these ids. */
	quarantined(ids: string[]): Promise<StoredEntry[]>;

	/** Ids of quarantined entries that could be released and that no notice has told the sales team of; oldest first. */
	awaitingNotice(): Promise<string[]>;

	/** Takes these out of {@link awaitingNotice}: a notice has told of them, or there is nothing to tell. */
	markNotified(ids: string[]): Promise<void>;

	/**
	 * Makes parked and waiting deliveries due now: of one entry, or all that are parked. Their tries count anew.
	 * One that is being tried at this moment keeps its lease, and is due again at once if that try fails.
	 *
	 * @returns how many deliveries
	 */
	retry(which: { id: string } | 'parked'): Promise<number>;

	/** Lets a quarantined entry out, to these channels. @returns false where no such entry is in quarantine */
	release(id: string, channels: string[]): Promise<boolean>;

	/** What is kept of a person. @param email in any case, its domain in any form */
	countOf(email: string): Promise<Kept>;

	/**
	 * Deletes every entry of a person, whatever its state, with its deliveries and its `Once`, and every API key that they own.
	 *
	 * @param email in any case, its domain in any form
	 * @returns what was deleted
	 */
	erase(email: string): Promise<Kept>;
}

/** Leads that somebody or something still has to do with. With PostgreSQL at most 10,000 of each are counted. */
export interface Backlog {
	waiting: number;
	parked: number;
	quarantined: number;
	/** When the oldest of those that wait was received; null where none waits. */
	oldestWaiting: number | null;
}

/** How much there is of a person. */
export interface Kept {
	entries: number;
	/** API keys. */
	keys: number;
}

/** Which entries to list. */
export interface Page {
	state?: EntryState | undefined;
	/** Where they come from, to the letter. */
	source?: string | undefined;
	/** Only older ones than this. */
	before?: Pick<StoredEntry, 'id' | 'receivedAt'> | undefined;
	limit: number;
}

/** What may stay, and how much one step deletes. Ages are in milliseconds. */
export interface PurgeLimits {
	/** How old a delivered or a quarantined entry may be. */
	age: number;
	/** The same of a quarantined one that could be released. */
	releasableAge: number;
	/** How many quarantined ones are kept: so many that could be released, and as many others. */
	quarantineCap: number;
	/** How many of each kind are deleted at the most. */
	batch: number;
}
