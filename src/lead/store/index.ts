import type { LeadStore } from './store.ts';

/** A file on this machine, or a database that several instances share. */
export type StorePlace = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string };

/** Where leads are kept until every channel has them. `none`: nowhere, each is delivered within its request. */
export type StoreSetting = StorePlace | { kind: 'none' };

/**
 * Opens the store. Only the driver that is needed is loaded.
 *
 * @param report is told what the operator should know of a store that is open
 * @throws {StoreError} it cannot be opened: why, and what to do; never with a password
 */
export async function openStore(place: StorePlace, report = (_news: string) => {}): Promise<LeadStore> {
	if (place.kind === 'sqlite') return (await import('./sqlite.ts')).openSqliteStore(place.path, report);
	return (await import('./postgres.ts')).openPostgresStore(place.url);
}
