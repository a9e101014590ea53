import { type ClaimedDelivery, CLOCK_ERROR } from './delivery.ts';
import type { Insertion, NewEntry } from './entry.ts';
import type { EntryRow } from './rows.ts';
import { seal, type Sealed, unseal } from './seal.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { sql } from './sqlite-statements.ts';

/** A row whose payload is still sealed. */
export type SealedRow = Omit<EntryRow, 'payload'> & Sealed;

/** Of a delivery that was claimed. */
export type ClaimedRow = Omit<ClaimedDelivery, 'kind' | 'payload'>;

/** What an entry is found by, in keyed hashes. */
export interface EntryIndex {
	person: string | null;
	source: string | null;
}

/** Saves an entry, its payload sealed. Within a transaction, as the others here. */
export function saveEntry(connection: SqliteConnection, entry: NewEntry, index: EntryIndex, now: number): void {
	const { id, kind, receivedAt, payload, quarantine, channels, apiKey } = entry;
	const { key, text } = seal(payload);
	connection.run(sql.insertEntry, {
		id,
		kind,
		receivedAt,
		...index,
		slot: slotFor(connection, key),
		text,
		state: quarantine ? 'quarantined' : channels.length > 0 ? 'waiting' : 'delivered',
		releasable: Number(quarantine === 'releasable'),
	});
	enqueue(connection, entry, now);
	if (apiKey !== undefined) connection.run(sql.countLeadOfApiKey, { id: apiKey });
}

/** Claims what an entry may happen only once for; a result where it was claimed before. */
export function claimOnce(connection: SqliteConnection, { id, once }: NewEntry, now: number): Insertion | undefined {
	if (once === undefined || connection.run(sql.claimOnce, { ...once, id, now, clockError: CLOCK_ERROR }) > 0) return undefined;
	const [claimed] = connection.all<{ fingerprint: string }>(sql.fingerprint, { key: once.key });
	return claimed?.fingerprint === once.fingerprint ? 'duplicate' : 'conflict';
}

/** Makes an entry due over these channels. */
export function enqueue(connection: SqliteConnection, { id, channels }: Pick<NewEntry, 'id' | 'channels'>, now: number): void {
	for (const channel of channels) connection.run(sql.insertDelivery, { id, channel, now });
}

/** A delivery that was claimed, with what is to be delivered. */
export function withContent(connection: SqliteConnection, { id, channel, tries }: ClaimedRow): ClaimedDelivery {
	const [row] = connection.all<Pick<ClaimedDelivery, 'kind'> & Sealed>(sql.payload, { id });
	return { id, channel, tries, kind: row!.kind, payload: unsealedText(row!) };
}

/** A row in plain text. */
export const unsealed = ({ text, key, ...row }: SealedRow) => ({ ...row, payload: unsealedText({ text, key }) }) as EntryRow;

/** An empty object where it cannot be unsealed: one broken row must not keep the others from being read. */
export function unsealedText(sealed: Sealed): string {
	try {
		return unseal(sealed);
	} catch {
		return '{}';
	}
}

/** Keeps a key where an erased one has been, or in a place of its own. */
export function slotFor(connection: SqliteConnection, key: Uint8Array): number {
	const [reused] = connection.all<{ slot: number }>(sql.reuseKeySlot, { key });
	const [row = reused] = reused ? [] : connection.all<{ slot: number }>(sql.addKeySlot, { key });
	return row!.slot;
}
