import type { Logger } from 'pino';
import { type BackgroundWork, hourly } from '../delivery/background-work.ts';
import type { LeadStore } from '../store/store.ts';

/** How many quarantined submissions are kept: so many that could be released, and as many others. A flood pushes out the oldest. */
const QUARANTINE_CAP = 1000;
/** In milliseconds: how long what could be released is kept at least, so that somebody who is told of it has time to look. */
const DECISION_TIME = 3 * 24 * 3600_000;
/** How many entries are deleted in one step: others have their turn in between. */
const BATCH = 100;

export interface RetentionOptions {
	store: LeadStore;
	/** How long a delivered lead is kept, in seconds. */
	retention: number;
	/** Whether what was deleted is taken out of the files here; otherwise that is left to the database. */
	scrubs: boolean;
	log: Logger;
}

/** Deletes what was kept for long enough: now, every hour, and when nudged. */
export function startRetention({ store, retention, scrubs, log }: RetentionOptions): BackgroundWork {
	// What a process before this one has deleted may still be in the files.
	let unscrubbed = scrubs;
	return hourly(async () => {
		try {
			const purged = await purgeStore(store, retention);
			if (purged > 0) log.info({ purged }, 'Leads were deleted: their time is over.');
			if (!scrubs || (purged === 0 && !unscrubbed)) return;
			unscrubbed = !(await store.scrub());
			if (unscrubbed)
				log.warn(
					'What was deleted is still in the files of the store: another program reads them. Trying again within the hour.',
				);
		} catch (error) {
			// Part of it may be deleted all the same, and still be in the files.
			unscrubbed = scrubs;
			log.error({ err: error }, 'The store cannot purge. It is tried again within the hour.');
		}
	});
}

/**
 * Deletes what was kept for long enough.
 *
 * @param retention how long a delivered lead is kept, in seconds
 * @returns how many entries and API keys were deleted
 */
export async function purgeStore(store: LeadStore, retention: number): Promise<number> {
	const age = retention * 1000;
	const limits = { age, releasableAge: Math.max(age, DECISION_TIME), quarantineCap: QUARANTINE_CAP, batch: BATCH };
	for (let purged = 0; ;) {
		const { deleted, done } = await store.purge(limits);
		purged += deleted;
		if (done) return purged;
	}
}
