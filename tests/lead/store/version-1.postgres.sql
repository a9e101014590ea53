CREATE TABLE lead_store (
	id int PRIMARY KEY CHECK (id = 1),
	version int NOT NULL,
	secret bytea NOT NULL
);
CREATE TABLE lead_entries (
	id text PRIMARY KEY,
	kind text NOT NULL,
	received_at bigint NOT NULL,
	email text,
	payload text NOT NULL,
	quarantined boolean NOT NULL
);
CREATE INDEX lead_entries_received ON lead_entries (received_at);
CREATE INDEX lead_entries_email ON lead_entries (email);
CREATE TABLE lead_deliveries (
	entry_id text NOT NULL REFERENCES lead_entries (id) ON DELETE CASCADE,
	channel text NOT NULL,
	state text NOT NULL DEFAULT 'waiting',
	tries int NOT NULL DEFAULT 0,
	due_at bigint,
	sent_at bigint,
	last_error text,
	lease_owner text,
	lease_until bigint,
	PRIMARY KEY (entry_id, channel)
);
CREATE INDEX lead_deliveries_due ON lead_deliveries (due_at) WHERE state = 'waiting';
CREATE TABLE lead_onces (
	key text PRIMARY KEY,
	fingerprint text NOT NULL,
	expires_at bigint NOT NULL,
	entry_id text NOT NULL
);
INSERT INTO lead_store VALUES (1, 1, '\x00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff');
INSERT INTO lead_entries VALUES
	('a0000000-0000-7000-8000-000000000001', 'lead', 1790000000001, 'waiting@clinic.example', '{"name":"Waiting"}', false),
	('a0000000-0000-7000-8000-000000000002', 'lead', 1790000000002, 'delivered@clínica.example', '{"name":"Delivered","lead":{"source":"api-access"}}', false),
	('a0000000-0000-7000-8000-000000000003', 'lead', 1790000000003, 'parked@clinic.example', '{"name":"Parked","lead":{"source":"\ud800"}}', false),
	('a0000000-0000-7000-8000-000000000004', 'lead', 1790000000004, 'quarantined@clinic.example', '{"name":"Quarantined"}', true);
INSERT INTO lead_deliveries VALUES
	('a0000000-0000-7000-8000-000000000001', 'email', 'waiting', 2, 1790000000001, NULL, '500', NULL, NULL),
	('a0000000-0000-7000-8000-000000000002', 'email', 'sent', 1, NULL, 1790000000002, NULL, NULL, NULL),
	('a0000000-0000-7000-8000-000000000003', 'email', 'parked', 9, NULL, NULL, '550', NULL, NULL);
