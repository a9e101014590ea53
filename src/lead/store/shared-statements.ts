import type { PurgeLimits } from './store.ts';

const possible = `state = 'quarantined' AND releasable`;
const faulty = `state = 'quarantined' AND NOT releasable`;

/** Selects possible leads that no notice covers, in both databases. */
export const untold = `state = 'quarantined' AND releasable AND notice IS NULL`;

/** In milliseconds. A confirmation is sent within an hour or never: one that still waits is for a channel that is turned off. */
const DAY = 86_400_000;

/** The most entries of one network that stay in quarantine when it holds too many. */
const NETWORK_CAP = 100;

/** Counts a network's entries in quarantine, up to its cap. @param network as SQL */
export const crowdIn = (network: string) =>
	`SELECT count(*) FROM (SELECT 1 FROM lead_entries WHERE network = ${network} LIMIT ${NETWORK_CAP}) AS others`;

/**
 * Returns the statements of both databases that delete old entries and excess entries in quarantine. Each selection uses an
 * index, and no statement deletes more than a batch.
 *
 * @param now the clock of the database, as SQL
 * @param by makes a selection use an index, as SQL: SQLite's planner, which has no statistics, would read the whole quarantine
 */
export function purgeEntries(
	now: string,
	{ age, decisionTime, possibleCap, faultyCap, batch }: PurgeLimits,
	by: (index: string) => string,
) {
	const entries = (index: string, where: string) => `lead_entries ${by(index)} WHERE ${where}`;
	const old = `received_at <= ${now} - ${age}`;
	const unconfirmed = `kind = 'confirmation' AND received_at <= ${now} - ${Math.max(age, DAY)}`;
	const decided = entries('lead_entries_told', `${possible} AND told_at <= ${now} - ${decisionTime}`);
	const crowded = entries('lead_entries_crowd', `${possible} AND crowd = ${NETWORK_CAP} AND told_at IS NOT NULL`);
	const aged = [
		entries('lead_entries_state', `state = 'delivered' AND ${old}`),
		entries('lead_entries_state', `state = 'waiting' AND ${unconfirmed}`),
		`${decided} AND ${old}`,
		entries('lead_entries_faulty', `${faulty} AND ${old}`),
	];
	const above = (cap: number) =>
		`(SELECT CASE WHEN number <= ${cap} THEN 0 WHEN number < ${cap + batch} THEN number - ${cap} ELSE ${batch} END FROM held)`;
	const newest = entries('lead_entries_faulty', `${faulty} ORDER BY received_at DESC`);
	return {
		aged: `DELETE FROM lead_entries WHERE id IN (${idsOf(aged.map((each) => `${each} LIMIT ${batch}`))} LIMIT ${batch})`,
		faulty: `DELETE FROM lead_entries WHERE id IN (${idsOf([`${newest} LIMIT ${batch} OFFSET ${faultyCap}`])})`,
		// First those that somebody had time to look at, then those above their network's cap. Those without a notice always stay.
		possible: `
			WITH held AS (
				SELECT count(*) AS number FROM (
					SELECT 1 FROM ${entries('lead_entries_crowd', possible)} LIMIT ${possibleCap + batch}
				) AS counted
			)
			DELETE FROM lead_entries WHERE id IN (${idsOf([
				`${decided} ORDER BY told_at LIMIT ${above(possibleCap)}`,
				`${crowded} ORDER BY told_at LIMIT ${above(possibleCap)}`,
			])} LIMIT ${above(possibleCap)})
			RETURNING ${now} - told_at AS told`,
	};
}

const idsOf = (selections: string[]) =>
	selections.map((from) => `SELECT id FROM (SELECT id FROM ${from}) AS found`).join(' UNION ALL ');

/** Selects the entries with a parked delivery. */
export const parked = `SELECT DISTINCT entry_id AS id FROM lead_deliveries WHERE state = 'parked'`;

/** Whether a channel has delivered an entry or does not have it. */
const mayMoveTo = (to: string, id: string) =>
	`NOT EXISTS (SELECT 1 FROM lead_deliveries AS other WHERE other.entry_id = ${id} AND other.channel = ${to} AND other.state <> 'sent')`;

/** Selects the entries that a channel has not delivered, and that may move to another. Channels are SQL. */
export const movable = (from: string, to: string, leadsOnly: boolean) => `
	SELECT entry_id AS id FROM lead_deliveries AS delivery JOIN lead_entries AS entry ON entry.id = entry_id
	WHERE channel = ${from} AND delivery.state IN ('waiting', 'parked') AND kind IN ('lead'${leadsOnly ? '' : ", 'notice'"})
	AND ${mayMoveTo(to, 'entry.id')}`;

/**
 * Moves the deliveries of entries from a channel to another, or ends those that the other has delivered. Asks again whether they may
 * move: two moves at once must not each end a delivery because of the other. So an entry with an ended delivery has one that was sent.
 *
 * @param entries selects them, as SQL, like the other arguments
 */
export function move(entries: string, from: string, to: string, now: string, no: string): string {
	const isThere = `EXISTS (SELECT 1 FROM lead_deliveries AS other WHERE other.entry_id = lead_deliveries.entry_id AND other.channel = ${to})`;
	const ifMoved = (value: string, otherwise: string) => `CASE WHEN ${isThere} THEN ${otherwise} ELSE ${value} END`;
	return `
		UPDATE lead_deliveries
		SET channel = ${ifMoved(to, 'channel')}, state = ${ifMoved("'waiting'", "'ended'")}, tries = ${ifMoved('0', 'tries')},
			since = ${ifMoved(now, 'NULL')}, due_at = ${ifMoved(now, 'NULL')}, lease_owner = NULL, retry = ${no}, recipients = '{}'
		WHERE channel = ${from} AND state IN ('waiting', 'parked') AND entry_id IN (${entries})
		AND ${mayMoveTo(to, 'lead_deliveries.entry_id')}
		RETURNING state`;
}

/**
 * Selects the channels of waiting or parked deliveries. Steps through the index of waiting ones from channel to channel, and
 * skips the rows between.
 */
export const pendingChannels = `
	WITH RECURSIVE waiting (channel) AS (
		SELECT min(channel) FROM lead_deliveries WHERE state = 'waiting'
		UNION ALL
		SELECT (SELECT min(channel) FROM lead_deliveries WHERE state = 'waiting' AND channel > waiting.channel)
		FROM waiting WHERE waiting.channel IS NOT NULL
	)
	SELECT channel FROM waiting WHERE channel IS NOT NULL
	UNION SELECT channel FROM lead_deliveries WHERE state = 'parked' ORDER BY channel`;
