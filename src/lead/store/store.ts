import type { KeyObject } from 'node:crypto';
import type { Claim, ClaimedDelivery, DeliveryResult, EntryState, Insertion, Lease, NewEntry, StoredEntry } from './entry.ts';
import type { Judgement } from '../spam/judgement.ts';
import type { Context } from '../spam/signal.ts';
import type { KeyStore } from './key-store.ts';

export type * from './entry.ts';
export { StoreError } from './store-error.ts';

/** In milliseconds: how long a store waits for other programs that use its database. */
export interface StoreWaits {
	/** For a lock. By default 5 seconds in SQLite, and 8 in PostgreSQL: less than a statement may take. */
	lock?: number;
	/** For those who still read what was deleted. By default 5 seconds. */
	scrub?: number;
}

/**
 * Keeps leads until every channel has them, and marks against repetition for longer. All durations are in milliseconds, and all
 * times since the epoch. One clock decides when a delivery is due, when a lease ends and what is old: that of the database server
 * or, for a file, of its machine. Only `receivedAt` comes from the clock of the saving process. A clock that jumps back delays
 * nothing for long: see `CLOCK_ERROR`. Every function rejects with a `StoreError` when the store cannot do its work. A change
 * that resolved is durable.
 */
export interface LeadStore extends AsyncDisposable {
	/** For keyed hashes that outlive a purge: created once, kept in the store, the same in every instance. */
	readonly secret: KeyObject;

	/** The API keys, which are stored beside the leads. */
	readonly keys: KeyStore;

	/** Saves an entry with one delivery for each channel, all or nothing. Resolves after the commit, never before. */
	insert(entry: NewEntry): Promise<Insertion>;

	/**
	 * Claims due deliveries that nobody has a lease on, the longest due first. Two processes never get the same delivery
	 * before its lease has ended.
	 */
	claim(claim: Claim): Promise<ClaimedDelivery[]>;

	/**
	 * Stores the result of a claimed delivery. A sent delivery is never due again, no matter what a slower process reports later.
	 * Any other result counts only from the owner of the lease: it adds a try and ends the lease.
	 *
	 * @returns false if nothing changed: it was sent before, another process has it, or its entry was erased
	 */
	mark(delivery: Lease, result: DeliveryResult): Promise<boolean>;

	/**
	 * Stores the first judgement of a lead. A held lead goes into quarantine, and is due for no channel.
	 *
	 * @returns false if somebody has judged it before, or it is gone
	 */
	judge(id: string, judgement: Judgement): Promise<boolean>;

	/** Returns the newest leads with this fingerprint that came after a time, at most {@link ALIKE}, without the one of this id. */
	alike(fingerprint: string, id: string, since: number): Promise<StoredEntry[]>;

	/** Stores the operator's verdict on a lead, and its traits, until the lead is deleted. A verdict from before is replaced. */
	train(id: string, judgement: Judgement, traits: string[]): Promise<void>;

	/** Returns the operator's last verdict on a lead with one of these traits; undefined if there is none. */
	recall(traits: string[]): Promise<Context['trained']>;

	/** Ends every lease of an owner, and makes its deliveries due at once. Without an owner, ends all leases. */
	endLeases(owner?: string): Promise<void>;

	/** Returns the time until a delivery of the channel is due or its lease ends; undefined if none waits. */
	untilDue(channel: string): Promise<number | undefined>;

	/** Returns the channels of waiting or parked deliveries, by name. */
	pendingChannels(): Promise<string[]>;

	/** Deletes a `Once`, so that its action may happen again. */
	forget(onceKey: string): Promise<void>;

	/**
	 * Deletes, in one step of limited size: delivered and quarantined entries over their age (parked ones never), quarantined
	 * entries above the cap, API keys that ended longer ago than that age, and every expired `Once`. A `Once` may outlive its
	 * entry.
	 */
	purge(limits: PurgeLimits): Promise<Purged>;

	/**
	 * Removes deleted rows from the store's files too.
	 *
	 * @returns false if somebody still holds them, for example a reader that is not done yet
	 */
	scrub(): Promise<boolean>;

	/** Counts the leads in each state. */
	count(): Promise<Record<EntryState, number>>;

	/** Returns the leads that need attention, for monitoring. Called often, so it costs no more when there are many leads. */
	backlog(): Promise<Backlog>;

	/** Returns a page of entries for the operator, newest first. Leaves out notices that had no channel. */
	list(page: Page): Promise<StoredEntry[]>;

	/** Returns at most two entries whose id begins like this or, with at least eight characters, ends like this. */
	find(idPart: string): Promise<StoredEntry[]>;

	/** Counts the possible leads in quarantine that no notice covers, up to the limit. */
	countUntold(limit: number): Promise<number>;

	/** Makes a notice cover every possible lead in quarantine that no other notice covers. */
	announce(notice: string): Promise<void>;

	/** Returns up to `limit` possible leads that a notice covers and that are still in quarantine, the newest first. */
	announcedBy(notice: string, limit: number): Promise<StoredEntry[]>;

	/** Stores that a notice has reached a channel, so that the sales team knows of the leads it covers. */
	markTold(notice: string): Promise<void>;

	/**
	 * Makes what is waiting or parked of one entry due now, or of all entries that are stuck: a delivery is parked, or its channel
	 * is not configured. Their tries start again at zero. A lead that is not delivered gets a delivery for each channel that is
	 * configured now; those for other channels end. Leaves what is being tried at this moment.
	 *
	 * @param channels those that are configured
	 * @returns how many deliveries are due
	 */
	retry(which: { id: string } | 'stuck', channels: string[]): Promise<number>;

	/** Releases an entry from quarantine, to these channels. @returns false if no such entry is in quarantine */
	release(id: string, channels: string[]): Promise<boolean>;

	/** Counts a person's entries and keys. @param email in any case, its domain in any form */
	countOf(email: string): Promise<Kept>;

	/**
	 * Deletes every entry of a person, in any state, with its deliveries; every API key of theirs; and every `Once` of theirs, also
	 * those of deleted entries.
	 *
	 * @param email in any case, its domain in any form
	 * @returns how much it deleted
	 */
	erase(email: string): Promise<Kept>;
}

/** The most leads that {@link LeadStore.alike} returns: to unseal more would hold up other requests. */
export const ALIKE = 5;

/** Leads that still need something done. With PostgreSQL each number is at most 10,000. */
export interface Backlog {
	waiting: number;
	parked: number;
	quarantined: number;
	/** When the oldest waiting lead was received, or null if none waits. */
	oldestWaiting: number | null;
}

/** How much is kept of a person. */
export interface Kept {
	entries: number;
	/** API keys. */
	keys: number;
}

/** Selects the entries to list. */
export interface Page {
	state?: EntryState | undefined;
	/** The keyed hash of the exact source. */
	source?: string | undefined;
	/** Only leads of which the operator has said whether they are spam. */
	trained?: boolean | undefined;
	/** Only entries older than this one. */
	before?: Pick<StoredEntry, 'id' | 'receivedAt'> | undefined;
	limit: number;
}

/** Limits of a purge: how much it leaves, and how much one step deletes. Ages are in milliseconds. */
export interface PurgeLimits {
	/** The greatest age of a delivered or quarantined entry. */
	age: number;
	/** How long the sales team has, after a notice, to look at a possible lead in quarantine. */
	decisionTime: number;
	/** The most entries in quarantine that the sales team was told of, and the most that cannot be leads. The newest stay. */
	cap: number;
	/** The most rows of each kind that one step deletes. */
	batch: number;
}

/** How much one step of a purge deleted. */
export interface Purged {
	/** Entries and API keys over their age. */
	aged: number;
	/** Entries in quarantine above the cap. */
	excess: number;
	/** Whether nothing is left to delete. */
	done: boolean;
}
