CREATE TABLE lead_store (
	id INTEGER PRIMARY KEY CHECK (id = 1),
	secret BLOB NOT NULL
) STRICT;
CREATE TABLE lead_entries (
	id TEXT NOT NULL PRIMARY KEY,
	kind TEXT NOT NULL,
	received_at INTEGER NOT NULL,
	email TEXT,
	payload TEXT NOT NULL,
	quarantined INTEGER NOT NULL
) STRICT;
CREATE INDEX lead_entries_received ON lead_entries (received_at);
CREATE INDEX lead_entries_email ON lead_entries (email);
CREATE TABLE lead_deliveries (
	entry_id TEXT NOT NULL REFERENCES lead_entries (id) ON DELETE CASCADE,
	channel TEXT NOT NULL,
	state TEXT NOT NULL DEFAULT 'waiting',
	tries INTEGER NOT NULL DEFAULT 0,
	due_at INTEGER,
	sent_at INTEGER,
	last_error TEXT,
	lease_owner TEXT,
	lease_until INTEGER,
	PRIMARY KEY (entry_id, channel)
) STRICT, WITHOUT ROWID;
CREATE INDEX lead_deliveries_due ON lead_deliveries (due_at) WHERE state = 'waiting';
CREATE TABLE lead_onces (
	key TEXT NOT NULL PRIMARY KEY,
	fingerprint TEXT NOT NULL,
	expires_at INTEGER NOT NULL,
	entry_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO lead_store VALUES (1, x'0707070707070707070707070707070707070707070707070707070707070707');
INSERT INTO lead_entries VALUES
	('a0000000-0000-7000-8000-000000000001', 'lead', 1790000000001, 'waiting@clinic.example', '{"name":"Waiting"}', 0),
	('a0000000-0000-7000-8000-000000000002', 'lead', 1790000000002, 'delivered@clínica.example', '{"name":"Delivered","lead":{"source":"api-access"}}', 0),
	('a0000000-0000-7000-8000-000000000003', 'lead', 1790000000003, 'parked@clinic.example', '{"name":"Parked"}', 0),
	('a0000000-0000-7000-8000-000000000004', 'lead', 1790000000004, 'quarantined@clinic.example', '{"name":"Quarantined"}', 1);
INSERT INTO lead_deliveries VALUES
	('a0000000-0000-7000-8000-000000000001', 'email', 'waiting', 2, 1790000000001, NULL, '500', NULL, NULL),
	('a0000000-0000-7000-8000-000000000002', 'email', 'sent', 1, NULL, 1790000000002, NULL, NULL, NULL),
	('a0000000-0000-7000-8000-000000000003', 'email', 'parked', 9, NULL, NULL, '550', NULL, NULL);
INSERT INTO lead_onces VALUES ('key', 'lead', 4102444800000, 'a0000000-0000-7000-8000-000000000001');
PRAGMA user_version = 1;
