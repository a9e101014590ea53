import type { KeyObject } from 'node:crypto';
import { personHash, sourceHash } from '../lead/email-address.ts';
import type { Context, Judgement } from '../lead/judgement.ts';
import { CLOCK_ERROR, type Database, type Run, type Value } from './database.ts';
import { deleteKeys, type KeyStore, keyStore } from './key-store.ts';
import { deleteCounts, type RequestCounts, requestCounts } from './request-counts.ts';
import { destroyKey, keepKey, seal, type Sealed, unseal } from './seal.ts';

export { StoreError } from './database.ts';

/** A file on this machine, or a database that several instances share. */
export type StorePlace = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string };

/** Where leads are kept until every channel has them. `none`: nowhere, each lead is delivered within its request. */
export type StoreSetting = StorePlace | { kind: 'none' };

/**
 * Opens the store. Loads only the driver that it needs.
 *
 * @param options `makes`: makes the tables if there are none; a command does not. `secret`: that of the store, if this process has opened it
 * before; then its tables are not looked at again. `patience`: how long it waits for other programs that use its database
 * @throws {StoreError} the store cannot be opened; the message gives reason and remedy, and never holds a password
 */
export async function openStore(
	place: StorePlace,
	{ makes = true, secret, patience }: { makes?: boolean; secret?: KeyObject | undefined; patience?: number } = {},
): Promise<LeadStore> {
	const database =
		place.kind === 'sqlite'
			? (await import('./sqlite.ts')).sqliteDatabase(place.path, patience)
			: (await import('./postgres.ts')).postgresDatabase(place.url, patience);
	try {
		return new LeadStore(database, secret ?? (await database.open(makes)));
	} catch (error) {
		await database[Symbol.asyncDispose]();
		throw error;
	}
}

/** How many entries one transaction changes where there may be thousands, so that other work gets a turn. */
const BATCH = 50;
/** The most leads of a state that `count` counts: that takes milliseconds, however many there are. */
export const MOST_COUNTED = 10_000;
/** The most leads that `alike` returns: to unseal more would hold up other requests. */
export const ALIKE = 5;
/** In milliseconds. A confirmation is sent within an hour or never, and a notice of more than a day ago is no news. */
const DAY = 86_400_000;
/** In milliseconds. Whoever sent a canary waits no longer for it. */
const HOUR = 3_600_000;
/** Later than any time. */
const LATEST = Number.MAX_SAFE_INTEGER;

/** Selects the entries in a state by that in the tables, where `gone` is an entry that was deleted, with its mark left. */
const inState: Record<EntryState, string> = {
	waiting: `state = 'waiting'`,
	delivered: `state = 'delivered'`,
	parked: `state = 'parked'`,
	quarantined: `state IN ('held', 'announced', 'faulty')`,
};

/**
 * Keeps leads until every channel has them, and marks against repetition for longer. Durations are in milliseconds, times since the
 * epoch, all by the clock of the database, except `receivedAt`. A clock that jumps back delays nothing for long: see `CLOCK_ERROR`.
 * Every function rejects with a `StoreError` when the store cannot do its work. A change that resolved is durable. The README lists what
 * orders changes to the same rows.
 */
export class LeadStore implements AsyncDisposable {
	/** For keyed hashes: made once, the same in every instance. */
	readonly secret: KeyObject;
	/** The API keys, which are stored beside the leads. */
	readonly keys: KeyStore;
	/** Counts requests where instances share the store. Undefined otherwise: the process counts for itself. */
	readonly counts: RequestCounts | undefined;
	readonly #database: Database;

	constructor(database: Database, secret: KeyObject) {
		this.#database = database;
		this.secret = secret;
		this.keys = keyStore(database, secret);
		this.counts = database.atOnce && requestCounts(database.atOnce);
	}

	/** Saves an entry with one delivery for each channel, all or nothing. Resolves after the commit, never before. */
	async insert(entry: NewEntry): Promise<Insertion> {
		const { id, kind, receivedAt, email, source, once, channels, quarantine, fingerprint = null, spam, apiKey } = entry;
		const { confirms, wait = 0 } = entry;
		const person = email === null ? null : personHash(this.secret, email);
		const place = source === null ? null : sourceHash(this.secret, source);
		const { key, text } = seal(entry.payload);
		const state = quarantine ?? (channels.length > 0 ? 'waiting' : 'delivered');
		const row = [id, kind, receivedAt, state, person, place, fingerprint, text, spam ? JSON.stringify(spam) : null];
		const insertion = await this.#database.write<Insertion>(async (run, now) => {
			if (confirms !== undefined && (await run(unconfirmed, [confirms])).length === 0) return 'duplicate';
			if (once) await run(endMark, [once.key, now, now + once.lifetime + CLOCK_ERROR]);
			const slot = await keepKey(run, key);
			const mark = once ? [once.key, once.fingerprint, now + once.lifetime] : [null, null, null];
			while ((await run(insertEntry, [...row, slot, ...mark])).length === 0) {
				const [other] = await run('SELECT once_content AS content FROM lead_entries WHERE once = $1', [once!.key]);
				// It was deleted in between.
				if (!other) continue;
				await destroyKey(run, slot);
				return other['content'] === once!.fingerprint ? 'duplicate' : 'conflict';
			}
			if (confirms !== undefined) await run('UPDATE lead_entries SET confirmed = 1 WHERE id = $1', [confirms]);
			for (const channel of channels) await run(enqueue, [id, channel, now, now + wait]);
			return 'inserted';
		});
		// By itself: leads with one key must not wait for each other.
		if (apiKey !== undefined && insertion === 'inserted') await this.keys.counted(apiKey);
		return insertion;
	}

	/**
	 * Claims due deliveries, the longest due first. Two processes never get the same before its lease has ended.
	 *
	 * @returns them, and in how many milliseconds the next delivery of the channel is due or its lease ends; undefined if none waits
	 */
	claim({ channel, owner, limit, lease }: Claim): Promise<{ claimed: ClaimedDelivery[]; untilDue: number | undefined }> {
		const which = ` FROM lead_deliveries WHERE state = 'waiting' AND channel = $1`;
		return this.#database.write(async (run, now) => {
			const select = (when: string, time: number, most: number) =>
				run<{ id: string }>(`SELECT entry_id AS id${which} AND ${when} LIMIT $3 FOR UPDATE SKIP LOCKED`, [channel, time, most]);
			const due = await select('due_at <= $2 ORDER BY due_at', now, limit);
			// None, unless the clock has jumped back.
			const early = await select('since > $2', now + CLOCK_ERROR, limit - due.length);
			const claimed: ClaimedDelivery[] = [];
			for (const { id } of [...due, ...early]) {
				const [delivery] = await run<{ tries: number }>(lend, [id, channel, owner, now, now + lease]);
				const [row] = await run<EntryRow>(selectEntry, [id]);
				const { kind, payload, spam } = entryFrom(row!);
				claimed.push({ id, channel, kind, payload, spam, tries: delivery!.tries });
			}
			const [next] = await run<{ due_at: number }>(`SELECT due_at${which} ORDER BY due_at LIMIT 1`, [channel]);
			return { claimed, untilDue: next && next.due_at - now };
		});
	}

	/**
	 * Stores the result of a claimed delivery. One that was sent is never due again, whatever a slower process reports later. Any other
	 * result counts only from the owner of the lease. @returns false if nothing changed
	 */
	mark({ id, channel, owner }: Lease, result: DeliveryResult): Promise<boolean> {
		const { state } = result;
		return this.#database.write(async (run, now) => {
			await run('SELECT id FROM lead_entries WHERE id = $1 FOR UPDATE', [id]);
			const dueAt = state === 'waiting' ? now + result.wait : null;
			const changed =
				state === 'sent'
					? await run(markSent, [id, channel, now, result.note ?? null])
					: await run(markFailed, [id, channel, now, dueAt, result.reason, state, owner]);
			if (changed.length > 0) await run(settle, [id]);
			if (state === 'sent' && result.ends) await run(endMark, [result.ends, LATEST, LATEST]);
			return changed.length > 0;
		});
	}

	/** Stores the first judgement of a lead. A held one goes into quarantine, and is due for no channel. @returns false if it is not the first */
	judge(id: string, judgement: Judgement): Promise<boolean> {
		const held = judgement.verdict === 'held';
		const state = held ? `, state = 'held'` : '';
		const first = `UPDATE lead_entries SET spam = $2${state} WHERE id = $1 AND spam IS NULL AND state <> 'gone' RETURNING id`;
		return this.#database.write(async (run) => {
			const judged = await run(first, [id, JSON.stringify(judgement)]);
			if (judged.length > 0 && held) await run('DELETE FROM lead_deliveries WHERE entry_id = $1', [id]);
			return judged.length > 0;
		});
	}

	/** Returns the newest leads with this fingerprint that came after a time, at most {@link ALIKE}, without the one of this id. */
	alike(fingerprint: string, id: string, since: number): Promise<StoredEntry[]> {
		return this.#entries('fingerprint = $2 AND id <> $3 AND received_at > $4', [ALIKE, fingerprint, id, since]);
	}

	/** Stores the operator's verdict on a lead, and its traits, until the lead is deleted. A verdict from before is replaced. */
	async train(id: string, judgement: Judgement, traits: string[]): Promise<void> {
		const { verdict } = judgement;
		await this.#database.write(async (run, now) => {
			const spam = `UPDATE lead_entries SET spam = $2 WHERE id = $1 AND state <> 'gone' RETURNING id`;
			const known = await run(spam, [id, JSON.stringify(judgement)]);
			// No notice tells of spam.
			if (verdict === 'spam') await run(`${leaveNotice}, state = 'faulty' WHERE id = $1 AND ${inState.quarantined}`, [id]);
			await run('DELETE FROM lead_traits WHERE entry_id = $1', [id]);
			const learn = 'INSERT INTO lead_traits (entry_id, trait, verdict, learnt_at) VALUES ($1, $2, $3, $4)';
			for (const trait of known.length > 0 ? new Set(traits) : []) await run(learn, [id, trait, verdict, now]);
		});
	}

	/** Notes who answers a lead, unless somebody does. */
	async take(id: string, by: string): Promise<void> {
		const free = `UPDATE lead_entries SET taken = $2 WHERE id = $1 AND kind = 'lead' AND taken IS NULL AND state <> 'gone'`;
		await this.#database.write((run, now) => run(free, [id, JSON.stringify({ by, at: now } satisfies Taken)]));
	}

	/** Returns the operator's last verdict on a lead with one of these traits; undefined if there is none. */
	async recall(traits: string[]): Promise<Context['trained']> {
		const [row] = await this.#database.read<{ verdict: Context['trained'] }>(
			`SELECT verdict FROM lead_traits WHERE trait IN (${placesFrom(1, traits)}) ORDER BY learnt_at DESC LIMIT 1`,
			traits,
		);
		return row?.verdict;
	}

	/** Ends every lease of an owner, and makes its deliveries due at once. Without an owner, ends all leases. */
	async endLeases(owner: string | null = null): Promise<void> {
		await this.#database.write((run, now) => run(endLeases, [now, owner]));
	}

	/** Returns the channels of waiting or parked deliveries, by name, but not of those that end by themselves. Reads a row for each, however many wait. */
	async pendingChannels(): Promise<string[]> {
		const found = new Set<string>();
		for (const state of ['waiting', 'parked']) {
			const next = `SELECT min(channel) AS channel FROM lead_deliveries WHERE state = '${state}' AND channel > $1`;
			const after = async (last: string) => (await this.#database.read<{ channel: string | null }>(next, [last]))[0]!.channel;
			for (let channel = await after(''); channel !== null; channel = await after(channel)) found.add(channel);
		}
		return [...found].filter((channel) => !/^(canary-|confirmation$)/.test(channel)).toSorted();
	}

	/** Counts the parked deliveries of a channel, up to {@link MOST_COUNTED}. */
	async countParked(channel: string): Promise<number> {
		const some = `SELECT 1 FROM lead_deliveries WHERE state = 'parked' AND channel = $1 LIMIT ${MOST_COUNTED}`;
		const [row] = await this.#database.read<{ count: number }>(`SELECT count(*) AS count FROM (${some}) AS counted`, [channel]);
		return row!.count;
	}

	/** Rejects unless the store can save: writes a key, and destroys it. */
	async requireWritable(): Promise<void> {
		await this.#database.write(async (run) => destroyKey(run, await keepKey(run, seal('').key)));
	}

	/**
	 * Deletes what is over, in one step of limited size. Never deletes a waiting or parked lead, or a possible one that nobody was told of.
	 *
	 * @param limits `age`: of an entry, and of a key since its end. `decisionTime`: how long a possible lead stays after its notice.
	 * `cap`: the most in quarantine that were told of, and the most that cannot be leads. `batch`: the most rows of each kind
	 * @returns how many were over their age, and above the cap. `done`: nothing is left
	 */
	purge({ age, decisionTime, cap, batch }: Record<'age' | 'decisionTime' | 'cap' | 'batch', number>) {
		return this.#database.write(async (run, now) => {
			let areLeft = false;
			/** Locks what it deletes, and skips what somebody else is at work on. */
			const deleteSome = async (which: string, ...values: number[]) => {
				const found = await run<Doomed>(`${doomed} ${which} FOR UPDATE SKIP LOCKED`, [batch, ...values]);
				const ready: Doomed[] = [];
				for (const entry of found)
					// The next notice tells of what this one never told of.
					if (entry.kind !== 'notice' || (await run(untellSome, [entry.id, batch])).length < batch) ready.push(entry);
				areLeft ||= found.length === batch || ready.length < found.length;
				return deleteEntries(run, ready, now);
			};
			const old = now - age;
			const over: [string, ...number[]][] = [
				[`state = 'delivered' AND kind IN ('lead', 'notice', 'confirmation')`, old],
				[`state IN ('waiting', 'parked') AND kind IN ('notice', 'confirmation')`, Math.min(old, now - DAY)],
				[`state IN ('waiting', 'delivered', 'parked') AND kind = 'canary'`, now - HOUR],
				[faulty, old],
				[`${told} AND told_at <= $3`, old, now - decisionTime],
			];
			let aged = await deleteKeys(run, 'ends_at <= $1', old);
			for (const [which, ...times] of over) aged += await deleteSome(`${which} AND received_at <= $2 LIMIT $1`, ...times);
			let excess = await deleteSome(`${faulty} AND ${beyond(faulty, 'received_at DESC')}`, cap);
			excess += await deleteSome(`${told} AND ${beyond('told_at IS NOT NULL', 'told_at DESC, received_at DESC')}`, cap);
			const marks = await run(deleteMarks, [now, batch]);
			const areCountsLeft = this.counts && (await deleteCounts(run, now));
			const done = !areCountsLeft && !areLeft && marks.length < batch;
			return { aged, excess, done };
		});
	}

	/** Removes deleted rows from the store's files too. @returns false if somebody still reads them */
	scrub(): Promise<boolean> {
		return this.#database.scrub();
	}

	/** Returns the files that hold what the store held before an upgrade, with what was deleted since. */
	copies(): string[] {
		return this.#database.copies?.() ?? [];
	}

	/** Counts the leads in each state. Monitoring does so often, and it costs no more when there are many. */
	async count(): Promise<Counts> {
		const rows = await this.#database.read<{ state: EntryState; leads: number; oldest: number }>(countLeads);
		const counts = Object.fromEntries(rows.map(({ state, leads }) => [state, leads])) as Record<EntryState, number>;
		return { ...counts, oldestWaiting: rows.find(({ state }) => state === 'waiting')!.oldest };
	}

	/** Returns a page of entries for the operator, newest first. Leaves out notices that had no channel. */
	list({ state, source, trained, before, limit }: Page): Promise<StoredEntry[]> {
		const conditions = [
			`(kind = 'lead' OR kind <> 'canary' AND EXISTS (SELECT 1 FROM lead_deliveries WHERE entry_id = id))`,
			'(received_at, id) < ($2, $3)',
			state && inState[state],
			trained && 'id IN (SELECT entry_id FROM lead_traits)',
			source !== undefined && 'source = $4',
		];
		const start = [before?.receivedAt ?? LATEST, before?.id ?? ''];
		const where = conditions.filter(Boolean).join(' AND ');
		return this.#entries(where, [limit, ...start, ...(source === undefined ? [] : [source])]);
	}

	/** Returns at most two entries whose id begins like this or, with at least eight characters, ends like this. */
	async find(part: string): Promise<StoredEntry[]> {
		const found = await this.#entries('id = $2', [2, part]);
		// A whole id needs no search, which reads all entries.
		if (found.length > 0 || part.length === 36) return found;
		const end = 'length($2) >= 8 AND substr(id, length(id) - length($2) + 1) = $2';
		return this.#entries(`(substr(id, 1, length($2)) = $2 OR ${end})`, [2, part]);
	}

	/** Counts the possible leads in quarantine that no notice covers, up to the limit. */
	countUntold(limit: number): Promise<number> {
		return this.#countSome(`state = 'held'`, [limit]);
	}

	/** Counts the confirmations of leads that were received after a time, up to the limit: also those that were purged since. */
	countConfirmations(since: number, limit: number): Promise<number> {
		const states = `state IN ('waiting', 'delivered', 'parked', 'gone')`;
		return this.#countSome(`${states} AND kind = 'confirmation' AND received_at > $2`, [limit, since]);
	}

	/** Returns when the leads after a time came that are not in quarantine, the newest first, at most a thousand. */
	async leadTimes(since: number): Promise<number[]> {
		const isLead = `kind = 'lead' AND state NOT IN ('held', 'announced', 'faulty', 'gone')`;
		const times = `SELECT received_at AS time FROM lead_entries WHERE received_at > $1 AND ${isLead} ORDER BY received_at DESC LIMIT 1000`;
		return (await this.#database.read<{ time: number }>(times, [since])).map(({ time }) => time);
	}

	/** Makes a notice cover every possible lead in quarantine that no other notice covers. Leaves them if the notice was tried, or is gone. */
	async announce(notice: string): Promise<void> {
		await this.#inBatches(async (run) => {
			await run('SELECT id FROM lead_entries WHERE id = $1 FOR UPDATE', [notice]);
			const ways = await run('SELECT tries, lease_owner FROM lead_deliveries WHERE entry_id = $1 FOR UPDATE', [notice]);
			const isNew = ways.length > 0 && ways.every((way) => way['tries'] === 0 && way['lease_owner'] === null);
			return isNew ? run(announceSome, [notice, BATCH]) : [];
		});
	}

	/** Returns up to `limit` possible leads that a notice covers and that are still in quarantine, the newest first. */
	announcedBy(notice: string, limit: number): Promise<StoredEntry[]> {
		return this.#entries('notice = $2', [limit, notice]);
	}

	/** Stores that a notice has reached a channel, so that the sales team knows of the leads it covers. */
	async markTold(notice: string): Promise<void> {
		await this.#inBatches((run, now) => run(tellSome, [notice, BATCH, now]));
	}

	/**
	 * Makes what is waiting or parked of one entry due now, or of all that are stuck: a delivery is parked, or its channel is not among
	 * these. Their tries start again at zero. A lead gets a delivery for each of these channels; those for others end. Leaves what is
	 * being tried at this moment. `goesTo` says which of the channels get an entry. @returns how many deliveries are due
	 */
	async retry(which: { id: string } | 'stuck', channels: string[], goesTo: GoesTo = () => channels): Promise<number> {
		// Selects once: what is parked again meanwhile must not be retried for ever.
		const entries = which === 'stuck' ? await this.#stuck(channels) : [which];
		let due = 0;
		while (entries.length > 0) {
			for (const count of await Promise.all(entries.splice(-BATCH).map(({ id }) => this.#retryOne(id, goesTo)))) due += count;
		}
		return due;
	}

	#stuck(channels: string[]): Promise<{ id: string }[]> {
		return this.#database.read(
			`SELECT entry_id AS id FROM lead_deliveries WHERE state = 'parked' AND channel NOT LIKE 'canary-%' UNION
			SELECT entry_id FROM lead_deliveries AS delivery JOIN lead_entries ON id = entry_id
			WHERE delivery.state = 'waiting' AND kind NOT IN ('canary', 'confirmation') AND channel NOT IN (${placesFrom(1, channels)})`,
			channels,
		);
	}

	#retryOne(id: string, goesTo: GoesTo): Promise<number> {
		const unfinished = `SELECT kind FROM lead_entries WHERE id = $1 AND state IN ('waiting', 'parked') FOR UPDATE`;
		return this.#database.write(async (run, now) => {
			const [entry] = await run<Pick<NewEntry, 'kind'>>(unfinished, [id]);
			if (!entry) return 0;
			const isLead = entry.kind === 'lead';
			// The others have channels that are not among those of leads.
			const own = ['canary', 'confirmation'].includes(entry.kind)
				? (await run<Lease>(channelsOf, [id])).map(({ channel }) => channel)
				: goesTo(entryFrom((await run<EntryRow>(selectEntry, [id]))[0]!));
			// Without any it would count as delivered.
			if (own.length === 0) return 0;
			for (const channel of isLead ? own : []) await run(`${enqueue} ON CONFLICT DO NOTHING`, [id, channel, now, now]);
			await run(`${end} AND channel NOT IN (${placesFrom(2, own)})`, [id, ...own]);
			const which = `channel IN (${placesFrom(3, own)}) ${isLead ? '' : `AND state <> 'ended'`}`;
			const due = await run(`${renew} AND ${which} RETURNING channel`, [id, now, ...own]);
			await run(settle, [id]);
			return due.length;
		});
	}

	/** Releases an entry from quarantine, to these channels. @returns false if no such entry is in quarantine, or there is no channel */
	release(id: string, channels: string[]): Promise<boolean> {
		if (channels.length === 0) return Promise.resolve(false);
		const leave = `${leaveNotice}, state = 'waiting' WHERE id = $1 AND ${inState.quarantined} RETURNING id`;
		return this.#database.write(async (run, now) => {
			const released = await run(leave, [id]);
			for (const channel of released.length > 0 ? channels : []) await run(enqueue, [id, channel, now, now]);
			return released.length > 0;
		});
	}

	/** Counts a person's entries and keys. @param email in any case, its domain in any form */
	async countOf(email: string): Promise<Kept> {
		const [row] = await this.#database.read<Kept>(
			`SELECT (SELECT count(*) FROM lead_entries WHERE person = $1 AND state <> 'gone') AS entries,
				(SELECT count(*) FROM api_keys WHERE person = $1) AS keys`,
			[personHash(this.secret, email)],
		);
		return row!;
	}

	/** Deletes every entry and API key of a person, and every mark of theirs. @param email as for `countOf` @returns how much */
	async erase(email: string): Promise<Kept> {
		const person = personHash(this.secret, email);
		let entries = 0;
		// A statement that waited for somebody does not see what came meanwhile.
		do
			entries += await this.#database.write(async (run) => {
				const found = await run<Doomed>(`${doomed} person = $2 AND state <> 'gone' LIMIT $1 FOR UPDATE`, [BATCH, person]);
				return deleteEntries(run, found);
			});
		while ((await this.countOf(email)).entries > 0);
		const keys = await this.#database.write(async (run) => {
			// The marks of deleted entries.
			await run(`DELETE FROM lead_entries WHERE person = $1 AND state = 'gone'`, [person]);
			return deleteKeys(run, 'person = $1', person);
		});
		return { entries, keys };
	}

	[Symbol.asyncDispose](): PromiseLike<void> {
		return this.#database[Symbol.asyncDispose]();
	}

	/** @param values the limit, and those of the condition */
	async #entries(where: string, values: Value[]): Promise<StoredEntry[]> {
		const page = `SELECT * FROM lead_entries WHERE state <> 'gone' AND ${where} ORDER BY received_at DESC, id DESC LIMIT $1`;
		const rows = await this.#database.read<EntryRow & StoredDelivery>(
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

	/** @param values the most that it counts, and those of the condition */
	async #countSome(where: string, values: Value[]): Promise<number> {
		const some = `SELECT id FROM lead_entries WHERE ${where} LIMIT $1`;
		const [row] = await this.#database.read<{ count: number }>(`SELECT count(*) AS count FROM (${some}) AS counted`, values);
		return row!.count;
	}

	/** Changes a few rows at a time, until none is left: others may come meanwhile. @returns how many in all */
	async #inBatches(change: (run: Run, now: number) => Promise<unknown[]>): Promise<number> {
		let total = 0;
		for (;;) {
			const { length } = await this.#database.write(change);
			total += length;
			if (length === 0) return total;
		}
	}
}

const insertEntry = `
	INSERT INTO lead_entries
		(id, kind, received_at, state, person, source, fingerprint, payload, spam, key_slot, once, once_content, once_ends_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT (once) DO NOTHING RETURNING id`;
/** Ends a mark whose time is over. One that ends later than a new one would was made before the clock jumped back. */
const endMark = `
	UPDATE lead_entries SET once = NULL, once_ends_at = 0 WHERE once = $1 AND (once_ends_at <= $2 OR once_ends_at > $3)`;
const deleteMarks = `
	DELETE FROM lead_entries
	WHERE id IN (SELECT id FROM lead_entries WHERE state = 'gone' AND once_ends_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING id`;
const unconfirmed = `SELECT id FROM lead_entries WHERE id = $1 AND confirmed IS NULL AND state <> 'gone' FOR UPDATE`;

const leaveNotice = 'UPDATE lead_entries SET notice = NULL, told_at = NULL';
const announceSome = `
	UPDATE lead_entries SET state = 'announced', notice = $1
	WHERE id IN (SELECT id FROM lead_entries WHERE state = 'held' LIMIT $2 FOR UPDATE) RETURNING id`;
const untold = 'SELECT id FROM lead_entries WHERE notice = $1 AND told_at IS NULL LIMIT $2 FOR UPDATE';
const tellSome = `UPDATE lead_entries SET told_at = $3 WHERE id IN (${untold}) RETURNING id`;
const untellSome = `UPDATE lead_entries SET state = 'held', notice = NULL WHERE id IN (${untold}) RETURNING id`;

const enqueue = 'INSERT INTO lead_deliveries (entry_id, channel, since, due_at) VALUES ($1, $2, $3, $4)';
const lend = `
	UPDATE lead_deliveries SET lease_owner = $3, since = $4, due_at = $5 WHERE entry_id = $1 AND channel = $2 RETURNING tries`;
const endLeases = `
	UPDATE lead_deliveries SET lease_owner = NULL, since = $1, due_at = $1
	WHERE lease_owner IS NOT NULL AND lease_owner = coalesce($2, lease_owner)`;
const markSent = `
	UPDATE lead_deliveries SET state = 'sent', tries = tries + 1, sent_at = $3, since = NULL, due_at = NULL, lease_owner = NULL,
		last_error = coalesce($4, last_error)
	WHERE entry_id = $1 AND channel = $2 AND state <> 'sent' RETURNING channel`;
const markFailed = `
	UPDATE lead_deliveries SET state = $6, tries = tries + 1, since = $3, due_at = $4, lease_owner = NULL, last_error = $5
	WHERE entry_id = $1 AND channel = $2 AND lease_owner = $7 RETURNING channel`;
const channelsOf = 'SELECT channel FROM lead_deliveries WHERE entry_id = $1';
const end = `
	UPDATE lead_deliveries SET state = 'ended', since = NULL, due_at = NULL, lease_owner = NULL WHERE entry_id = $1 AND state <> 'sent'`;
const renew = `
	UPDATE lead_deliveries SET state = 'waiting', tries = 0, since = $2, due_at = $2
	WHERE entry_id = $1 AND state <> 'sent' AND lease_owner IS NULL`;

/** Sets the state of an entry from its deliveries. With a condition on their states PostgreSQL may read every waiting one there is. */
const settle = `
	UPDATE lead_entries SET state = (
		SELECT CASE max(CASE state WHEN 'parked' THEN 2 WHEN 'waiting' THEN 1 ELSE 0 END)
			WHEN 2 THEN 'parked' WHEN 1 THEN 'waiting' ELSE 'delivered' END
		FROM lead_deliveries WHERE entry_id = $1
	) WHERE id = $1`;

const countLeads = Object.entries(inState)
	.map(
		([state, condition]) => `SELECT '${state}' AS state, count(*) AS leads, min(received_at) AS oldest FROM (
			SELECT received_at FROM lead_entries WHERE ${condition} AND kind = 'lead' ORDER BY received_at LIMIT ${MOST_COUNTED}
		) AS counted`,
	)
	.join(' UNION ALL ');

/** Returns the places of values in a statement, `$2, $3`, or what equals nothing if there are none. */
const placesFrom = (first: number, values: string[]) => values.map((_, index) => `$${first + index}`).join(', ') || 'NULL';

const faulty = `state = 'faulty' AND kind = 'lead'`;
const told = `state = 'announced' AND told_at IS NOT NULL`;
/** Selects what is beyond the newest so many of an order. */
const beyond = (which: string, order: string) =>
	`id IN (SELECT id FROM lead_entries WHERE ${which} ORDER BY ${order} LIMIT $1 OFFSET $2)`;
const doomed = 'SELECT id, kind, key_slot FROM lead_entries WHERE';
type Doomed = Pick<NewEntry, 'id' | 'kind'> & { key_slot: number };

/** Leaves of an entry what its mark needs. */
const empty = `
	UPDATE lead_entries SET state = 'gone', key_slot = NULL, payload = $3, source = NULL, fingerprint = NULL, spam = NULL,
		taken = NULL, notice = NULL, told_at = NULL
	WHERE id = $1 AND key_slot = $2 RETURNING id`;

/**
 * Deletes entries that the transaction has locked, so that nobody can read them again. @returns how many there were
 *
 * @param now leaves the marks that have not ended by then. By default leaves none: what an erased person sends again is new
 */
async function deleteEntries(run: Run, entries: Doomed[], now = LATEST): Promise<number> {
	const isOver = '(once IS NULL OR once_ends_at <= $3)';
	for (const { id, key_slot } of entries) {
		let deleted = await run(`DELETE FROM lead_entries WHERE id = $1 AND key_slot = $2 AND ${isOver} RETURNING id`, [
			id,
			key_slot,
			now,
		]);
		if (deleted.length === 0) {
			deleted = await run(empty, [id, key_slot, new Uint8Array()]);
			for (const table of ['lead_deliveries', 'lead_traits']) await run(`DELETE FROM ${table} WHERE entry_id = $1`, [id]);
		}
		// Only of what these statements have deleted: the slot may be another entry's by now.
		if (deleted.length > 0) await destroyKey(run, key_slot);
	}
	return entries.length;
}

const columns = 'id, kind, received_at AS "receivedAt", entry.state AS "entryState", spam, taken, payload AS text, key';
const selectEntry = `SELECT ${columns} FROM lead_entries AS entry LEFT JOIN lead_keys ON slot = key_slot WHERE id = $1`;

interface EntryRow extends Sealed, Pick<NewEntry, 'id' | 'kind' | 'receivedAt'> {
	entryState: string;
	spam: string | null;
	taken: string | null;
}

/** Returns what a column of JSON holds, or undefined: one broken row must not keep others from being read. */
function parsed<Type>(text: string | null): Type | undefined {
	try {
		return (JSON.parse(text ?? 'null') as Type | null) ?? undefined;
	} catch {
		return undefined;
	}
}

const entryFrom = ({ id, kind, receivedAt, entryState, spam, taken, key, text }: EntryRow) => ({
	id,
	kind,
	receivedAt,
	payload: unseal({ key, text }),
	state: (entryState in inState ? entryState : 'quarantined') as EntryState,
	spam: parsed<Judgement>(spam),
	taken: parsed<Taken>(taken),
});

/** An entry to save. */
export interface NewEntry {
	/** UUID. */
	id: string;
	/** `canary`: a lead of the operator's, which counts nowhere. */
	kind: 'lead' | 'canary' | 'notice' | 'confirmation';
	receivedAt: number;
	/** The person's address, for erasure. */
	email: string | null;
	/** Where the lead comes from, without what tells leads of one campaign or page apart. */
	source: string | null;
	/** Id of the API key that it was sent with. */
	apiKey?: string | undefined;
	/** JSON. */
	payload: string;
	/** Set for an entry in quarantine, which has no channels. `held`: it could be delivered as it is after its release. */
	quarantine?: 'held' | 'faulty';
	/** Keyed hash of its message, to find leads with the same one. */
	fingerprint?: string | undefined;
	/** Undefined: nobody has judged it yet. */
	spam?: Judgement | undefined;
	channels: string[];
	/** Id of the lead that it confirms: it is a `duplicate` if that was confirmed before, or is gone. */
	confirms?: string;
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
}

/** The result of saving an entry. `duplicate`: it was saved before. `conflict`: another one was saved under its mark. */
export type Insertion = 'inserted' | 'duplicate' | 'conflict';

/** The state of a whole entry: `delivered` when every channel has it, `parked` when a delivery is parked, else `waiting`. */
export type EntryState = 'waiting' | 'delivered' | 'parked' | 'quarantined';

/** An entry as the operator sees it. */
export interface StoredEntry extends Pick<NewEntry, 'id' | 'kind' | 'receivedAt' | 'payload' | 'spam'> {
	state: EntryState;
	taken: Taken | undefined;
	deliveries: StoredDelivery[];
}

/** Returns the channels that get an entry. */
type GoesTo = (entry: Pick<NewEntry, 'kind' | 'payload'>) => string[];

/** Who of the sales team answers a lead, and since when. */
export interface Taken {
	by: string;
	at: number;
}

/** A delivery as the operator sees it. */
export interface StoredDelivery {
	channel: string;
	/** `ended`: its channel was not configured when the operator retried the entry. */
	state: 'waiting' | 'sent' | 'parked' | 'ended';
	tries: number;
	dueAt: number | null;
	sentAt: number | null;
	/** Why the last failed try failed, even if a later one worked, or the note of the one that worked. */
	lastError: string | null;
}

/** A delivery that a process, the owner, has claimed: the entry's id and the channel. */
export type Lease = Record<'id' | 'channel' | 'owner', string>;

/** The deliveries to claim: so many at most, and for how long no other process may claim them. */
export type Claim = Omit<Lease, 'id'> & Record<'limit' | 'lease', number>;

/** A claimed delivery, with the number of earlier tries. */
export type ClaimedDelivery = Pick<NewEntry, 'id' | 'kind' | 'payload' | 'spam'> & { channel: string; tries: number };

/** The result of one try. */
export type DeliveryResult =
	/** The note is for the operator. `ends`: the key of a `Once` that is forgotten with it. */
	| { state: 'sent'; note?: string | undefined; ends?: string | undefined }
	/** Due again after `wait`. */
	| { state: 'waiting'; wait: number; reason: string }
	/** Not due until the operator retries it. */
	| { state: 'parked'; reason: string };

/** How many leads are in each state, and when the oldest waiting one was received: null if none waits. */
export type Counts = Record<EntryState, number> & { oldestWaiting: number | null };

/** How many entries and API keys are kept of a person. */
export type Kept = Record<'entries' | 'keys', number>;

/** Selects the entries to list. */
export interface Page {
	state?: EntryState | undefined;
	/** The keyed hash of the exact source. */
	source?: string | undefined;
	/** Only leads of which the operator has said whether they are spam. */
	trained?: boolean | undefined;
	/** Only older entries. */
	before?: Pick<StoredEntry, 'id' | 'receivedAt'> | undefined;
	limit: number;
}
