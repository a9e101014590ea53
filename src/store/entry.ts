import { type KeyObject, randomUUID } from 'node:crypto';
import { keyedHash, normalizeAddress } from '../lead/email-address.ts';
import type { Judgement } from '../lead/judgement.ts';
import { CLOCK_ERROR_MS, type Run, StoreError, type Value } from './database.ts';
import { type Kind, type KindName, kinds } from './kinds.ts';
import { destroyKey, keepKey, seal, type Sealed, unseal } from './seal.ts';

export interface NewEntry {
	/** UUID. */
	id: string;
	kind: KindName;
	receivedAt: number;
	/** The person's address, for erasure. */
	email: string | null;
	/** Where the lead comes from, without what tells leads of one campaign or page apart. */
	source: string | null;
	/** Id of the API key that it was sent with. */
	apiKey?: string;
	/** JSON. */
	payload: string;
	/** Set for an entry in quarantine, which has no channels. `held`: it could be delivered as it is after its release. */
	quarantine?: 'held' | 'faulty';
	/** Keyed hash of its message, to find leads with the same one. */
	fingerprint?: string;
	/** Undefined: nobody has judged it yet. */
	spam?: Judgement;
	channels: string[];
	/** How long its deliveries wait for their first try: 0 by default. */
	wait?: number;
	once: Once | undefined;
}

/** A mark that keeps the same thing from being done twice, for so long. Both texts are keyed hashes, which reveal nothing of a lead. */
export interface Once {
	key: string;
	/** Another entry with the same key and another fingerprint is a conflict. */
	fingerprint: string;
	lifetime: number;
	/** How long the fingerprint is a mark too: for a later copy without the key. */
	alone?: number;
}

export interface Insertion {
	/** `duplicate`: it was saved before. `conflict`: another one was saved under its mark. */
	outcome: 'inserted' | 'duplicate' | 'conflict';
	/** The id of the entry that holds the mark. If it holds it `alone`, another id with the same reference. */
	id: string;
}

/** The state of a whole entry: `quarantined` has no deliveries. Others are `parked` while a delivery is, else `waiting` while one is, else `delivered`. */
export type EntryState = keyof typeof inState;

/** An entry as the operator sees it. */
export type StoredEntry = ReturnType<typeof entryFrom> & { deliveries: StoredDelivery[] };

/** Who of the sales team answers a lead, and since when. */
export interface Assignment {
	by: string;
	at: number;
	/** When somebody first took the lead, if it was handed over since. */
	first?: number;
}

export interface StoredDelivery {
	channel: string;
	/** `ended`: the operator dismissed it, or retried the entry when it no longer went to this channel. */
	state: 'waiting' | 'sent' | 'parked' | 'ended';
	tries: number;
	dueAt: number | null;
	sentAt: number | null;
	/** Why the last failed try failed, even if a later one worked, or the note of the one that worked. */
	lastError: string | null;
}

/** The most leads of a state that `count` counts: that takes milliseconds, however many there are. */
export const MOST_COUNTED = 10_000;
/** How many entries one transaction changes where there may be thousands, so that other work gets a turn. */
export const BATCH = 50;
/** Later than any time. */
export const FOREVER = Number.MAX_SAFE_INTEGER;

/** Selects the entries in a state by that in the tables, where `gone` is an entry that was deleted, with its mark left. */
export const inState = {
	waiting: `state = 'waiting'`,
	delivered: `state = 'delivered'`,
	parked: `state = 'parked'`,
	quarantined: `state IN ('held', 'announced', 'faulty')`,
};

const columns =
	'id, kind, received_at AS "receivedAt", entry.state AS "entryState", spam, confirmed, taken AS assigned, payload AS text, key';

interface EntryRow extends Sealed, Pick<NewEntry, 'id' | 'kind' | 'receivedAt'> {
	entryState: string;
	spam: string | null;
	confirmed: number | null;
	assigned: string | null;
}

/** Returns what a column of JSON holds, or undefined: one broken row must not keep others from being read. */
export function parsed<Type>(text: string | null): Type | undefined {
	try {
		return (JSON.parse(text ?? 'null') as Type | null) ?? undefined;
	} catch {
		return undefined;
	}
}

const entryFrom = ({ id, kind, receivedAt, entryState, spam, confirmed, assigned, key, text }: EntryRow) => ({
	id,
	kind,
	receivedAt,
	payload: unseal({ key, text }),
	state: (entryState in inState ? entryState : 'quarantined') as EntryState,
	spam: parsed<Judgement>(spam),
	/** Whether it is settled whether the visitor gets a confirmation. */
	confirmed: confirmed !== null,
	assigned: parsed<Assignment>(assigned),
});

/** Returns an entry that is there, in the transaction of other work. */
export async function entryOf(run: Run, id: string) {
	const select = `SELECT ${columns} FROM lead_entries AS entry LEFT JOIN lead_keys ON slot = key_slot WHERE id = $1`;
	return entryFrom((await run<EntryRow>(select, [id]))[0]!);
}

/** Returns the entries that a condition selects, the newest first. @param values the limit, and those of the condition */
export async function entriesWhere(read: Run, where: string, values: Value[]): Promise<StoredEntry[]> {
	const page = `SELECT * FROM lead_entries WHERE state <> 'gone' AND ${where} ORDER BY received_at DESC, id DESC LIMIT $1`;
	const rows = await read<EntryRow & StoredDelivery>(
		`SELECT ${columns}, channel, delivery.state, tries, due_at AS "dueAt", sent_at AS "sentAt", last_error AS "lastError"
		FROM (${page}) AS entry LEFT JOIN lead_keys ON slot = key_slot LEFT JOIN lead_deliveries AS delivery ON entry_id = entry.id
		ORDER BY received_at DESC, entry.id DESC, channel`,
		values,
	);
	return [...Map.groupBy(rows, ({ id }) => id).values()].map((ofEntry) => {
		const deliveries = ofEntry.map(({ channel, state, tries, dueAt, sentAt, lastError }) => {
			return { channel, state, tries, dueAt, sentAt, lastError };
		});
		// An entry without a delivery has a row all the same.
		return Object.assign(entryFrom(ofEntry[0]!), { deliveries: deliveries.filter(({ channel }) => channel !== null) });
	});
}

/** Counts the rows that a condition selects. @param values the most that it counts, and those of the condition */
export async function countSome(read: Run, from: string, values: Value[]): Promise<number> {
	const count = `SELECT count(*) AS count FROM (SELECT 1 FROM ${from} LIMIT $1) AS counted`;
	return (await read<{ count: number }>(count, values))[0]!.count;
}

/** Returns the places of values in a statement, `$2, $3`, or an empty text, which no column has, if there are none. */
export const placesFrom = (first: number, values: string[]) => values.map((_, index) => `$${first + index}`).join(', ') || `''`;

/** Identifies a person in the index by a hash. @param email in any case, its domain in any form */
export const personHash = (secret: KeyObject, email: string): string => keyedHash(secret, 'person', normalizeAddress(email));

/** Identifies a lead's source in the index by a hash, because a visitor may have written anything there. */
export const sourceHash = (secret: KeyObject, source: string): string => keyedHash(secret, 'source', source);

/** Inserts a row, by column. @param rest of the statement, behind the values */
export const insertRow = (run: Run, table: string, row: Record<string, Value>, rest = '') =>
	run(`INSERT INTO ${table} (${Object.keys(row)}) VALUES (${placesFrom(1, Object.keys(row))}) ${rest}`, Object.values(row));

/** Frees a mark whose end is past (`$2`), or further ahead (`$3`) than that of a new one: the clock has jumped back since. */
export const endMark = `
	UPDATE lead_entries SET once = NULL, once_ends_at = 0 WHERE once = $1 AND (once_ends_at <= $2 OR once_ends_at > $3)`;
const holderOf = 'SELECT id, once_content AS content FROM lead_entries WHERE once = $1';
export const enqueue = 'INSERT INTO lead_deliveries (entry_id, channel, since, due_at) VALUES ($1, $2, $3, $4)';

/** Saves an entry with one delivery for each channel, in the transaction of other work. @param secret of the store */
export async function insertIn(run: Run, now: number, entry: NewEntry, secret: KeyObject): Promise<Insertion> {
	const { id, kind, receivedAt, email, source, once, channels, quarantine, fingerprint = null, spam, wait = 0 } = entry;
	const person = email === null ? null : personHash(secret, email);
	// Nobody could find a person whose address was hashed with another secret.
	if ((await run('SELECT tables FROM lead_store WHERE secret = $1', [secret.export()])).length === 0)
		throw new StoreError('The tables of the lead store were made anew while this process ran. Start it again.');
	const { lifetime }: Kind = kinds[kind];
	if (once) await run(endMark, [once.key, now, now + once.lifetime + CLOCK_ERROR_MS]);
	const { key, text } = seal(entry.payload);
	const slot = await keepKey(run, key);
	const row = {
		id,
		kind,
		// By one clock, so that ages of what several processes receive can be compared: that of a process may be hours off.
		received_at: Math.abs(now - Date.now()) > CLOCK_ERROR_MS ? receivedAt + now - Date.now() : receivedAt,
		// By the clock that says when it is purged: an entry of a process that is a day behind would be old at once.
		ends_at: lifetime === undefined ? null : now + lifetime,
		state: quarantine ?? (channels.length > 0 ? 'waiting' : 'delivered'),
		person,
		source: source === null ? null : sourceHash(secret, source),
		fingerprint,
		payload: text,
		spam: spam ? JSON.stringify(spam) : null,
		key_slot: slot,
		...(once && { once: once.key, once_content: once.fingerprint, once_ends_at: now + once.lifetime }),
	};
	while ((await insertRow(run, 'lead_entries', row, 'ON CONFLICT (once) DO NOTHING RETURNING id')).length === 0) {
		const [holder] = await run<{ id: string; content: string }>(holderOf, [once!.key]);
		// Otherwise it was deleted in between.
		if (holder) {
			await destroyKey(run, slot);
			return { outcome: holder.content === once!.fingerprint ? 'duplicate' : 'conflict', id: holder.id };
		}
	}
	if (once?.alone) {
		const mark = {
			// With the end of the entry's, so that a copy gets the same reference.
			id: randomUUID().slice(0, -10) + id.slice(-10),
			kind,
			received_at: receivedAt,
			state: 'gone',
			person,
			payload: new Uint8Array(),
			once: once.fingerprint,
			once_content: once.fingerprint,
			once_ends_at: now + once.alone,
		};
		await insertRow(run, 'lead_entries', mark, 'ON CONFLICT (once) DO UPDATE SET once_ends_at = excluded.once_ends_at');
	}
	for (const channel of channels) await run(enqueue, [id, channel, now, now + wait]);
	return { outcome: 'inserted', id };
}
