import type { KeyObject } from 'node:crypto';
import type { Database } from './database.ts';
import { type Assignment, insertIn, MOST_COUNTED, type NewEntry, parsed, placesFrom, type StoredEntry } from './entry.ts';

/** When a lead came, and who answers it. */
export type TakenLead = Pick<StoredEntry, 'receivedAt'> & { assigned: Assignment };

export const assignmentsIn = ({ read, write }: Database, secret: KeyObject) => ({
	/**
	 * Notes who answers a lead.
	 * @param by undefined: nobody does any more
	 * @param from who answered it until now, by default nobody
	 * @returns false if nothing changed: somebody else answers it, or it is no lead any more
	 */
	async assign(id: string, by: string | undefined, from?: Assignment): Promise<boolean> {
		const change = `
			UPDATE lead_entries SET taken = $2
			WHERE id = $1 AND kind = 'lead' AND state <> 'gone' AND taken IS NOT DISTINCT FROM $3 RETURNING id`;
		const first = from && (from.first ?? from.at);
		const taken = (at: number) => (by === undefined ? null : JSON.stringify({ by, at, first } satisfies Assignment));
		const changed = await write((run, now) => run(change, [id, taken(now), from ? JSON.stringify(from) : null]));
		return changed.length > 0;
	},

	/** Returns the leads after a time that somebody of the sales team answers, the newest first, at most a thousand. */
	async takenLeads(since: number): Promise<TakenLead[]> {
		const taken = `SELECT received_at AS "receivedAt", taken FROM lead_entries WHERE received_at > $1 AND taken IS NOT NULL`;
		const rows = await read<{ receivedAt: number; taken: string }>(`${taken} ORDER BY received_at DESC LIMIT 1000`, [since]);
		return rows.flatMap((row) => {
			const assigned = parsed<Assignment>(row.taken);
			return assigned ? { receivedAt: row.receivedAt, assigned } : [];
		});
	},

	/**
	 * Saves a notice of leads that nobody of the sales team answers, and counts that they were in one, all or nothing. A lead is in three at most.
	 * @param which the leads from the `oldest` to the `youngest` age; so many in one, the oldest first
	 * @param noticeOf returns the notice of these ids, and of how many `more` there are
	 * @returns false if there is no such lead, or another notice has the mark
	 */
	remind(
		{ oldest, youngest, limit }: Record<'oldest' | 'youngest' | 'limit', number>,
		noticeOf: (ids: string[], more: number) => NewEntry,
	): Promise<boolean> {
		return write(async (run, now) => {
			const due = await run<{ id: string }>(unanswered, [now - oldest, now - youngest, MOST_COUNTED]);
			const ids = due.slice(0, limit).map(({ id }) => id);
			if (ids.length === 0) return false;
			const { outcome } = await insertIn(run, now, noticeOf(ids, due.length - ids.length), secret);
			if (outcome !== 'inserted') return false;
			await run(`UPDATE lead_entries SET reminded = reminded + 1 WHERE id IN (${placesFrom(1, ids)})`, ids);
			return true;
		});
	},
});

/** An index has the first line. Any other condition on the state would keep SQLite from it. */
const unanswered = `
	SELECT id FROM lead_entries WHERE kind = 'lead' AND taken IS NULL AND reminded < 3
		AND state NOT IN ('held', 'announced', 'faulty', 'gone') AND received_at BETWEEN $1 AND $2
		AND coalesce(spam, '') NOT LIKE '%"verdict":"spam"%'
	ORDER BY received_at, id LIMIT $3`;
