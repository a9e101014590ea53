import type { KeyObject } from 'node:crypto';
import { DAY_MS } from '../lead/values.ts';
import { CLOCK_ERROR_MS, type Database, type Run } from './database.ts';
import { BATCH, FOREVER, personHash } from './entry.ts';
import { deleteApiKeys } from './key-store.ts';
import { ofKinds } from './kinds.ts';
import { deleteCounts, NOW } from './request-counts.ts';
import { destroyKey } from './seal.ts';

/** How many entries and API keys are kept of a person, and how many keyed hashes of what is deleted. */
export type Holdings = Record<'entries' | 'keys' | 'fingerprints', number>;

/** How long one process has some work to itself: longer than the work, and shorter than the pause between two. */
const TURNS_MS = { upkeep: 50 * 60_000, bounces: 4 * 60_000 };

/** How long traits of a deleted lead are remembered, since somebody judged it. */
const LESSON_MS = 400 * DAY_MS;

export const purgeIn = ({ read, write, atOnce }: Database, secret: KeyObject) => ({
	/** Returns whether it is this process's turn to do some work: one does it of those that share PostgreSQL, each does with a file. */
	async takeTurn(work: keyof typeof TURNS_MS): Promise<boolean> {
		return atOnce === undefined || (await atOnce(turnAt(`${work}_at`), [TURNS_MS[work], CLOCK_ERROR_MS])).length > 0;
	},

	/**
	 * Deletes what is over, in one step of limited size. Never deletes a waiting or parked lead, or a possible one that nobody was notified of.
	 * @param limits `age`: of an entry, also of a possible lead, and of a key since its end. `decisionTime`: how long a possible lead stays after its notice, if there are not more than `cap`.
	 * `cap`: the most in quarantine of which people were notified, and the most that are no leads or were called spam, and the most traits of deleted leads.
	 * `batch`: the most entries that end for one of these reasons, and the most marks. Keys and traits are few, and counts have a batch of their own.
	 * @returns how many were over their age, and above the cap. `done`: nothing is left
	 */
	purge({ age, decisionTime, cap, batch }: Record<'age' | 'decisionTime' | 'cap' | 'batch', number>) {
		return write(async (run, now) => {
			let areLeft = false;
			/** Locks what it deletes, and skips what somebody else is at work on. */
			const deleteSome = async (which: string, ...values: number[]) => {
				const found = await run<Doomed>(`${doomed} ${which} FOR UPDATE SKIP LOCKED`, [batch, ...values]);
				areLeft ||= found.length >= batch;
				return deleteEntries(run, found, now);
			};
			const old = now - age;
			let aged = await deleteApiKeys(run, 'ends_at <= $1', old);
			aged += await deleteSome(outdated, old, now - decisionTime);
			aged += await deleteSome(expired, now);
			const excess = await deleteSome(excessive, cap);
			const marks = await run(deleteMarks, [now, batch]);
			await run(deleteLessons, [now - LESSON_MS, cap]);
			const areCountsLeft = atOnce && (await deleteCounts(run, now));
			const done = !areCountsLeft && !areLeft && marks.length < batch;
			return { aged, excess, done };
		});
	},

	/** Counts what is kept of a person. @param email in any case, its domain in any form */
	countOf: (email: string): Promise<Holdings> => countOf(read, personHash(secret, email)),
	/** Deletes every entry and API key of a person, and every mark of theirs. @param email as for `countOf` @returns how much */
	async erase(email: string): Promise<Holdings> {
		const person = personHash(secret, email);
		const eraseSome = () => write(async (run) => deleteEntries(run, await run<Doomed>(ofPerson, [BATCH, person])));
		let entries = await eraseSome();
		// A statement that waited for somebody does not see what came meanwhile.
		while ((await countOf(read, person)).entries > 0) entries += await eraseSome();
		return write(async (run) => {
			// The marks and traits of deleted entries.
			const traits = await run('DELETE FROM lead_lessons WHERE person = $1 RETURNING trait', [person]);
			const marks = await run(`DELETE FROM lead_entries WHERE person = $1 AND state = 'gone' RETURNING id`, [person]);
			return { entries, keys: await deleteApiKeys(run, 'person = $1', person), fingerprints: traits.length + marks.length };
		});
	},
});

async function countOf(read: Run, person: string): Promise<Holdings> {
	const [row] = await read<Holdings>(
		`SELECT (SELECT count(*) FROM lead_entries WHERE person = $1 AND state <> 'gone') AS entries,
			(SELECT count(*) FROM api_keys WHERE person = $1) AS keys, (SELECT count(*) FROM lead_lessons WHERE person = $1)
			+ (SELECT count(*) FROM lead_entries WHERE person = $1 AND state = 'gone') AS fingerprints`,
		[person],
	);
	return row!;
}

/** By the clock of the database. A turn that began further ahead did so before the clock was set back. */
const turnAt = (column: string) => `
	UPDATE lead_store SET ${column} = ${NOW}
	WHERE ${column} <= ${NOW} - $1::bigint OR ${column} > ${NOW} + $2::bigint RETURNING ${column}`;
const deleteMarks = `
	DELETE FROM lead_entries
	WHERE id IN (SELECT id FROM lead_entries WHERE state = 'gone' AND once_ends_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING id`;
/** At once, since people judge a few at a time. */
const deleteLessons = `
	DELETE FROM lead_lessons WHERE learnt_at <= $1
	OR learnt_at <= (SELECT learnt_at FROM lead_lessons ORDER BY learnt_at DESC LIMIT 1 OFFSET $2)`;
/** Keeps what was said of an entry, unless something was said later of another with the trait, of the same person. */
const keepLessons = `
	INSERT INTO lead_lessons (trait, person, verdict, learnt_at)
	SELECT trait, coalesce(person, ''), verdict, learnt_at FROM lead_traits JOIN lead_entries ON id = entry_id WHERE id = $1
	ON CONFLICT (trait, person) DO UPDATE SET verdict = excluded.verdict, learnt_at = excluded.learnt_at
	WHERE excluded.learnt_at > lead_lessons.learnt_at`;

const notified = `state = 'announced' AND told_at IS NOT NULL`;
/** Selects up to `$1` entries whose retention is over. Names all kinds, so that SQLite finds them by an index. */
const outdated = `
	(state IN ('delivered', 'faulty') AND ${ofKinds(() => true)} AND received_at <= $2
	OR ${notified} AND told_at <= $3 AND received_at <= $2) LIMIT $1`;
/** Selects up to `$1` entries that have expired, in whatever state. The version before the column saves no end: a day. */
const expired = `kind <> 'lead' AND state <> 'gone' AND coalesce(ends_at, received_at + ${DAY_MS}) <= $2 LIMIT $1`;
const faulty = `state = 'faulty' AND kind = 'lead'`;
/** Selects what is beyond the newest `$2` of an order, at most `$1`. */
const beyond = (which: string, order: string) =>
	`id IN (SELECT id FROM lead_entries WHERE ${which} ORDER BY ${order} LIMIT $1 OFFSET $2)`;
/** Selects entries in quarantine that are too many: of those that are no leads or were called spam, and of those that somebody was notified of. */
const excessive = `
	(${faulty} AND ${beyond(faulty, 'received_at DESC')}
	OR ${notified} AND ${beyond('told_at IS NOT NULL', 'told_at DESC, received_at DESC')})`;
const doomed = 'SELECT id, key_slot FROM lead_entries WHERE';
const ofPerson = `${doomed} person = $2 AND state <> 'gone' LIMIT $1 FOR UPDATE`;
type Doomed = { id: string; key_slot: number };

/** Selects a notice that reached nobody, and that no operator has ended: whoever has the same news has to tell it. */
const unheard = `
	kind = 'notice' AND NOT EXISTS (SELECT 1 FROM lead_deliveries WHERE entry_id = id AND state IN ('sent', 'ended'))`;
/** Leaves of an entry what its mark needs. */
const empty = `
	UPDATE lead_entries SET state = 'gone', key_slot = NULL, payload = $3, source = NULL, fingerprint = NULL, spam = NULL,
		taken = NULL, notice = NULL, told_at = NULL
	WHERE id = $1 AND key_slot = $2 RETURNING id`;

/**
 * Deletes entries that the transaction has locked, so that nobody can read them again. @returns how many there were
 * @param now then marks stay that last longer, except those of notices that reached nobody, and so do traits. Without it nothing stays: what an erased person sends again is new
 */
async function deleteEntries(run: Run, entries: Doomed[], now = FOREVER): Promise<number> {
	const isUnmarked = `once IS NULL OR once_ends_at <= $3 OR ${unheard}`;
	const remove = `DELETE FROM lead_entries WHERE id = $1 AND key_slot = $2 AND (${isUnmarked}) RETURNING id`;
	for (const { id, key_slot } of entries) {
		if (now !== FOREVER) await run(keepLessons, [id]);
		let deleted = await run(remove, [id, key_slot, now]);
		if (deleted.length === 0) {
			deleted = await run(empty, [id, key_slot, new Uint8Array()]);
			for (const table of ['lead_deliveries', 'lead_traits']) await run(`DELETE FROM ${table} WHERE entry_id = $1`, [id]);
		}
		// Only of what these statements have deleted: the slot may be another entry's by now.
		if (deleted.length > 0) await destroyKey(run, key_slot);
	}
	return entries.length;
}
