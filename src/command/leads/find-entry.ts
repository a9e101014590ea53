import type { LeadStore, StoredEntry } from '../../lead/store/store.ts';

/** The characters of ids. */
const idForm = /^[\da-f-]+$/;

/** Returns the entry whose id begins or ends with this, or a message if there is none or more than one. */
export async function findEntry(leads: LeadStore, part: string): Promise<StoredEntry | string> {
	const wanted = part.toLowerCase();
	const [found, another] = idForm.test(wanted) ? await leads.find(wanted) : [];
	if (found === undefined)
		return `There is no entry ${part}. It may have been purged or erased. Of the end of an id, write eight characters or more.`;
	return another === undefined ? found : `More than one entry has an id with ${part}. Write more of the id.`;
}
