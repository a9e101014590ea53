import { pendingChannels, purgeEntries, stuck, untold } from './shared-statements.ts';
import type { PurgeLimits } from './store.ts';

const by = (index: string) => `INDEXED BY ${index}`;

/** Statements that change rows run within a transaction. */
export const sql = {
	secret: `SELECT secret FROM lead_store`,
	// A claim that ends later than a new one would was made before the clock jumped back.
	claimOnce: `
		INSERT INTO lead_onces (key, fingerprint, expires_at, person) VALUES (:key, :fingerprint, :now + :lifetime, :person)
		ON CONFLICT (key) DO UPDATE
		SET fingerprint = excluded.fingerprint, expires_at = excluded.expires_at, person = excluded.person
		WHERE expires_at <= :now OR expires_at > :now + :lifetime + :clockError`,
	fingerprint: `SELECT fingerprint FROM lead_onces WHERE key = :key`,
	forget: `DELETE FROM lead_onces WHERE key = :onceKey`,
	// Reuses the slot of an erased key, or adds one if there is none.
	keepKey: `
		INSERT INTO lead_keys (slot, key) VALUES ((SELECT slot FROM lead_keys WHERE key = zeroblob(32) LIMIT 1), :key)
		ON CONFLICT (slot) DO UPDATE SET key = excluded.key RETURNING slot`,
	insertEntry: `
		INSERT INTO lead_entries (id, kind, received_at, person, source, key_slot, payload, state, releasable, spam, fingerprint)
		VALUES (:id, :kind, :receivedAt, :person, :source, :slot, :text, :state, :releasable, :spam, :fingerprint)`,
	insertDelivery: `INSERT INTO lead_deliveries (entry_id, channel, since, due_at) VALUES (:id, :channel, :now, :now + :wait)`,
	// The second inner selection is empty unless the clock has jumped back.
	claim: `
		UPDATE lead_deliveries SET lease_owner = :owner, since = :now, due_at = :now + :lease
		WHERE channel = :channel AND entry_id IN (
			SELECT entry_id FROM (
				SELECT entry_id FROM lead_deliveries
				WHERE state = 'waiting' AND channel = :channel AND due_at <= :now ORDER BY due_at LIMIT :limit
			)
			UNION ALL
			SELECT entry_id FROM (
				SELECT entry_id FROM lead_deliveries
				WHERE state = 'waiting' AND channel = :channel AND since > :now + :clockError LIMIT :limit
			)
			LIMIT :limit
		)
		RETURNING entry_id AS id, channel, tries,
			(SELECT kind FROM lead_entries WHERE id = entry_id) AS kind, (SELECT payload FROM lead_entries WHERE id = entry_id) AS text,
			(SELECT spam FROM lead_entries WHERE id = entry_id) AS spam,
			(SELECT key FROM lead_keys JOIN lead_entries ON slot = key_slot WHERE id = entry_id) AS key`,
	markSent: `
		UPDATE lead_deliveries
		SET state = 'sent', tries = tries + 1, sent_at = :now, since = NULL, due_at = NULL, lease_owner = NULL,
			last_error = coalesce(:note, last_error)
		WHERE entry_id = :id AND channel = :channel AND state <> 'sent'`,
	markFailed: `
		UPDATE lead_deliveries
		SET state = :state, tries = tries + 1, last_error = :reason, since = :now, due_at = :now + :wait, lease_owner = NULL
		WHERE entry_id = :id AND channel = :channel AND lease_owner = :owner`,
	endLeases: `
		UPDATE lead_deliveries SET lease_owner = NULL, since = :now, due_at = :now
		WHERE lease_owner IS NOT NULL AND lease_owner = coalesce(:owner, lease_owner)`,
	judge: `
		UPDATE lead_entries SET spam = :spam, releasable = :held, state = iif(:held, 'quarantined', state)
		WHERE id = :id AND spam IS NULL`,
	takeBack: `DELETE FROM lead_deliveries WHERE entry_id = :id`,
	train: `UPDATE lead_entries SET spam = :spam, releasable = releasable AND :clear WHERE id = :id`,
	forgetTraits: `DELETE FROM lead_traits WHERE entry_id = :id`,
	learn: `INSERT INTO lead_traits (entry_id, trait, verdict, learnt_at) SELECT :id, value, :verdict, :now FROM json_each(:traits)`,
	recall: `
		SELECT verdict FROM lead_traits WHERE trait IN (SELECT value FROM json_each(:traits)) ORDER BY learnt_at DESC LIMIT 1`,
	untilDue: `
		SELECT due_at - :now AS wait FROM lead_deliveries
		WHERE state = 'waiting' AND channel = :channel ORDER BY due_at LIMIT 1`,
	pendingChannels,
	purgeEntries: (limits: PurgeLimits) => purgeEntries(':now', limits, by),
	purgeOnces: `DELETE FROM lead_onces WHERE key IN (SELECT key FROM lead_onces WHERE expires_at <= :now LIMIT :batch)`,
	count: `SELECT state, leads FROM lead_counts`,
	backlog: `
		SELECT (SELECT leads FROM lead_counts WHERE state = 'waiting') AS waiting,
			(SELECT leads FROM lead_counts WHERE state = 'parked') AS parked,
			(SELECT leads FROM lead_counts WHERE state = 'quarantined') AS quarantined,
			(SELECT received_at FROM lead_entries WHERE state = 'waiting' AND kind = 'lead' ORDER BY received_at LIMIT 1) AS oldestWaiting`,
	list: (where: string) => `
		WITH entry AS (
			SELECT id, kind, received_at, payload, key_slot, state AS entry_state, spam FROM lead_entries
			WHERE ${where}
			ORDER BY received_at DESC, id DESC LIMIT :limit
		)
		SELECT id, kind, received_at, payload AS text, key, entry_state, spam, channel, state, tries, due_at, sent_at, last_error
		FROM entry JOIN lead_keys ON slot = key_slot LEFT JOIN lead_deliveries ON entry_id = id
		ORDER BY received_at DESC, id DESC, channel`,
	countUntold: `SELECT count(*) AS number FROM (SELECT 1 FROM lead_entries ${by('lead_entries_untold')} WHERE ${untold} LIMIT :limit)`,
	announce: `
		UPDATE lead_entries SET notice = :notice
		WHERE id IN (SELECT id FROM lead_entries ${by('lead_entries_untold')} WHERE ${untold} LIMIT :limit)`,
	markTold: `
		UPDATE lead_entries SET told_at = :now
		WHERE id IN (SELECT id FROM lead_entries WHERE notice = :notice AND told_at IS NULL LIMIT :limit)`,
	stuck: stuck('channel NOT IN (SELECT value FROM json_each(:channels))'),
	addChannels: `
		INSERT INTO lead_deliveries (entry_id, channel, since, due_at)
		SELECT lead_entries.id, value, :now, :now FROM lead_entries, json_each(:channels)
		WHERE lead_entries.id IN (SELECT value FROM json_each(:ids)) AND kind = 'lead' AND state IN ('waiting', 'parked')
		ON CONFLICT (entry_id, channel) DO UPDATE SET state = 'waiting' WHERE state = 'ended'`,
	endChannels: `
		UPDATE lead_deliveries SET state = 'ended', since = NULL, due_at = NULL, lease_owner = NULL
		WHERE entry_id IN (SELECT value FROM json_each(:ids)) AND state IN ('waiting', 'parked')
		AND channel NOT IN (SELECT value FROM json_each(:channels))
		AND entry_id NOT IN (SELECT id FROM lead_entries WHERE id = entry_id AND kind = 'confirmation')`,
	retry: `
		UPDATE lead_deliveries SET state = 'waiting', tries = 0, since = :now, due_at = :now
		WHERE entry_id IN (SELECT value FROM json_each(:ids)) AND state IN ('waiting', 'parked') AND lease_owner IS NULL`,
	release: `UPDATE lead_entries SET state = 'waiting' WHERE id = :id AND state = 'quarantined'`,
	countOf: `
		SELECT (SELECT count(*) FROM lead_entries WHERE person = :person) AS entries,
			(SELECT count(*) FROM api_keys WHERE person = :person) AS keys`,
	forgetPerson: `DELETE FROM lead_onces WHERE person = :person`,
	erase: `DELETE FROM lead_entries WHERE id IN (SELECT id FROM lead_entries WHERE person = :person LIMIT :limit)`,
	eraseApiKeys: `DELETE FROM api_keys WHERE person = :person`,
	insertApiKey: `
		INSERT INTO api_keys (id, hash, person, key_slot, content, made_at, ends_at)
		VALUES (:id, :hash, :person, :slot, :text, :madeAt, :endsAt)`,
	apiKeys: (where = 'TRUE') => `
		SELECT id, hash, content AS text, key, made_at, ends_at, revoked, last_used, leads
		FROM api_keys JOIN lead_keys ON slot = key_slot WHERE ${where} ORDER BY made_at DESC, id`,
	revokeApiKey: `UPDATE api_keys SET revoked = 1, ends_at = min(ends_at, :now) WHERE id = :id`,
	apiKeyUsed: `UPDATE api_keys SET last_used = :day WHERE id = :id AND last_used IS NOT :day`,
	countLeadOfApiKey: `UPDATE api_keys SET leads = leads + 1 WHERE id = :id`,
	purgeApiKeys: `DELETE FROM api_keys WHERE ends_at <= :now - :age`,
};

/** Conditions for {@link sql.list}. */
export const entriesWhere = {
	all: `(kind = 'lead' OR EXISTS (SELECT 1 FROM lead_deliveries WHERE entry_id = id))`,
	inState: 'state = :state',
	fromSource: 'source = :source',
	trained: 'id IN (SELECT entry_id FROM lead_traits)',
	alike: 'fingerprint = :fingerprint AND id <> :id AND received_at > :since',
	before: '(received_at, id) < (:beforeTime, :beforeId)',
	beginning: `id >= :part AND id < :part || 'g'`,
	ending: `substr(id, -8) = substr(:part, -8) AND substr(id, -length(:part)) = :part`,
	announced: `state = 'quarantined' AND notice = :notice`,
};
