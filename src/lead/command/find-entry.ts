import type { LeadStore, StoredEntry } from '../store/store.ts';

/** In characters: a UUID is this long. */
const WHOLE = 36;

/** The entry whose id begins so; or why there is none, or not one. */
export async function findEntry(leads: LeadStore, beginning: string): Promise<StoredEntry | string> {
	const wanted = beginning.toLowerCase();
	const candidates = await leads.list(wanted.length === WHOLE ? { id: wanted } : {});
	const [found, ...others] = candidates.filter(({ id }) => id.startsWith(wanted));
	if (found === undefined) return `There is no entry ${beginning}. It may have been purged or erased.`;
	if (others.length === 0) return found;
	return `${others.length + 1} entries begin with ${beginning}. Write more of the id.`;
}

/** Enough of an id to tell entries apart by. */
export const shortId = (id: string) => id.slice(0, 8);
