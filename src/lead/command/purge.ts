import { purgeStore } from '../upkeep/retention.ts';
import type { Report, StoreContext } from './report.ts';

/** `purge` */
export async function purge({ leads, retention }: StoreContext): Promise<Report> {
	const purged = await purgeStore(leads, retention);
	const text = purged === 0 ? 'Nothing to delete: no time is over.' : `Deleted: ${purged}.`;
	if (await leads.scrub()) return { done: true, data: { purged }, text };
	return { done: false, data: { purged, scrubbed: false }, text: `${text}\n${STILL_THERE}` };
}

const STILL_THERE =
	'The files of the store still hold what was deleted: another program is reading there. End it, and run this again.';
