/** Each is one statement, and so one transaction. */
export const sql = {
	/**
	 * Two instances that save the same key at this moment: the advisory lock lets one through, until its commit. Whoever has the lock
	 * and still cannot claim the key comes too late.
	 */
	insert: `
		WITH lock AS (
			SELECT $9::text IS NULL OR pg_try_advisory_xact_lock(hashtextextended('lead_onces ' || $9, 0)) AS free
		), claimed AS (
			INSERT INTO lead_onces (key, fingerprint, expires_at, entry_id)
			SELECT $9, $10::text, $11::bigint, $1 FROM lock WHERE free AND $9 IS NOT NULL
			ON CONFLICT (key) DO UPDATE
			SET fingerprint = excluded.fingerprint, expires_at = excluded.expires_at, entry_id = excluded.entry_id
			WHERE lead_onces.expires_at <= $8
			RETURNING key
		), saved AS (
			INSERT INTO lead_entries (id, kind, received_at, email, payload, quarantined)
			SELECT $1, $2, $3, $4, $5, $6 WHERE $9 IS NULL OR EXISTS (SELECT FROM claimed)
			RETURNING id
		), queued AS (
			INSERT INTO lead_deliveries (entry_id, channel, due_at)
			SELECT id, channel, $8::bigint FROM saved, unnest($7::text[]) AS channel
		)
		SELECT free, EXISTS (SELECT FROM saved) AS saved FROM lock`,
	claim: `
		WITH due AS (
			SELECT entry_id, channel FROM lead_deliveries
			WHERE state = 'waiting' AND channel = ANY ($1) AND due_at <= $2 AND (lease_until IS NULL OR lease_until <= $2)
			ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
		)
		UPDATE lead_deliveries AS delivery SET lease_owner = $4, lease_until = $5
		FROM due JOIN lead_entries AS entry ON entry.id = due.entry_id
		WHERE delivery.entry_id = due.entry_id AND delivery.channel = due.channel
		RETURNING entry.id, delivery.channel, delivery.tries, delivery.due_at, entry.kind, entry.payload`,
	mark: `
		UPDATE lead_deliveries
		SET state = $3, due_at = $4, sent_at = $5, last_error = coalesce($6, last_error), tries = tries + 1,
			lease_owner = NULL, lease_until = NULL
		WHERE entry_id = $1 AND channel = $2 AND state <> 'sent'`,
	endLeases: `
		UPDATE lead_deliveries SET lease_owner = NULL, lease_until = NULL
		WHERE lease_owner = coalesce($1, lease_owner)`,
	nextDue: `
		SELECT min(greatest(due_at, lease_until)) AS next FROM lead_deliveries
		WHERE state = 'waiting' AND channel = ANY ($1)`,
	purge: `
		DELETE FROM lead_entries
		WHERE received_at < $1
		AND NOT EXISTS (SELECT FROM lead_deliveries WHERE entry_id = lead_entries.id AND state <> 'sent')
		OR quarantined AND id IN (
			SELECT id FROM lead_entries WHERE quarantined ORDER BY received_at DESC, id OFFSET $2
		)`,
	list: `
		SELECT id, kind, received_at, payload, quarantined, channel, state, tries, due_at, sent_at, last_error
		FROM lead_entries LEFT JOIN lead_deliveries ON entry_id = id
		WHERE id = coalesce($1, id) ORDER BY received_at DESC, id, channel`,
	retryEntry: `UPDATE lead_deliveries SET state = 'waiting', due_at = $1, tries = 0 WHERE entry_id = $2 AND state <> 'sent'`,
	retryParked: `UPDATE lead_deliveries SET state = 'waiting', due_at = $1, tries = 0 WHERE state = 'parked'`,
	release: `
		WITH released AS (
			UPDATE lead_entries SET quarantined = false WHERE id = $1 AND quarantined RETURNING id
		), queued AS (
			INSERT INTO lead_deliveries (entry_id, channel, due_at) SELECT id, channel, $3::bigint FROM released, unnest($2::text[]) AS channel
		)
		SELECT id FROM released`,
	erase: `
		WITH erased AS (
			DELETE FROM lead_entries WHERE email = $1 RETURNING id
		), forgotten AS (
			DELETE FROM lead_onces WHERE entry_id IN (SELECT id FROM erased)
		)
		SELECT id FROM erased`,
};
