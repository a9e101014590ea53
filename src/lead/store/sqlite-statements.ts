import { purgeEntries } from './purge-entries.ts';
import { waitingChannels } from './waiting-channels.ts';

/** Of one whose address has been compared in several forms. */
const ofPerson = 'person IN (SELECT value FROM json_each(:persons))';

/** Those that change something are used within a transaction. */
export const sql = {
	secret: `SELECT secret FROM lead_store`,
	// A claim that ends later than a new one would is of a clock that has jumped back.
	claimOnce: `
		INSERT INTO lead_onces (key, fingerprint, expires_at, entry_id) VALUES (:key, :fingerprint, :now + :lifetime, :id)
		ON CONFLICT (key) DO UPDATE
		SET fingerprint = excluded.fingerprint, expires_at = excluded.expires_at, entry_id = excluded.entry_id
		WHERE expires_at <= :now OR expires_at > :now + :lifetime + :clockError`,
	fingerprint: `SELECT fingerprint FROM lead_onces WHERE key = :key`,
	forget: `DELETE FROM lead_onces WHERE key = :onceKey`,
	reuseKeySlot: `
		UPDATE lead_keys SET key = :key WHERE slot = (SELECT slot FROM lead_keys WHERE key = zeroblob(32) LIMIT 1) RETURNING slot`,
	addKeySlot: `INSERT INTO lead_keys (key) VALUES (:key) RETURNING slot`,
	insertEntry: `
		INSERT INTO lead_entries (id, kind, received_at, person, source, key_slot, payload, state, releasable, told)
		VALUES (:id, :kind, :receivedAt, :person, :source, :slot, :text, :state, :releasable, 0)`,
	insertDelivery: `INSERT INTO lead_deliveries (entry_id, channel, since, due_at) VALUES (:id, :channel, :now, :now)`,
	// The second of the inner selections is empty as long as the clock has not jumped back.
	claim: `
		UPDATE lead_deliveries SET lease_owner = :owner, since = :now, due_at = :now + :lease, retry = 0
		WHERE channel = :channel AND entry_id IN (
			SELECT entry_id FROM (
				SELECT entry_id FROM lead_deliveries
				WHERE state = 'waiting' AND channel = :channel AND due_at <= :now
				AND entry_id NOT IN (SELECT value FROM json_each(:inHand))
				ORDER BY due_at LIMIT :limit
			)
			UNION ALL
			SELECT entry_id FROM (
				SELECT entry_id FROM lead_deliveries
				WHERE state = 'waiting' AND channel = :channel AND since > :now + :clockError
				AND entry_id NOT IN (SELECT value FROM json_each(:inHand))
				LIMIT :limit
			)
			LIMIT :limit
		)
		RETURNING entry_id AS id, channel, tries`,
	payload: `SELECT kind, payload AS text, key FROM lead_entries JOIN lead_keys ON slot = key_slot WHERE id = :id`,
	markSent: `
		UPDATE lead_deliveries
		SET state = 'sent', tries = tries + 1, sent_at = :now, since = NULL, due_at = NULL, lease_owner = NULL, retry = 0
		WHERE entry_id = :id AND channel = :channel AND state <> 'sent'
		RETURNING state`,
	markFailed: `
		UPDATE lead_deliveries
		SET state = iif(retry, 'waiting', :state), tries = iif(retry, 0, tries + 1), last_error = :reason,
			since = :now, due_at = :now + iif(retry, 0, :wait), lease_owner = NULL, retry = 0
		WHERE entry_id = :id AND channel = :channel AND lease_owner = :owner
		RETURNING state`,
	endLeases: `
		UPDATE lead_deliveries SET lease_owner = NULL, since = :now, due_at = :now, retry = 0
		WHERE lease_owner IS NOT NULL AND lease_owner = coalesce(:owner, lease_owner)`,
	untilDue: `
		SELECT due_at - :now AS wait FROM lead_deliveries
		WHERE state = 'waiting' AND channel = :channel AND entry_id NOT IN (SELECT value FROM json_each(:inHand))
		ORDER BY due_at LIMIT 1`,
	waitingChannels,
	purgeEntries: purgeEntries({
		now: ':now',
		age: ':age',
		releasableAge: ':releasableAge',
		cap: ':quarantineCap',
		batch: ':batch',
	}),
	purgeOnces: `DELETE FROM lead_onces WHERE key IN (SELECT key FROM lead_onces WHERE expires_at <= :now LIMIT :batch)`,
	count: `SELECT state, leads FROM lead_counts`,
	backlog: `
		SELECT (SELECT leads FROM lead_counts WHERE state = 'waiting') AS waiting,
			(SELECT leads FROM lead_counts WHERE state = 'parked') AS parked,
			(SELECT leads FROM lead_counts WHERE state = 'quarantined') AS quarantined,
			(SELECT received_at FROM lead_entries WHERE state = 'waiting' AND kind = 'lead' ORDER BY received_at LIMIT 1) AS oldestWaiting`,
	list: (where: string) => `
		WITH entry AS (
			SELECT id, kind, received_at, payload, key_slot, state AS entry_state FROM lead_entries
			WHERE ${where}
			ORDER BY received_at DESC, id DESC LIMIT :limit
		)
		SELECT id, kind, received_at, payload AS text, key, entry_state, channel, state, tries, due_at, sent_at, last_error
		FROM entry JOIN lead_keys ON slot = key_slot LEFT JOIN lead_deliveries ON entry_id = id
		ORDER BY received_at DESC, id DESC, channel`,
	awaitingNotice: `
		SELECT id FROM lead_entries WHERE state = 'quarantined' AND releasable AND NOT told ORDER BY received_at`,
	markNotified: `UPDATE lead_entries SET told = 1 WHERE id IN (SELECT value FROM json_each(:ids))`,
	retryEntry: `
		UPDATE lead_deliveries
		SET state = 'waiting', tries = 0, retry = lease_owner IS NOT NULL,
			since = iif(lease_owner IS NULL, :now, since), due_at = iif(lease_owner IS NULL, :now, due_at)
		WHERE entry_id = :id AND state <> 'sent'`,
	retryParked: `UPDATE lead_deliveries SET state = 'waiting', tries = 0, since = :now, due_at = :now WHERE state = 'parked'`,
	release: `UPDATE lead_entries SET state = 'waiting' WHERE id = :id AND state = 'quarantined'`,
	countOf: `
		SELECT (SELECT count(*) FROM lead_entries WHERE ${ofPerson}) AS entries,
			(SELECT count(*) FROM api_keys WHERE ${ofPerson}) AS keys`,
	forgetPerson: `DELETE FROM lead_onces WHERE entry_id IN (SELECT id FROM lead_entries WHERE ${ofPerson})`,
	erase: `DELETE FROM lead_entries WHERE ${ofPerson}`,
	eraseApiKeys: `DELETE FROM api_keys WHERE ${ofPerson}`,
	insertApiKey: `
		INSERT INTO api_keys (id, hash, person, key_slot, content, test, made_at, ends_at)
		VALUES (:id, :hash, :person, :slot, :text, :test, :madeAt, :endsAt)`,
	apiKeys: (where = 'TRUE') => `
		SELECT id, hash, content AS text, key, test, made_at, ends_at, revoked, last_used, leads
		FROM api_keys JOIN lead_keys ON slot = key_slot WHERE ${where} ORDER BY made_at DESC, id`,
	endApiKey: `
		UPDATE api_keys SET ends_at = :endsAt, revoked = :revoked WHERE id = :id AND ends_at = :oldEndsAt AND NOT revoked`,
	revokeApiKey: `UPDATE api_keys SET revoked = 1, ends_at = min(ends_at, :now) WHERE id = :id`,
	apiKeyUsed: `UPDATE api_keys SET last_used = :day WHERE id = :id AND last_used IS NOT :day`,
	countLeadOfApiKey: `UPDATE api_keys SET leads = leads + 1 WHERE id = :id`,
	purgeApiKeys: `DELETE FROM api_keys WHERE ends_at <= :now - :age`,
};

/** Which entries {@link sql.list} lists. */
export const entriesWhere = {
	all: `(kind = 'lead' OR EXISTS (SELECT 1 FROM lead_deliveries WHERE entry_id = id))`,
	inState: 'state = :state',
	fromSource: 'source = :source',
	before: '(received_at, id) < (:beforeTime, :beforeId)',
	beginning: `id >= :part AND id < :part || 'g'`,
	ending: `substr(id, -8) = substr(:part, -8) AND substr(id, -length(:part)) = :part`,
	quarantined: `state = 'quarantined' AND id IN (SELECT value FROM json_each(:ids))`,
};
