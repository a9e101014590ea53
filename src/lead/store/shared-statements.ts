import type { PurgeLimits } from './store.ts';

const faulty = `state = 'quarantined' AND NOT releasable`;

/** Selects possible leads that no notice covers, in both databases. */
export const untold = `state = 'quarantined' AND releasable AND notice IS NULL`;

/** In milliseconds. A confirmation is sent within an hour or never: one that still waits is for a channel that is turned off. */
const DAY = 86_400_000;

/**
 * Returns the statements of both databases that delete old entries, and in quarantine those beyond the cap. Each selection uses an
 * index, and selects a batch at most.
 *
 * @param now the clock of the database, as SQL
 * @param by makes a selection use an index, as SQL: SQLite's planner, which has no statistics, would read the whole quarantine
 */
export function purgeEntries(now: string, { age, decisionTime, cap, batch }: PurgeLimits, by: (index: string) => string) {
	const entries = (index: string, where: string) => `lead_entries ${by(index)} WHERE ${where}`;
	const old = `received_at <= ${now} - ${age}`;
	const unconfirmed = `kind = 'confirmation' AND received_at <= ${now} - ${Math.max(age, DAY)}`;
	const told = entries('lead_entries_told', `state = 'quarantined' AND told_at IS NOT NULL`);
	const others = entries('lead_entries_faulty', faulty);
	const aged = [
		entries('lead_entries_state', `state = 'delivered' AND ${old}`),
		entries('lead_entries_state', `state = 'waiting' AND ${unconfirmed}`),
		`${told} AND told_at <= ${now} - ${decisionTime} AND ${old}`,
		`${others} AND ${old}`,
	];
	const excess = [`${told} ORDER BY told_at DESC, received_at DESC`, `${others} ORDER BY received_at DESC`];
	return {
		aged: `DELETE FROM lead_entries WHERE id IN (${idsOf(aged.map((each) => `${each} LIMIT ${batch}`))} LIMIT ${batch})`,
		excess: `DELETE FROM lead_entries WHERE id IN (${idsOf(excess.map((each) => `${each} LIMIT ${batch} OFFSET ${cap}`))})`,
	};
}

const idsOf = (selections: string[]) =>
	selections.map((from) => `SELECT id FROM (SELECT id FROM ${from}) AS found`).join(' UNION ALL ');

/** Selects the entries with a delivery that nobody tries. @param gone whether its channel is not configured, as SQL */
export const stuck = (gone: string) => `
	SELECT entry_id AS id FROM lead_deliveries WHERE state = 'parked'
	UNION SELECT entry_id FROM lead_deliveries JOIN lead_entries AS entry ON entry.id = entry_id
	WHERE lead_deliveries.state = 'waiting' AND kind <> 'confirmation' AND ${gone}`;

/** Selects the channels of waiting or parked deliveries. */
export const pendingChannels = `
	SELECT channel FROM lead_deliveries WHERE state = 'waiting'
	UNION SELECT channel FROM lead_deliveries WHERE state = 'parked' ORDER BY channel`;
