import { purgeStore } from '../retention.ts';
import type { Report, StoreContext } from './report.ts';

/** `purge` */
export async function purge({ leads, retention }: StoreContext): Promise<Report> {
	const purged = await purgeStore(leads, retention);
	return { done: true, data: { purged }, text: purged === 0 ? 'Nothing to delete: no time is over.' : `Deleted: ${purged}.` };
}
