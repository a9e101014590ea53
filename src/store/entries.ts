import type { KeyObject } from 'node:crypto';
import type { Database } from './database.ts';
import { entriesWhere, inState, insertIn, FOREVER, MOST_COUNTED, personHash } from './entry.ts';
import type { EntryState, Insertion, NewEntry, StoredEntry } from './entry.ts';
import type { KeyStore } from './key-store.ts';
import { ofKinds } from './kinds.ts';
import { destroyKey, keepKey, seal } from './seal.ts';

/** The most leads that `alike` returns: to unseal more would hold up other requests. */
export const ALIKE = 5;

/** How many leads are in each state, and when the oldest waiting one was received: null if none waits. */
export type Counts = Record<EntryState, number> & { oldestWaiting: number | null };

export interface Page {
	state?: EntryState;
	/** The keyed hash of the source, without what tells leads of one campaign or page apart. */
	source?: string;
	/** Only leads whose traits were learnt, when the operator said whether they are spam. */
	trained?: boolean;
	before?: Pick<StoredEntry, 'id' | 'receivedAt'>;
	limit: number;
}

export const entriesIn = ({ read, write, atOnce = read }: Database, secret: KeyObject, keys: KeyStore) => ({
	/** Saves an entry with one delivery for each channel, all or nothing. Resolves after the commit, never before. */
	async insert(entry: NewEntry): Promise<Insertion> {
		const insertion = await write((run, now) => insertIn(run, now, entry, secret));
		// By itself: leads with one API key must not wait for each other.
		if (entry.apiKey !== undefined && insertion.outcome === 'inserted') await keys.counted(entry.apiKey);
		return insertion;
	},

	/** Returns whether a mark lasts, by the clock of this process. `insert` decides by that of the database. */
	async hasMark(key: string): Promise<boolean> {
		return (await atOnce('SELECT id FROM lead_entries WHERE once = $1 AND once_ends_at > $2', [key, Date.now()])).length > 0;
	},

	/** Rejects unless the store can save: writes a key, and destroys it. @returns the time by the clock of the database */
	requireWritable(): Promise<number> {
		return write(async (run, now) => {
			await destroyKey(run, await keepKey(run, seal('').key));
			return now;
		});
	},

	/** Returns at most two entries whose id begins like this or, with at least eight characters, ends like this. */
	async find(part: string): Promise<StoredEntry[]> {
		const found = await entriesWhere(read, 'id = $2', [2, part]);
		// A whole id needs no search, which reads all entries.
		if (found.length > 0 || part.length === 36) return found;
		const end = 'length($2) >= 8 AND substr(id, length(id) - length($2) + 1) = $2';
		return entriesWhere(read, `(substr(id, 1, length($2)) = $2 OR ${end})`, [2, part]);
	},

	/** Returns a page of entries for the operator, of the kinds that are listed, newest first. */
	list({ state, source, trained, before, limit }: Page): Promise<StoredEntry[]> {
		const conditions = [
			ofKinds(({ isListed }) => isListed),
			'(received_at, id) < ($2, $3)',
			state && inState[state],
			trained && 'id IN (SELECT entry_id FROM lead_traits)',
			source !== undefined && 'source = $4',
		];
		const start = [before?.receivedAt ?? FOREVER, before?.id ?? ''];
		const where = conditions.filter(Boolean).join(' AND ');
		return entriesWhere(read, where, [limit, ...start, ...(source === undefined ? [] : [source])]);
	},

	/** Returns every entry of a person, the newest first. @param email in any case, its domain in any form */
	entriesOf: (email: string) => entriesWhere(read, 'person = $2', [FOREVER, personHash(secret, email)]),

	/** Returns the newest leads and canaries with this fingerprint that came after a time, at most {@link ALIKE}, without the one of this id. */
	alike(fingerprint: string, id: string, since: number): Promise<StoredEntry[]> {
		return entriesWhere(read, 'fingerprint = $2 AND id <> $3 AND received_at > $4', [ALIKE, fingerprint, id, since]);
	},

	/** Counts the leads in each state, {@link MOST_COUNTED} at most: monitoring does so often. */
	async count(): Promise<Counts> {
		const rows = await read<{ state: EntryState; leads: number; oldest: number }>(countLeads);
		const counts = Object.fromEntries(rows.map(({ state, leads }) => [state, leads])) as Record<EntryState, number>;
		return { ...counts, oldestWaiting: rows.find(({ state }) => state === 'waiting')!.oldest };
	},

	/** Returns when the leads after a time came that are not in quarantine, the newest first, at most a thousand of each state. */
	async leadTimes(since: number): Promise<number[]> {
		return (await read<{ time: number }>(newestLeads, [since])).map(({ time }) => time).toSorted((one, other) => other - one);
	},
});

const countLeads = Object.entries(inState)
	.map(
		([state, condition]) => `SELECT '${state}' AS state, count(*) AS leads, min(received_at) AS oldest FROM (
			SELECT received_at FROM lead_entries WHERE ${condition} AND kind = 'lead' ORDER BY received_at LIMIT ${MOST_COUNTED}
		) AS counted`,
	)
	.join(' UNION ALL ');

/** A statement for each state: one for all would read what is in quarantine too. */
const newestLeads = ['waiting', 'delivered', 'parked']
	.map(
		(state) => `SELECT time FROM (
			SELECT received_at AS time FROM lead_entries WHERE state = '${state}' AND kind = 'lead' AND received_at > $1
			ORDER BY received_at DESC LIMIT 1000
		) AS ${state}`,
	)
	.join(' UNION ALL ');
