/** Each is used within a transaction. */
export const sql = {
	claimOnce: `
		INSERT INTO lead_onces (key, fingerprint, expires_at, entry_id) VALUES (:key, :fingerprint, :expiresAt, :id)
		ON CONFLICT (key) DO UPDATE
		SET fingerprint = excluded.fingerprint, expires_at = excluded.expires_at, entry_id = excluded.entry_id
		WHERE expires_at <= :now`,
	insertEntry: `
		INSERT INTO lead_entries (id, kind, received_at, email, payload, quarantined)
		VALUES (:id, :kind, :receivedAt, :email, :payload, :quarantined)`,
	insertDelivery: `INSERT INTO lead_deliveries (entry_id, channel, due_at) VALUES (:id, :channel, :now)`,
	claim: `
		UPDATE lead_deliveries SET lease_owner = :owner, lease_until = :leaseUntil
		WHERE (entry_id, channel) IN (
			SELECT entry_id, channel FROM lead_deliveries
			WHERE state = 'waiting' AND due_at <= :now AND (lease_until IS NULL OR lease_until <= :now)
			AND channel IN (SELECT value FROM json_each(:channels))
			ORDER BY due_at LIMIT :limit
		)
		RETURNING entry_id AS id, channel, tries, due_at,
			(SELECT kind FROM lead_entries WHERE id = entry_id) AS kind,
			(SELECT payload FROM lead_entries WHERE id = entry_id) AS payload`,
	mark: `
		UPDATE lead_deliveries
		SET state = :state, due_at = :dueAt, sent_at = :at, last_error = coalesce(:reason, last_error), tries = tries + 1,
			lease_owner = NULL, lease_until = NULL
		WHERE entry_id = :id AND channel = :channel AND state <> 'sent'`,
	endLeases: `
		UPDATE lead_deliveries SET lease_owner = NULL, lease_until = NULL
		WHERE lease_owner = coalesce(:owner, lease_owner)`,
	nextDue: `
		SELECT min(max(due_at, coalesce(lease_until, due_at))) AS next FROM lead_deliveries
		WHERE state = 'waiting' AND channel IN (SELECT value FROM json_each(:channels))`,
	purge: `
		DELETE FROM lead_entries
		WHERE received_at < :receivedBefore
		AND NOT EXISTS (SELECT 1 FROM lead_deliveries WHERE entry_id = lead_entries.id AND state <> 'sent')
		OR quarantined AND id IN (
			SELECT id FROM lead_entries WHERE quarantined ORDER BY received_at DESC, id LIMIT -1 OFFSET :quarantineCap
		)`,
	list: `
		SELECT id, kind, received_at, payload, quarantined, channel, state, tries, due_at, sent_at, last_error
		FROM lead_entries LEFT JOIN lead_deliveries ON entry_id = id
		WHERE id = coalesce(:id, id) ORDER BY received_at DESC, id, channel`,
	retryEntry: `UPDATE lead_deliveries SET state = 'waiting', due_at = :now, tries = 0 WHERE entry_id = :id AND state <> 'sent'`,
	retryParked: `UPDATE lead_deliveries SET state = 'waiting', due_at = :now, tries = 0 WHERE state = 'parked'`,
	forgetPerson: `DELETE FROM lead_onces WHERE entry_id IN (SELECT id FROM lead_entries WHERE email = :email)`,
};
