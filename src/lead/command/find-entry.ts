import type { LeadStore, StoredEntry } from '../store/store.ts';

/** In characters: a UUID is this long. */
const WHOLE = 36;

/** The entry whose id begins or ends so; or why there is none, or not one. */
export async function findEntry(leads: LeadStore, part: string): Promise<StoredEntry | string> {
	const wanted = part.toLowerCase();
	const candidates = await leads.list(wanted.length === WHOLE ? { id: wanted } : {});
	const [found, ...others] = candidates.filter(({ id }) => id.startsWith(wanted) || id.endsWith(wanted));
	if (found === undefined) return `There is no entry ${part}. It may have been purged or erased.`;
	if (others.length === 0) return found;
	return `${others.length + 1} entries have an id with ${part}. Write more of the id.`;
}

/** Enough of an id to tell entries apart by: its end, since ids of the same minute begin alike (RFC 9562 section 5.7). */
export const shortId = (id: string) => id.slice(-8);
