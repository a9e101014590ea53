import { createSecretKey } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Lead } from '../lead.ts';
import { sourceHash } from './index-hash.ts';
import { type Sealed, unseal } from './seal.ts';

/** Leads are found by where they come from. API keys lie beside them: who owns one is sealed, as leads are. */
export function sourcesAndKeys(database: DatabaseSync): void {
	database.exec(`
	-- keyed hash of where a lead comes from
	ALTER TABLE lead_entries ADD COLUMN source TEXT;
	CREATE TABLE api_keys (
		id TEXT NOT NULL PRIMARY KEY,
		-- keyed hash of the key
		hash TEXT NOT NULL,
		-- keyed hash of the owner's email address
		person TEXT NOT NULL,
		key_slot INTEGER NOT NULL,
		content BLOB NOT NULL,
		test INTEGER NOT NULL,
		made_at INTEGER NOT NULL,
		ends_at INTEGER NOT NULL,
		revoked INTEGER NOT NULL DEFAULT 0,
		last_used TEXT,
		leads INTEGER NOT NULL DEFAULT 0
	) STRICT;
	CREATE INDEX api_keys_person ON api_keys (person);
	CREATE INDEX api_keys_ending ON api_keys (ends_at);
	CREATE TRIGGER api_key_gone AFTER DELETE ON api_keys BEGIN
		UPDATE lead_keys SET key = zeroblob(32) WHERE slot = OLD.key_slot;
	END;
	`);
	noteSources(database);
	database.exec(`CREATE INDEX lead_entries_source ON lead_entries (source, received_at, id) WHERE source IS NOT NULL`);
}

function noteSources(database: DatabaseSync): void {
	const { secret } = database.prepare('SELECT secret FROM lead_store').get() as { secret: Uint8Array };
	const hashKey = createSecretKey(secret);
	const note = database.prepare('UPDATE lead_entries SET source = ? WHERE id = ?');
	const leads = database.prepare(`
		SELECT id, payload AS text, key FROM lead_entries JOIN lead_keys ON slot = key_slot WHERE kind = 'lead'
	`);
	for (const { id, ...sealed } of leads.iterate() as Iterable<Sealed & { id: string }>) {
		const source = sourceIn(sealed);
		if (source !== undefined) note.run(sourceHash(hashKey, source), id);
	}
}

/** Of a broken entry, which must not keep the others from being read, nothing is known. */
function sourceIn(sealed: Sealed): string | undefined {
	try {
		return (JSON.parse(unseal(sealed)) as { lead?: Partial<Lead> }).lead?.source;
	} catch {
		return undefined;
	}
}
