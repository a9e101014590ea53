import type { LeadStore, StoreWaits } from './store.ts';

/** A file on this machine, or a database that several instances share. */
export type StorePlace = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string };

/** Where leads are kept until every channel has them. `none`: nowhere, each lead is delivered within its request. */
export type StoreSetting = StorePlace | { kind: 'none' };

/**
 * Opens the store. Loads only the driver that it needs.
 *
 * @param waits replace the usual ones
 * @throws {StoreError} the store cannot be opened; the message gives reason and remedy, and never holds a password
 */
export async function openStore(place: StorePlace, waits?: StoreWaits): Promise<LeadStore> {
	if (place.kind === 'sqlite') return (await import('./sqlite.ts')).openSqliteStore(place.path, waits);
	return (await import('./postgres.ts')).openPostgresStore(place.url, waits);
}
