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
	 * quarantined ones beyond the caps, API keys that ended longer ago than a delivered entry may be old, and every `Once` that has
	 * expired. A Once that has not outlives its entry.
	 */
	purge(limits: PurgeLimits): Promise<Purged>;

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

	/** How many possible leads in quarantine no notice tells of, counted up to the limit. */
	countUntold(limit: number): Promise<number>;

	/** Has a notice tell of every possible lead in quarantine that no other tells of. */
	announce(notice: string): Promise<void>;

	/** The possible leads that a notice tells of and that are still in quarantine: so many at most, those of crowded networks last. */
	announcedBy(notice: string, limit: number): Promise<StoredEntry[]>;

	/** Notes that a notice has reached a channel: the sales team knows of what it tells of. */
	markTold(notice: string): Promise<void>;

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
	 * Deletes every entry of a person, whatever its state, with its deliveries, every API key that they own, and every `Once` of theirs, also
	 * of entries that are gone.
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
	/** How long the sales team has to look at a possible lead in quarantine that it was told of. */
	decisionTime: number;
	/**
	 * How many possible leads are kept in quarantine. Above it, those go that the sales team has known of for the decision time, then those
	 * that it knows of and that came when their network had a hundred there. All others stay, however many they are.
	 */
	possibleCap: number;
	/** How many others are kept in quarantine. */
	faultyCap: number;
	/** How many of each kind are deleted at the most. */
	batch: number;
}

/** How much a step of a purge has deleted. */
export interface Purged {
	/** Entries and API keys whose time was over. */
	aged: number;
	/** Quarantined entries that could be no lead, beyond the cap. */
	faulty: number;
	/** Possible leads above the cap: how long the sales team had known of each, in milliseconds. */
	possible: number[];
	/** Whether nothing is left to delete. */
	done: boolean;
}
