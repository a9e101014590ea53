import type { KeyObject } from 'node:crypto';
import { assignmentsIn } from './assignments.ts';
import type { Database } from './database.ts';
import { deliveriesIn } from './deliveries.ts';
import { entriesIn } from './entries.ts';
import { keyStore } from './key-store.ts';
import { purgeIn } from './purge.ts';
import { quarantineIn } from './quarantine.ts';
import { requestCounts } from './request-counts.ts';

export { StoreError } from './database.ts';
export type * from './assignments.ts';
export type * from './deliveries.ts';
export type * from './entries.ts';
export type * from './entry.ts';
export type { Holdings } from './purge.ts';
export type { Decision } from './quarantine.ts';

/** A file on this machine, or a database that several instances share. */
export type StorePlace = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string };

/** Where leads are kept. `none`: nowhere, each lead is delivered within its request. */
export type StoreSetting = StorePlace | { kind: 'none' };

/**
 * Opens the store.
 * @param options `makes`: makes the tables if there are none; a command does not. `patience`: how long it waits for other programs that use
 * its database
 * @throws {StoreError} the store cannot be opened; the message gives reason and remedy, and never holds a password
 */
export async function openStore(
	place: StorePlace,
	{ makes = true, patience }: { makes?: boolean; patience?: number } = {},
): Promise<LeadStore> {
	const database = await databaseAt(place, patience);
	try {
		return leadStore(database, await database.open(makes));
	} catch (error) {
		await database[Symbol.asyncDispose]();
		throw error;
	}
}

/** Returns the database of a store. Loads only the driver that it needs. @param patience as for {@link openStore} */
export const databaseAt = async (place: StorePlace, patience?: number): Promise<Database> =>
	place.kind === 'sqlite'
		? (await import('./sqlite.ts')).sqliteDatabase(place.path, patience)
		: (await import('./postgres.ts')).postgresDatabase(place.url, patience);

/**
 * Durations are in milliseconds, times since the epoch by the clock of the database, within a minute. A function rejects with a `StoreError`
 * when the store cannot do its work, unless it says otherwise. A change that resolved is durable. One that rejected may be, see `write`.
 */
export type LeadStore = ReturnType<typeof leadStore>;

/** Returns the store in a database. @param secret for keyed hashes: made once, the same in every instance */
export function leadStore(database: Database, secret: KeyObject) {
	const keys = keyStore(database, secret);
	return {
		secret,
		/** The API keys, which are stored beside the leads. */
		keys,
		/** Counts requests where instances share the store. Undefined otherwise: the process counts for itself. */
		counts: database.atOnce && requestCounts(database.atOnce),
		...entriesIn(database, secret, keys),
		...assignmentsIn(database, secret),
		...deliveriesIn(database),
		...quarantineIn(database, secret),
		...purgeIn(database, secret),
		scrub: () => database.scrub(),
		file: database.file,
		[Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
	};
}
