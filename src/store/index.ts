import type { KeyObject } from 'node:crypto';
import type { StoreWaits } from './database.ts';
import { LeadStore } from './store.ts';

/** A file on this machine, or a database that several instances share. */
export type StorePlace = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string };

/** Where leads are kept until every channel has them. `none`: nowhere, each lead is delivered within its request. */
export type StoreSetting = StorePlace | { kind: 'none' };

/**
 * Opens the store, and makes its tables if there are none. Loads only the driver that it needs.
 *
 * @param waits replace the usual ones
 * @param secret of the store, if this process has opened it before: then its tables are not looked at again
 * @throws {StoreError} the store cannot be opened; the message gives reason and remedy, and never holds a password
 */
export const openStore = (place: StorePlace, waits?: StoreWaits, secret?: KeyObject) => open(place, true, waits, secret);

/** Opens the store for a command, which makes no tables. @throws {StoreError} it cannot be opened, or there is none */
export const openExistingStore = (place: StorePlace) => open(place, false);

async function open(place: StorePlace, makes: boolean, waits?: StoreWaits, secret?: KeyObject): Promise<LeadStore> {
	const database =
		place.kind === 'sqlite'
			? new (await import('./sqlite.ts')).SqliteDatabase(place.path, waits)
			: new (await import('./postgres.ts')).PostgresDatabase(place.url, waits);
	try {
		return new LeadStore(database, secret ?? (await database.open(makes)));
	} catch (error) {
		await database[Symbol.asyncDispose]();
		throw error;
	}
}
