/** The parts of SQL that the two databases write differently. */
interface Dialect {
	/** The type of a point in time, in milliseconds. */
	time: string;
	bytes: string;
	flag: string;
	/** The column for the key that seals a row, or for the slot of that key. */
	key: string;
	/** The end of a table. `endByKey`: that of a table that is read by its key only. */
	end: string;
	endByKey: string;
	/** The last eight characters of an entry's id. */
	ending: string;
}

/** Returns statements without what changes no table: comments, white space and quotes. */
export const bare = (statements: string) => statements.replaceAll(/--.*|["\s]/g, '');

/** The tables and indexes that both databases have. */
export const sharedTables = ({ time, bytes, flag, key, end, endByKey, ending }: Dialect) => `
	CREATE TABLE lead_entries (
		id TEXT NOT NULL PRIMARY KEY,
		kind TEXT NOT NULL,
		received_at ${time} NOT NULL,
		-- keyed hash of the email address
		person TEXT,
		-- keyed hash of the source of the lead
		source TEXT,
		${key} NOT NULL,
		payload ${bytes} NOT NULL,
		state TEXT NOT NULL,
		-- in quarantine: whether it could be released
		releasable ${flag} NOT NULL,
		-- the notice that covers it, and when a channel got that
		notice TEXT,
		told_at ${time},
		-- JSON: the verdict on it, and its reasons
		spam TEXT,
		-- keyed hash of its message
		fingerprint TEXT
	)${end};
	CREATE INDEX lead_entries_received ON lead_entries (received_at, id);
	CREATE INDEX lead_entries_state ON lead_entries (state, received_at, id);
	CREATE INDEX lead_entries_person ON lead_entries (person) WHERE person IS NOT NULL;
	CREATE INDEX lead_entries_source ON lead_entries (source, received_at, id) WHERE source IS NOT NULL;
	CREATE INDEX lead_entries_ending ON lead_entries (${ending});
	CREATE INDEX lead_entries_faulty ON lead_entries (received_at) WHERE state = 'quarantined' AND NOT releasable;
	CREATE INDEX lead_entries_untold ON lead_entries (received_at) WHERE state = 'quarantined' AND releasable AND notice IS NULL;
	CREATE INDEX lead_entries_told ON lead_entries (told_at, received_at) WHERE state = 'quarantined' AND told_at IS NOT NULL;
	CREATE INDEX lead_entries_notice ON lead_entries (notice, told_at) WHERE notice IS NOT NULL;
	CREATE INDEX lead_entries_fingerprint ON lead_entries (fingerprint, received_at) WHERE fingerprint IS NOT NULL;

	CREATE TABLE lead_deliveries (
		entry_id TEXT NOT NULL REFERENCES lead_entries (id) ON DELETE CASCADE,
		channel TEXT NOT NULL,
		state TEXT NOT NULL DEFAULT 'waiting',
		tries INT NOT NULL DEFAULT 0,
		-- start and end of its wait: for the next try, or for the end of its lease
		since ${time},
		due_at ${time},
		sent_at ${time},
		last_error TEXT,
		lease_owner TEXT,
		PRIMARY KEY (entry_id, channel)
	)${endByKey};
	CREATE INDEX lead_deliveries_due ON lead_deliveries (channel, due_at) WHERE state = 'waiting';
	CREATE INDEX lead_deliveries_since ON lead_deliveries (channel, since) WHERE state = 'waiting';
	CREATE INDEX lead_deliveries_parked ON lead_deliveries (entry_id) WHERE state = 'parked';
	CREATE INDEX lead_deliveries_leased ON lead_deliveries (lease_owner) WHERE lease_owner IS NOT NULL;

	-- What the operator has said of a lead: for the leads that share a trait with it.
	CREATE TABLE lead_traits (
		entry_id TEXT NOT NULL REFERENCES lead_entries (id) ON DELETE CASCADE,
		-- keyed hash of its message, its sender or the host of a link
		trait TEXT NOT NULL,
		verdict TEXT NOT NULL,
		learnt_at ${time} NOT NULL,
		PRIMARY KEY (entry_id, trait)
	)${endByKey};
	CREATE INDEX lead_traits_trait ON lead_traits (trait, learnt_at);

	CREATE TABLE lead_onces (
		key TEXT NOT NULL PRIMARY KEY,
		fingerprint TEXT NOT NULL,
		expires_at ${time} NOT NULL,
		-- keyed hash of the email address: the mark outlives the entry, and is erased with the rest
		person TEXT
	)${endByKey};
	CREATE INDEX lead_onces_expiry ON lead_onces (expires_at);
	CREATE INDEX lead_onces_person ON lead_onces (person) WHERE person IS NOT NULL;

	CREATE TABLE api_keys (
		id TEXT NOT NULL PRIMARY KEY,
		-- keyed hash of the key
		hash TEXT NOT NULL,
		-- keyed hash of the owner's email address
		person TEXT NOT NULL,
		${key} NOT NULL,
		content ${bytes} NOT NULL,
		made_at ${time} NOT NULL,
		ends_at ${time} NOT NULL,
		revoked ${flag} NOT NULL DEFAULT false,
		last_used TEXT,
		leads INT NOT NULL DEFAULT 0
	)${end};
	CREATE INDEX api_keys_person ON api_keys (person);
	CREATE INDEX api_keys_ending ON api_keys (ends_at);
`;
