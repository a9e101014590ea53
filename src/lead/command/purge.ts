import { purgeStore } from '../retention.ts';
import type { Report, StoreContext } from './report.ts';

/** `purge` */
export async function purge({ leads, retention }: StoreContext): Promise<Report> {
	const purged = await purgeStore(leads, retention);
	const scrubbed = await leads.scrub();
	const deleted = purged === 0 ? 'Nothing to delete: no time is over.' : `Deleted: ${purged}.`;
	const left =
		'The files of the store still hold what was deleted: another program is reading there. End it, and run this again.';
	return { done: scrubbed, data: scrubbed ? { purged } : { purged, scrubbed }, text: scrubbed ? deleted : `${deleted}\n${left}` };
}
