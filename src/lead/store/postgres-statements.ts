import type { EntryState } from './entry.ts';
import { pendingChannels, purgeEntries, stuck, untold } from './shared-statements.ts';
import type { PurgeLimits } from './store.ts';

/** In milliseconds. The clock of the database counts, not that of an instance. */
const now = '(extract(epoch FROM now()) * 1000)::bigint';

/** Locks an entry before its deliveries: everybody locks in the same order, so that there is no deadlock. */
const entryLocked = 'entry AS MATERIALIZED (SELECT id FROM lead_entries WHERE id = $1 FOR UPDATE)';

/** Selects up to 10,000 leads: counting them takes milliseconds, however many there are. */
const someIn = (state: EntryState) =>
	`SELECT received_at FROM lead_entries WHERE kind = 'lead' AND state = '${state}' LIMIT 10000`;

/** Each is one statement, and so one transaction. */
export const sql = {
	/**
	 * If two save the same key at the same moment, the second waits for the commit of the first. A claim that ends later than a new
	 * one was made before the clock jumped back.
	 */
	insert: `
		WITH claimed AS (
			INSERT INTO lead_onces (key, fingerprint, expires_at, person)
			SELECT $12::text, $13::text, ${now} + $14::bigint, $4 WHERE $12 IS NOT NULL
			ON CONFLICT (key) DO UPDATE
			SET fingerprint = excluded.fingerprint, expires_at = excluded.expires_at, person = excluded.person
			WHERE lead_onces.expires_at <= ${now} OR lead_onces.expires_at > ${now} + $14::bigint + $15::bigint
			RETURNING key
		), saved AS (
			INSERT INTO lead_entries (id, kind, received_at, person, source, payload, key, state, releasable, spam, fingerprint)
			SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $17, $18 WHERE $12 IS NULL OR EXISTS (SELECT FROM claimed)
			RETURNING id
		), queued AS (
			INSERT INTO lead_deliveries (entry_id, channel, since, due_at)
			SELECT id, channel, ${now}, ${now} + $16::bigint FROM saved, unnest($10::text[]) AS channel
		), counted AS (
			UPDATE api_keys SET leads = leads + 1 WHERE id = $11 AND EXISTS (SELECT FROM saved)
		)
		SELECT id FROM saved`,
	fingerprint: `SELECT fingerprint FROM lead_onces WHERE key = $1`,
	forget: `DELETE FROM lead_onces WHERE key = $1`,
	/** The second selection is empty unless the clock has jumped back. */
	claim: `
		WITH due AS (
			SELECT entry_id FROM lead_deliveries
			WHERE state = 'waiting' AND channel = $1 AND due_at <= ${now}
			ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
		), early AS (
			SELECT entry_id FROM lead_deliveries
			WHERE state = 'waiting' AND channel = $1 AND since > ${now} + $5
			LIMIT $2 FOR UPDATE SKIP LOCKED
		), chosen AS (
			SELECT entry_id FROM due UNION ALL SELECT entry_id FROM early LIMIT $2
		)
		UPDATE lead_deliveries AS delivery
		SET lease_owner = $3, since = ${now}, due_at = ${now} + $4::bigint
		FROM chosen JOIN lead_entries AS entry ON entry.id = chosen.entry_id
		WHERE delivery.entry_id = chosen.entry_id AND delivery.channel = $1
		RETURNING entry.id, delivery.channel, delivery.tries, entry.kind, entry.payload AS text, entry.key, entry.spam`,
	markSent: `
		WITH ${entryLocked}, forgotten AS (DELETE FROM lead_onces WHERE key = $4)
		UPDATE lead_deliveries
		SET state = 'sent', tries = tries + 1, sent_at = ${now}, since = NULL, due_at = NULL, lease_owner = NULL,
			last_error = coalesce($3, last_error)
		FROM entry WHERE entry_id = entry.id AND channel = $2 AND state <> 'sent'`,
	markFailed: `
		WITH ${entryLocked}
		UPDATE lead_deliveries
		SET state = $4, tries = tries + 1, last_error = $5, since = ${now}, due_at = ${now} + $6::bigint, lease_owner = NULL
		FROM entry WHERE entry_id = entry.id AND channel = $2 AND lease_owner = $3`,
	endLeases: `
		UPDATE lead_deliveries SET lease_owner = NULL, since = ${now}, due_at = ${now}
		WHERE lease_owner IS NOT NULL AND lease_owner = coalesce($1, lease_owner)`,
	judge: `
		WITH judged AS (
			UPDATE lead_entries SET spam = $2, releasable = $3,
				state = CASE WHEN $3 THEN 'quarantined' ELSE state END
			WHERE id = $1 AND spam IS NULL RETURNING id
		), taken_back AS (
			DELETE FROM lead_deliveries WHERE $3 AND entry_id IN (SELECT id FROM judged)
		)
		SELECT id FROM judged`,
	train: `
		WITH trained AS (
			UPDATE lead_entries SET spam = $2, releasable = releasable AND $3 = 'clear' WHERE id = $1 RETURNING id
		), forgotten AS (
			DELETE FROM lead_traits WHERE entry_id = $1 AND trait <> ALL ($4::text[])
		)
		INSERT INTO lead_traits (entry_id, trait, verdict, learnt_at)
		SELECT id, trait, $3, ${now} FROM trained, unnest($4::text[]) AS trait
		ON CONFLICT (entry_id, trait) DO UPDATE SET verdict = excluded.verdict, learnt_at = excluded.learnt_at`,
	recall: `SELECT verdict FROM lead_traits WHERE trait = ANY ($1) ORDER BY learnt_at DESC LIMIT 1`,
	untilDue: `
		SELECT due_at - ${now} AS wait FROM lead_deliveries
		WHERE state = 'waiting' AND channel = $1 ORDER BY due_at LIMIT 1`,
	pendingChannels,
	purgeEntries: (limits: PurgeLimits) => purgeEntries(now, limits, () => ''),
	purgeOnces: `DELETE FROM lead_onces WHERE key IN (SELECT key FROM lead_onces WHERE expires_at <= ${now} LIMIT $1)`,
	count: `SELECT state, count(*) AS leads FROM lead_entries WHERE kind = 'lead' GROUP BY state`,
	backlog: `
		WITH waiting AS MATERIALIZED (${someIn('waiting')}), parked AS (${someIn('parked')}), quarantined AS (${someIn('quarantined')})
		SELECT (SELECT count(*) FROM waiting) AS waiting, (SELECT count(*) FROM parked) AS parked,
			(SELECT count(*) FROM quarantined) AS quarantined, (SELECT min(received_at) FROM waiting) AS "oldestWaiting"`,
	list: (where: string, limit: string) => `
		WITH entry AS (
			SELECT id, kind, received_at, payload AS text, key, state AS entry_state, spam FROM lead_entries
			WHERE ${where}
			ORDER BY received_at DESC, id DESC LIMIT ${limit}
		)
		SELECT id, kind, received_at, text, key, entry_state, spam, channel, state, tries, due_at, sent_at, last_error
		FROM entry LEFT JOIN lead_deliveries ON entry_id = id
		ORDER BY received_at DESC, id DESC, channel`,
	countUntold: `SELECT count(*) AS number FROM (SELECT FROM lead_entries WHERE ${untold} LIMIT $1) AS counted`,
	announce: `UPDATE lead_entries SET notice = $1 WHERE ${untold}`,
	markTold: `UPDATE lead_entries SET told_at = ${now} WHERE notice = $1 AND told_at IS NULL`,
	stuck: stuck('channel <> ALL ($1)'),
	retry: `
		WITH entry AS MATERIALIZED (
			SELECT id, kind FROM lead_entries WHERE id = ANY ($1) AND state IN ('waiting', 'parked') ORDER BY id FOR UPDATE
		), added AS (
			INSERT INTO lead_deliveries (entry_id, channel, since, due_at)
			SELECT id, channel, ${now}, ${now} FROM entry, unnest($2::text[]) AS channel WHERE kind = 'lead'
			ON CONFLICT (entry_id, channel) DO UPDATE SET state = 'waiting', tries = 0, since = excluded.since, due_at = excluded.due_at
			WHERE lead_deliveries.state = 'ended' RETURNING channel
		), ended AS (
			UPDATE lead_deliveries SET state = 'ended', since = NULL, due_at = NULL, lease_owner = NULL
			FROM entry WHERE entry_id = entry.id AND state IN ('waiting', 'parked') AND kind <> 'confirmation' AND channel <> ALL ($2)
		), retried AS (
			UPDATE lead_deliveries SET state = 'waiting', tries = 0, since = ${now}, due_at = ${now}
			FROM entry WHERE entry_id = entry.id AND state IN ('waiting', 'parked') AND lease_owner IS NULL
			AND (kind = 'confirmation' OR channel = ANY ($2)) RETURNING channel
		)
		SELECT (SELECT count(*) FROM added) + (SELECT count(*) FROM retried) AS due`,
	release: `
		WITH released AS (
			UPDATE lead_entries SET state = 'waiting' WHERE id = $1 AND state = 'quarantined' RETURNING id
		), queued AS (
			INSERT INTO lead_deliveries (entry_id, channel, since, due_at)
			SELECT id, channel, ${now}, ${now} FROM released, unnest($2::text[]) AS channel
		)
		SELECT id FROM released`,
	countOf: `
		SELECT (SELECT count(*) FROM lead_entries WHERE person = $1) AS entries,
			(SELECT count(*) FROM api_keys WHERE person = $1) AS keys`,
	erase: `
		WITH erased AS (
			DELETE FROM lead_entries WHERE person = $1 RETURNING id
		), forgotten AS (
			DELETE FROM lead_onces WHERE person = $1
		), erased_keys AS (
			DELETE FROM api_keys WHERE person = $1 RETURNING id
		)
		SELECT (SELECT count(*) FROM erased) AS entries, (SELECT count(*) FROM erased_keys) AS keys`,
	insertApiKey: `
		INSERT INTO api_keys (id, hash, person, content, key, made_at, ends_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
	apiKeys: (where = 'TRUE') => `
		SELECT id, hash, content AS text, key, made_at, ends_at, revoked, last_used, leads FROM api_keys
		WHERE ${where} ORDER BY made_at DESC, id`,
	revokeApiKey: `UPDATE api_keys SET revoked = true, ends_at = least(ends_at, $2) WHERE id = $1`,
	apiKeyUsed: `UPDATE api_keys SET last_used = $2 WHERE id = $1 AND last_used IS DISTINCT FROM $2`,
	purgeApiKeys: `DELETE FROM api_keys WHERE ends_at <= ${now} - $1::bigint`,
};

/** Conditions for {@link sql.list}. */
export const entriesWhere = {
	page: `
		(kind = 'lead' OR EXISTS (SELECT FROM lead_deliveries WHERE entry_id = id))
		AND ($2::text IS NULL OR state = $2) AND ($5::text IS NULL OR source = $5)
		AND (NOT $6 OR id IN (SELECT entry_id FROM lead_traits))
		AND ($3::bigint IS NULL OR (received_at, id) < ($3, $4::text))`,
	beginning: `id ~>=~ $1 AND id ~<~ ($1 || 'g')`,
	ending: `right(id, 8) = right($1, 8) AND right(id, length($1)) = $1`,
	alike: `fingerprint = $2 AND id <> $3 AND received_at > $4`,
	announced: `state = 'quarantined' AND notice = $2`,
};
