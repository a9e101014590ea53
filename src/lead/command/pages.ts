import type { EntryState, LeadStore, StoredEntry } from '../store/store.ts';

/** How many entries are in memory at once. */
const PAGE = 500;

/** All entries page by page, newest first, however many there are. */
export async function* pagesOf(leads: LeadStore, state: EntryState | undefined): AsyncGenerator<StoredEntry[]> {
	let before: StoredEntry | undefined;
	do {
		const page = await leads.list({ state, before, limit: PAGE });
		yield page;
		before = page.length === PAGE ? page.at(-1) : undefined;
	} while (before);
}
