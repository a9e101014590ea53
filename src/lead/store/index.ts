import { StoreError } from './store-error.ts';
import type { LeadStore } from './store.ts';

/**
 * Opens the store that a setting names: `sqlite:PATH`, `postgres://…` or `postgresql://…`. Only the driver that is needed is loaded.
 *
 * @throws {StoreError} it cannot be opened: why, and what to do; never with a password
 */
export async function openStore(setting: string): Promise<LeadStore> {
	const scheme = setting.split(':', 1)[0]!;
	const open = openers[scheme];
	if (open) return open(setting);
	throw new StoreError(
		'The lead store is of an unknown kind. Set LEAD_STORE to sqlite:PATH or to postgres://USER:PASSWORD@HOST/DATABASE.',
	);
}

const openPostgres = async (url: string) => (await import('./postgres.ts')).openPostgresStore(url);

/** By the scheme of the setting. */
const openers: Record<string, (setting: string) => Promise<LeadStore>> = {
	sqlite: async (setting) => (await import('./sqlite.ts')).openSqliteStore(setting.slice('sqlite:'.length)),
	postgres: openPostgres,
	postgresql: openPostgres,
};
