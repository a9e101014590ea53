import type { KeyObject } from 'node:crypto';
import type { Context, Judgement } from '../lead/judgement.ts';
import { HOUR_MS } from '../lead/values.ts';
import type { Database, Run, Work } from './database.ts';
import { BATCH, countSome, enqueue, entriesWhere, inState, insertIn, insertRow, parsed, placesFrom } from './entry.ts';
import type { NewEntry, StoredEntry } from './entry.ts';

/** The most confirmations to all visitors together, of the leads that came within an hour: a few more if several are saved at the same moment. */
export const MOST_CONFIRMATIONS = 100;

/** The judgement of a lead that counts, and how many confirmations there are, if this has saved one. */
export type Decision = { spam?: Judgement; confirmations?: number };

export const quarantineIn = ({ read, write }: Database, secret: KeyObject) => ({
	/**
	 * Stores a judgement of a lead, if it is the first. A held lead goes into quarantine, and loses its deliveries: one that a channel
	 * has already is only marked. Settles once whether the lead is confirmed: a clear one is, one that nobody judges, and one that was released within an hour.
	 * @param judgement undefined: nobody judges it
	 * @param confirming the first whose mark is free is saved, up to {@link MOST_CONFIRMATIONS}. Undefined: leads are not confirmed
	 * @returns undefined if the lead is gone
	 */
	judge(id: string, judgement: Judgement | undefined, confirming?: NewEntry[]): Promise<Decision | undefined> {
		return write(async (run, now) => {
			const [lead] = await run<{ spam: string | null; confirmed: number | null }>(locked, [id]);
			if (!lead) return undefined;
			let spam = parsed<Judgement>(lead.spam);
			if (lead.spam === null && judgement) {
				// It was sent if judging had failed, or was switched on since.
				const isSent = judgement.verdict === 'held' && (await run(sentDelivery, [id])).length > 0;
				spam = isSent ? { ...judgement, verdict: 'marked' } : judgement;
				const state = spam.verdict === 'held' ? `, state = 'held'` : '';
				await run(`UPDATE lead_entries SET spam = $2${state} WHERE id = $1`, [id, JSON.stringify(spam)]);
				if (state) await run('DELETE FROM lead_deliveries WHERE entry_id = $1', [id]);
			}
			if (!confirming || lead.confirmed !== null || (spam && spam.verdict !== 'clear')) return { spam };
			await run('UPDATE lead_entries SET confirmed = 1 WHERE id = $1', [id]);
			return { spam, confirmations: await confirm(run, now, confirming, secret) };
		});
	},

	/**
	 * Stores the operator's verdict on a lead, and its traits. A verdict from before is replaced. A purge of the lead keeps them for a time, `erase` does not.
	 * @param channels to release it to, if it is in quarantine. By default it stays there
	 * @returns whether it was released
	 */
	train(id: string, judgement: Judgement, traits: string[], channels: string[] = []): Promise<boolean> {
		const { verdict } = judgement;
		return write(async (run, now) => {
			const spam = `UPDATE lead_entries SET spam = $2 WHERE id = $1 AND state <> 'gone' RETURNING id`;
			const known = await run(spam, [id, JSON.stringify(judgement)]);
			// No notice tells of spam.
			if (verdict === 'spam') await run(leave('faulty'), [id]);
			const isReleased = channels.length > 0 && (await run(leave('waiting'), [id])).length > 0;
			for (const channel of isReleased ? channels : []) await run(enqueue, [id, channel, now, now]);
			await run('DELETE FROM lead_traits WHERE entry_id = $1', [id]);
			for (const trait of known.length > 0 ? new Set(traits) : [])
				await insertRow(run, 'lead_traits', { entry_id: id, trait, verdict, learnt_at: now });
			return isReleased;
		});
	},

	/** Returns the operator's last verdict on a lead with one of these traits; undefined if there is none. */
	async recall(traits: string[]): Promise<Context['trained']> {
		const last = `SELECT verdict FROM ${learnt} WHERE trait IN (${placesFrom(1, traits)}) ORDER BY learnt_at DESC LIMIT 1`;
		return (await read<{ verdict: Context['trained'] }>(last, traits))[0]?.verdict;
	},

	/** Counts the possible leads that nobody was notified of, and no notice on its way covers, up to the limit. */
	countUnnotified: (limit: number): Promise<number> => countSome(read, unnotified, [limit]),

	/** Makes a notice cover every such lead. */
	announce: (notice: string): Promise<void> => inBatches(write, (run) => run(announceSome, [notice, BATCH])),

	/** Returns up to `limit` possible leads that a notice covers and that are still in quarantine, the newest first. */
	announcedBy: (notice: string, limit: number): Promise<StoredEntry[]> => entriesWhere(read, 'notice = $2', [limit, notice]),

	/** Stores that a notice has reached a channel, so that the sales team knows of the leads it covers. */
	markNotified: (notice: string): Promise<void> => inBatches(write, (run, now) => run(notifySome, [notice, BATCH, now])),
});

/** Saves a confirmation. @returns how many there are then; undefined if none was saved */
async function confirm(run: Run, now: number, entries: NewEntry[], secret: KeyObject) {
	const before = await countSome(run, recentConfirmations, [MOST_CONFIRMATIONS, now - HOUR_MS]);
	for (const entry of before < MOST_CONFIRMATIONS ? entries : []) {
		const { outcome } = await insertIn(run, now, entry, secret);
		// Otherwise another mailbox has this mark.
		if (outcome !== 'conflict') return outcome === 'inserted' ? before + 1 : undefined;
	}
	return undefined;
}

/** Changes a few rows at a time, until none is left: others may come meanwhile. */
async function inBatches(write: Database['write'], change: Work<unknown[]>): Promise<void> {
	while ((await write(change)).length > 0);
}

/** Traits of leads that are there, and of those that are deleted since. */
const learnt = `(SELECT trait, verdict, learnt_at FROM lead_traits UNION ALL SELECT trait, verdict, learnt_at FROM lead_lessons) AS learnt`;
/** Also those that were purged since. */
const recentConfirmations = `
	lead_entries WHERE state IN ('waiting', 'delivered', 'parked', 'gone') AND kind = 'confirmation' AND received_at > $2`;
const sentDelivery = `SELECT channel FROM lead_deliveries WHERE entry_id = $1 AND state = 'sent' LIMIT 1`;
/** Locks it too, since a try may end just now. */
const locked = `SELECT spam, confirmed FROM lead_entries WHERE id = $1 AND state <> 'gone' FOR UPDATE`;
/** Takes an entry in quarantine out of what a notice covers. */
const leave = (state: string) =>
	`UPDATE lead_entries SET notice = NULL, told_at = NULL, state = '${state}' WHERE id = $1 AND ${inState.quarantined} RETURNING id`;
/** Selects possible leads that no notice covers, or one that was sent without them or is gone. A parked one counts until it is deleted, after a day: else a new one would follow each half hour. */
const unnotified = `lead_entries WHERE (state = 'held' OR notice IS NOT NULL AND told_at IS NULL
	AND NOT EXISTS (SELECT 1 FROM lead_deliveries AS way WHERE way.entry_id = notice AND way.state <> 'sent'))`;
const announceSome = `
	UPDATE lead_entries SET state = 'announced', notice = $1
	WHERE id IN (SELECT id FROM ${unnotified} AND notice IS DISTINCT FROM $1 LIMIT $2 FOR UPDATE) RETURNING id`;
const notifySome = `
	UPDATE lead_entries SET told_at = $3
	WHERE id IN (SELECT id FROM lead_entries WHERE notice = $1 AND told_at IS NULL LIMIT $2 FOR UPDATE) RETURNING id`;
