import { CLOCK_ERROR_MS, type Database, type Run, type Value } from './database.ts';
import { BATCH, endMark, enqueue, entryOf, FOREVER, MOST_COUNTED, placesFrom } from './entry.ts';
import type { StoredDelivery, StoredEntry } from './entry.ts';
import { kinds, ofKinds } from './kinds.ts';

/** A delivery that a process, the owner, has claimed: the entry's id and the channel. */
export type Lease = Record<'id' | 'channel' | 'owner', string>;

/** The deliveries to claim: so many at most, and for how long no other process may claim them. */
export type Claim = Omit<Lease, 'id'> & Record<'limit' | 'lease', number>;

/** A claimed delivery: the channel, and the number of earlier tries, with the entry. */
export type ClaimedDelivery = Awaited<ReturnType<typeof entryOf>> & Pick<StoredDelivery, 'channel' | 'tries'>;

export type DeliveryResult =
	/** The channel has it, or there is nothing to send any more: then the note, for the operator, says so. `ends`: the key of a `Once` that is forgotten with it. */
	| { state: 'sent'; note?: string; ends?: string }
	/** Due again after `wait`. */
	| { state: 'waiting'; wait: number; reason: string }
	/** Not due until somebody retries it. */
	| { state: 'parked'; reason: string };

/** Returns the channels that get an entry. */
type GoesTo = (entry: Pick<StoredEntry, 'kind' | 'payload'>) => string[];

export const deliveriesIn = ({ read, write }: Database) => ({
	/**
	 * Claims due deliveries, the longest due first. Two processes never get the same before its lease has ended.
	 * @returns them, and in how many milliseconds the next delivery of the channel is due or its lease ends; undefined if none waits
	 */
	claim({ channel, owner, limit, lease }: Claim): Promise<{ claimed: ClaimedDelivery[]; untilDue: number | undefined }> {
		const which = `FROM lead_deliveries WHERE state = 'waiting' AND channel = $1`;
		return write(async (run, now) => {
			const select = (when: string, time: number, most: number) =>
				run<{ id: string }>(`SELECT entry_id AS id ${which} AND ${when} LIMIT $3 FOR UPDATE SKIP LOCKED`, [channel, time, most]);
			const due = await select('due_at <= $2 ORDER BY due_at', now, limit);
			// None, unless the clock has jumped back.
			const early = await select('since > $2', now + CLOCK_ERROR_MS, limit - due.length);
			const claimed: ClaimedDelivery[] = [];
			for (const { id } of [...due, ...early]) {
				const [delivery] = await run<{ tries: number }>(lend, [id, channel, owner, now, now + lease]);
				claimed.push({ ...(await entryOf(run, id)), channel, tries: delivery!.tries });
			}
			const [next] = await run<{ due_at: number }>(`SELECT due_at ${which} ORDER BY due_at LIMIT 1`, [channel]);
			return { claimed, untilDue: next && next.due_at - now };
		});
	},

	/**
	 * Stores the result of a claimed delivery. `sent` always counts, and only `markReturned` changes it later. Any other result counts
	 * while the lease is still this owner's, even past its end. @returns false if nothing changed
	 */
	recordResult({ id, channel, owner }: Lease, result: DeliveryResult): Promise<boolean> {
		const { state } = result;
		return write(async (run, now) => {
			const dueAt = state === 'waiting' ? now + result.wait : null;
			const changed =
				state === 'sent'
					? await change(run, markSent, id, channel, now, result.note ?? null)
					: await change(run, markFailed, id, channel, now, dueAt, result.reason, state, owner);
			if (state === 'sent' && result.ends) await run(endMark, [result.ends, FOREVER, FOREVER]);
			return changed.length > 0;
		});
	},

	/** Parks a delivery that counts as sent, because its mail came back. `retry` sends it again. @returns false if it does not count as sent */
	markReturned: (id: string, channel: string, reason: string): Promise<boolean> =>
		write(async (run, now) => (await change(run, markReturned, id, channel, now, reason)).length > 0),

	/** Ends every lease of an owner, and makes its deliveries due at once. Without an owner, ends all leases. */
	async endLeases(owner: string | null = null): Promise<void> {
		await write((run, now) => run(endLeases, [now, owner]));
	},

	/** Returns the channels of waiting or parked deliveries that may move to others, by name. Reads a row for each, however many leads wait. */
	pendingChannels: () => pendingIn(read),

	/** Counts the parked deliveries of a channel, up to {@link MOST_COUNTED}. @returns `since`: when the first of those was parked; 0 if there is none */
	async countParked(channel: string): Promise<{ parked: number; since: number }> {
		const some = `SELECT since FROM lead_deliveries WHERE state = 'parked' AND channel = $1 LIMIT $2`;
		const count = `SELECT count(*) AS parked, coalesce(min(since), 0) AS since FROM (${some}) AS counted`;
		return (await read<{ parked: number; since: number }>(count, [channel, MOST_COUNTED]))[0]!;
	},

	/**
	 * Makes what is waiting or parked of one entry due now, or of all that are stuck: a delivery is parked, or its channel is gone. Tries
	 * start again at zero. Leaves what is being tried at this moment.
	 * - New: a lead gets a delivery for each of its channels. A notice gets them too, if nothing else of it would be left.
	 * - Ended: what is parked for other channels, what waits for one of these that no longer gets it and, of all that are stuck, for one that is gone.
	 * - Of a lead that is named by its id, what had ended is due again.
	 * @param goesTo says which of the channels get an entry
	 * @returns `due`: how many deliveries. `left`: other channels, which another process may have. All that waits there is due now
	 */
	async retry(which: { id: string } | 'stuck', channels: string[], goesTo: GoesTo = () => channels) {
		const left: string[] = [];
		if (which !== 'stuck') return { due: await retryOne(write, which.id, true, goesTo, channels), left };
		const gone: string[] = [];
		for (const channel of (await pendingIn(read)).filter((name) => !channels.includes(name)))
			((await write((run, now) => wake(run, now, channel))) ? left : gone).push(channel);
		// Selects once: what is parked again meanwhile must not be retried for ever.
		const stuck = await read<{ id: string }>(stuckIn(gone), gone);
		let due = 0;
		while (stuck.length > 0) {
			const some = stuck.splice(-BATCH);
			const counts = await Promise.all(some.map(({ id }) => retryOne(write, id, false, goesTo, [...channels, ...gone])));
			for (const count of counts) due += count;
		}
		return { due, left };
	},

	/**
	 * Makes due now what waits for its next try (`retry --waiting`). Unlike `retry` it moves nothing to other channels. Tries start again at
	 * zero. Leaves what is being tried at this moment. @returns as `retry`: what waits for other channels is due as well
	 */
	async hurry(channels: string[]) {
		const due = (await write((run, now) => run(`${hurry} RETURNING channel`, [now]))).length;
		return { due, left: (await pendingIn(read, ['waiting'])).filter((name) => !channels.includes(name)) };
	},

	/** Ends the parked deliveries of an entry, which counts as delivered unless another one waits. @returns their channels */
	dismiss: (id: string): Promise<string[]> => write((run, now) => change(run, `${end} AND state = 'parked'`, id, now)),
});

/** Changes deliveries of an entry, `$1`, and its own state with them, while nobody else does. @returns the channels of those that changed */
async function change(run: Run, statement: string, id: string, ...values: Value[]): Promise<string[]> {
	await run('SELECT id FROM lead_entries WHERE id = $1 FOR UPDATE', [id]);
	const changed = await run<Lease>(`${statement} RETURNING channel`, [id, ...values]);
	if (changed.length > 0) await run(settle, [id]);
	return changed.map(({ channel }) => channel);
}

const movable = ofKinds(({ keepsChannels }) => !keepsChannels);
/** A later version, which runs beside this one, may save others. */
const ofKnownKind = ofKinds(() => true);

async function pendingIn(read: Run, states = ['waiting', 'parked']): Promise<string[]> {
	const found = new Set<string>();
	for (const state of states) {
		const next = `SELECT channel FROM ${deliveriesOf(state)} AND ${movable} AND channel > $1 ORDER BY channel LIMIT 1`;
		const after = async (last: string) => (await read<Lease>(next, [last]))[0]?.channel;
		for (let channel = await after(''); channel; channel = await after(channel)) found.add(channel);
	}
	return [...found].toSorted();
}

/** Each process looks every 15 seconds, so nobody has a channel where something is overdue for so long. */
const GONE_MS = 60_000;

/** Makes all that waits for a channel due, so that the next call can tell. @returns whether a process has the channel: one tries there now, or what waits was due just now */
async function wake(run: Run, now: number, channel: string): Promise<boolean> {
	const [waiting] = await run<{ due: number; leased: number }>(whenDue, [channel]);
	await run(`${hurry} AND channel = $2`, [now, channel]);
	return waiting!.due > now - GONE_MS || waiting!.leased > now;
}

const deliveriesOf = (state: string) =>
	`lead_deliveries AS delivery JOIN lead_entries ON id = entry_id WHERE delivery.state = '${state}'`;
/** Selects the entries that nothing tries by itself, of kinds that may move to other channels. */
const stuckIn = (gone: string[]) => `
	SELECT id FROM ${deliveriesOf('parked')} AND ${movable}
	UNION SELECT id FROM ${deliveriesOf('waiting')} AND ${movable} AND channel IN (${placesFrom(1, gone)})`;

const unfinished = `state IN ('waiting', 'parked')`;
/** The condition for an entry of which a delivery was dismissed, or moved to another channel. */
const hasEnded = `state = 'delivered' AND EXISTS (SELECT 1 FROM lead_deliveries WHERE entry_id = id AND state = 'ended')`;

/**
 * Makes one entry due on the channels that it goes to now, and ends what is parked for others, or waits for one of the `known`.
 * @param isNamed whether the operator wants this very entry, also if it was dismissed @param known those of the settings, and those that are gone: others may be another process's
 */
function retryOne(write: Database['write'], id: string, isNamed: boolean, goesTo: GoesTo, known: string[]): Promise<number> {
	const which = isNamed ? `(${unfinished} OR ${hasEnded})` : unfinished;
	const select = `SELECT kind, state FROM lead_entries WHERE id = $1 AND ${ofKnownKind} AND ${which} FOR UPDATE`;
	return write(async (run, now) => {
		const [entry] = await run<Pick<StoredEntry, 'kind' | 'state'>>(select, [id]);
		if (!entry) return 0;
		const states = new Map((await run<StoredDelivery>(statesOf, [id])).map(({ channel, state }) => [channel, state]));
		const wanted = kinds[entry.kind].keepsChannels ? [...states.keys()] : goesTo(await entryOf(run, id));
		// Without any it would count as delivered.
		if (wanted.length === 0) return 0;
		const isLead = entry.kind === 'lead';
		const stays = [...states].some(([channel, state]) => state === 'sent' || (wanted.includes(channel) && state !== 'ended'));
		const isLost = entry.state !== 'delivered' && !stays;
		const added = isLead || isLost ? wanted.filter((channel) => !states.has(channel)) : [];
		const due = wanted.filter((channel) => states.get(channel) !== 'ended' || isLost || (isLead && isNamed));
		const others = [...states.keys()].filter((channel) => !wanted.includes(channel));
		const over = others.filter((channel) => states.get(channel) === 'parked' || known.includes(channel));
		for (const channel of added) await run(enqueue, [id, channel, now, now]);
		await run(`${end} AND channel IN (${placesFrom(3, over)})`, [id, now, ...over]);
		const renewed = await run(`${renew} AND channel IN (${placesFrom(3, due)}) RETURNING channel`, [id, now, ...due]);
		await run(settle, [id]);
		return renewed.length;
	});
}

const lend = `
	UPDATE lead_deliveries SET lease_owner = $3, since = $4, due_at = $5 WHERE entry_id = $1 AND channel = $2 RETURNING tries`;
const endLeases = `
	UPDATE lead_deliveries SET lease_owner = NULL, since = $1, due_at = $1
	WHERE lease_owner IS NOT NULL AND lease_owner = coalesce($2, lease_owner)`;
/** Returns the statement that changes those deliveries of an entry that a condition selects, and ends their leases. */
const set = (what: string, which: string) =>
	`UPDATE lead_deliveries SET ${what}, lease_owner = NULL WHERE entry_id = $1 AND ${which}`;
const markSent = set(
	`state = 'sent', tries = tries + 1, since = NULL, due_at = NULL, sent_at = $3, last_error = coalesce($4, last_error)`,
	`channel = $2 AND state <> 'sent'`,
);
const markFailed = set(
	'state = $6, tries = tries + 1, since = $3, due_at = $4, last_error = $5',
	'channel = $2 AND lease_owner = $7',
);
const markReturned = set(`state = 'parked', since = $3, sent_at = NULL, last_error = $4`, `channel = $2 AND state = 'sent'`);
const end = set(`state = 'ended', since = NULL, due_at = NULL`, `state <> 'sent' AND (lease_owner IS NULL OR due_at <= $2)`);
const renew = set(`state = 'waiting', tries = 0, since = $2, due_at = $2`, `state <> 'sent' AND lease_owner IS NULL`);
const statesOf = 'SELECT channel, state FROM lead_deliveries WHERE entry_id = $1';
const whenDue = `
	SELECT min(due_at) AS due, max(CASE WHEN lease_owner IS NOT NULL THEN due_at END) AS leased
	FROM lead_deliveries WHERE state = 'waiting' AND channel = $1`;
/** Leaves what was never tried: a notice waits until `announce` is done. */
const hurry = `
	UPDATE lead_deliveries SET tries = 0, since = $1, due_at = $1
	WHERE state = 'waiting' AND tries > 0 AND lease_owner IS NULL AND due_at > $1`;

/** Sets the state of an entry from its deliveries. With a condition on their states PostgreSQL may read every waiting one there is. */
const settle = `
	UPDATE lead_entries SET state = (
		SELECT CASE max(CASE state WHEN 'parked' THEN 2 WHEN 'waiting' THEN 1 ELSE 0 END)
			WHEN 2 THEN 'parked' WHEN 1 THEN 'waiting' ELSE 'delivered' END
		FROM lead_deliveries WHERE entry_id = $1
	) WHERE id = $1`;
